package import WhimbrelLMDB

/// A path bound to the properties of a class.
///
/// It is valid as long as the session of the class keeps the same catalog. It is a class, so that
/// passing it counts one reference.
package final class BoundPath {
  package let table: ClassTable
  let steps: [Step]
  let quantifier: QueryPath.Quantifier
  /// The type of the values at the end of the path.
  let type: QueryType
  /// The class of the objects at the end of the path, or nil if the path leads to other values.
  let target: ClassTable?
  /// The stored type of the values, or nil if the path is the object itself.
  package let storedType: PropertyType?

  /// A step from the objects of a class, or from a value of any type.
  struct Step {
    let table: ClassTable
    let kind: Kind
    /// The type and the size in bytes of the elements of a list or a set that are never nil, or nil
    /// for other steps. The size is 0 if elements have different ones.
    let elements: (type: PropertyType, width: Int)?

    init(table: ClassTable, kind: Kind) {
      self.table = table
      self.kind = kind
      guard case .elements(let position) = kind else {
        elements = nil
        return
      }
      switch table.resolved.properties[position].type {
      case .list(let element) where !element.isOptional,
        .set(let element) where !element.isOptional:
        elements = (element.type, ElementCoding(element, isMap: false).format.width)
      default:
        elements = nil
      }
    }

    enum Kind {
      /// The value of a property that is not a collection.
      case value(Int)
      case elements(Int)
      /// The element of a map for a name.
      case element(Int, name: String)
      /// The names of a map.
      case names(Int)
      /// The objects of a class that link to the object through a property.
      case sources(ClassTable, Int)
      /// The element for a name of a map that is a value of any type.
      case member(String)
      /// The names of a map that is a value of any type.
      case memberNames
    }

    var isSingle: Bool {
      switch kind {
      case .value, .element, .member: true
      case .elements, .names, .sources, .memberNames: false
      }
    }
  }

  init(
    _ table: ClassTable, _ steps: [Step], _ quantifier: QueryPath.Quantifier, _ type: QueryType,
    target: ClassTable?, storedType: PropertyType?
  ) {
    self.table = table
    self.steps = steps
    self.quantifier = quantifier
    self.type = type
    self.target = target
    self.storedType = storedType
  }

  /// Whether the path leads to exactly one value from each object.
  package var isSingle: Bool { steps.allSatisfy(\.isSingle) }

  /// The position of the property, if the path is one property that is not a collection.
  package var position: Int? {
    guard steps.count == 1, case .value(let position) = steps[0].kind else { return nil }
    return position
  }

  /// Whether other objects are read to find the values.
  var readsOtherObjects: Bool {
    guard case .sources? = steps.first?.kind else { return steps.count > 1 }
    return true
  }

  var withoutLastStep: BoundPath {
    BoundPath(
      table, steps.dropLast(), quantifier, type, target: steps.last?.table, storedType: nil)
  }
}

// MARK: - Values

extension BoundPath {
  /// Returns the values that the path leads to from an object. Returns an empty array if the object
  /// does not exist.
  package func values(of id: ObjectID) throws -> [PropertyValue] {
    let source = QuerySource(table.session)
    guard let record = try source.record(table, id) else { return [] }
    var values: [PropertyValue] = []
    _ = try forEachValue(id, record, source) { value in
      values.append(value)
      return true
    }
    return values
  }

  /// Returns the value of a path that leads to exactly one value.
  package func value(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws -> PropertyValue {
    var found = PropertyValue.null
    _ = try forEachValue(id, record, source) { value in
      found = value
      return false
    }
    return found
  }

  /// Calls `body` with each value until it returns false. Returns false if `body` did, otherwise
  /// true.
  func forEachValue(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource,
    _ body: (PropertyValue) throws -> Bool
  ) throws -> Bool {
    if steps.isEmpty { return try body(.link(id)) }
    // A condition may have followed other paths since the record was read.
    return try visit(0, id, source.current(record, table, id), source, body)
  }

  /// Follows a step from an object.
  private func visit(
    _ index: Int, _ id: ObjectID, _ record: PageBytes, _ source: QuerySource,
    _ body: (PropertyValue) throws -> Bool
  ) throws -> Bool {
    // Paths and sub-queries nest. Reading the values has functions of its own, so that a step takes
    // little of the stack.
    let step = steps[index]
    guard step.isSingle else {
      if index + 1 == steps.count, let type = step.elements?.type,
        let elements = try step.inlineElements(id, record, source)
      {
        return try (0..<elements.count).allSatisfy { index in
          try body(step.table.explaining(id) { try elements.value(index, as: type) })
        }
      }
      return try step.values(id, record, source).allSatisfy {
        try goOn(index + 1, $0, source, body)
      }
    }
    return try goOn(index + 1, step.value(id, record, source), source, body)
  }

  /// Follows a step from a value.
  private func goOn(
    _ index: Int, _ value: PropertyValue, _ source: QuerySource,
    _ body: (PropertyValue) throws -> Bool
  ) throws -> Bool {
    guard index < steps.count else { return try body(value) }
    switch steps[index].kind {
    case .member, .memberNames:
      return try goOn(index, inside: value, source, body)
    default:
      guard case .link(let id) = value, let record = try source.record(steps[index].table, id)
      else { break }
      return try visit(index, id, record, source, body)
    }
    // A nil link makes the rest of the path nil. If the rest leads through a collection, there are
    // no values.
    return try steps[index...].allSatisfy(\.isSingle) ? body(.null) : true
  }

  /// Follows a step into a map that is a value of any type.
  private func goOn(
    _ index: Int, inside value: PropertyValue, _ source: QuerySource,
    _ body: (PropertyValue) throws -> Bool
  ) throws -> Bool {
    switch (steps[index].kind, value) {
    case (.member(let name), .map(let elements)):
      return try goOn(index + 1, elements[name] ?? .null, source, body)
    case (.member, _):
      return try goOn(index + 1, .null, source, body)
    case (.memberNames, .map(let elements)):
      return try elements.sortedByName.allSatisfy { name, _ in
        try goOn(index + 1, .string(name), source, body)
      }
    default:
      return true
    }
  }
}

extension BoundPath.Step {
  /// Returns the value of a step that leads to one value of an object.
  fileprivate func value(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws -> PropertyValue {
    switch kind {
    case .value(let position):
      try source.value(table, position, of: record, id)
    case .element(let position, let name):
      try source.readCollection(table, position, of: record, id) { reader in
        try reader.value(ofName: name) ?? .null
      }
    case .elements, .names, .sources, .member, .memberNames: .null
    }
  }

  /// Returns the elements of a collection that is in its record as a whole, or nil if a
  /// ``CollectionReader`` is needed. They are valid as long as the record is.
  fileprivate func inlineElements(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws -> InlineElements? {
    guard case .elements(let position) = kind, let width = elements?.width, !table.recordsMove,
      let layout = table.resolved.layout(of: record), layout.slots[position].access != .conversion,
      let field = layout.fields[position]
    else { return nil }
    return try table.explaining(id) {
      try InlineElements(record, at: field.slot, width: width)
    }
  }

  /// Returns the number of elements of a collection.
  fileprivate func count(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws -> Int {
    if let elements = try inlineElements(id, record, source) { return elements.count }
    guard case .elements(let position) = kind else { return 0 }
    return try source.readCollection(table, position, of: record, id) { $0.count }
  }

  /// Returns the values of a step that leads to several values of an object.
  ///
  /// All of them are read before any of them is followed: following one may invalidate the record.
  fileprivate func values(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws -> [PropertyValue] {
    switch kind {
    case .elements(let position):
      try source.readCollection(table, position, of: record, id) { try $0.values() }
    case .names(let position):
      try source.readCollection(table, position, of: record, id) { reader in
        try reader.names().map(PropertyValue.string)
      }
    case .sources(let other, let position):
      try source.sources(other, position, linkingTo: id, of: table.resolved.id)
        .map(PropertyValue.link)
    case .value, .element, .member, .memberNames: []
    }
  }
}

// MARK: - Counting

extension BoundPath {
  /// Returns the number of elements or objects at the end of the path.
  func count(_ id: ObjectID, _ record: PageBytes, _ source: QuerySource) throws -> Int {
    guard let last = steps.last else { return 1 }
    var count = 0
    if case .elements = last.kind {
      if steps.count == 1 {
        return try last.count(id, source.current(record, table, id), source)
      }
      _ = try withoutLastStep.forEachValue(id, record, source) { value in
        if case .link(let id) = value, let record = try source.record(last.table, id) {
          count += try last.count(id, record, source)
        }
        return true
      }
      return count
    }
    _ = try forEachValue(id, record, source) { value in
      switch value {
      case .null: break
      case .list(let elements): count += elements.count
      case .map(let elements): count += elements.count
      default: count += 1
      }
      return true
    }
    return count
  }
}
