package import WhimbrelLMDB

/// A path whose properties are found in a class.
///
/// It is good for as long as the session of the class has the same catalog.
package struct BoundPath {
  package let table: ClassTable
  let steps: [Step]
  let quantifier: QueryPath.Quantifier
  /// What it leads to.
  let type: QueryType
  /// The class of the objects that it leads to, or nil where it leads to none.
  let target: ClassTable?
  /// How the values are stored; nil for the object itself.
  package let storedType: PropertyType?

  /// One step from the objects of a class, or from a value of any type.
  struct Step {
    let table: ClassTable
    let kind: Kind

    enum Kind {
      /// The value of a property that is no collection.
      case value(Int)
      /// All elements of a collection.
      case elements(Int)
      /// The element of a map with a name.
      case element(Int, name: String)
      /// The names of a map.
      case names(Int)
      /// The objects of a class that link here by a property.
      case sources(ClassTable, Int)
      /// The element with a name of a map in a value of any type.
      case member(String)
      /// The names of a map in a value of any type.
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

  /// Whether it leads to exactly one value from each object.
  package var isSingle: Bool { steps.allSatisfy(\.isSingle) }

  /// The position of the property, if the path is one that is no collection.
  package var position: Int? {
    guard steps.count == 1, case .value(let position) = steps[0].kind else { return nil }
    return position
  }

  /// The path without its last step.
  var withoutLastStep: BoundPath {
    BoundPath(
      table, steps.dropLast(), quantifier, type, target: steps.last?.table, storedType: nil)
  }
}

// MARK: - Values

extension BoundPath {
  /// The values that the path leads to from an object: none where there is no object.
  package func values(of id: ObjectID) throws -> [PropertyValue] {
    let source = QuerySource(table.session.view)
    guard let record = try source.record(table, id) else { return [] }
    var values: [PropertyValue] = []
    _ = try forEachValue(id, record, source) { value in
      values.append(value)
      return true
    }
    return values
  }

  /// The only value of a path that has one.
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

  /// Calls `body` with each value until it returns false, and returns whether it never did.
  func forEachValue(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource,
    _ body: (PropertyValue) throws -> Bool
  ) throws -> Bool {
    if steps.isEmpty { return try body(.link(id)) }
    return try visit(0, id, record, source, body)
  }

  /// Takes a step from an object.
  private func visit(
    _ index: Int, _ id: ObjectID, _ record: PageBytes, _ source: QuerySource,
    _ body: (PropertyValue) throws -> Bool
  ) throws -> Bool {
    let table = steps[index].table
    switch steps[index].kind {
    case .value(let position):
      let value = try source.value(table, position, of: record, id)
      return try goOn(index + 1, value, source, body)
    case .elements(let position):
      // All are read first: what follows may move the record, while a migration runs.
      let values = try source.readCollection(table, position, of: record, id) {
        try $0.values()
      }
      return try values.allSatisfy { try goOn(index + 1, $0, source, body) }
    case .element(let position, let name):
      let value = try source.readCollection(table, position, of: record, id) { reader in
        try reader.position(ofName: name).map { try reader.value(at: $0) } ?? .null
      }
      return try goOn(index + 1, value, source, body)
    case .names(let position):
      let names = try source.readCollection(table, position, of: record, id) { reader in
        try (0..<reader.count).map { try reader.name(at: $0) }
      }
      return try names.allSatisfy { try goOn(index + 1, .string($0), source, body) }
    case .sources(let other, let position):
      let ids = try source.sources(other, position, linkingTo: id, of: table.resolved.id)
      return try ids.allSatisfy { try goOn(index + 1, .link($0), source, body) }
    case .member, .memberNames:
      return true
    }
  }

  /// Takes a step from a value.
  private func goOn(
    _ index: Int, _ value: PropertyValue, _ source: QuerySource,
    _ body: (PropertyValue) throws -> Bool
  ) throws -> Bool {
    guard index < steps.count else { return try body(value) }
    switch (steps[index].kind, value) {
    case (.member(let name), .map(let elements)):
      return try goOn(index + 1, elements[name] ?? .null, source, body)
    case (.member, _):
      return try goOn(index + 1, .null, source, body)
    case (.memberNames, .map(let elements)):
      return try elements.sortedByName.allSatisfy { name, _ in
        try goOn(index + 1, .string(name), source, body)
      }
    case (_, .link(let id)):
      guard let record = try source.record(steps[index].table, id) else { break }
      return try visit(index, id, record, source, body)
    default: break
    }
    // Behind a link that is nil there is one value, nil, or no element.
    return try steps[index...].allSatisfy(\.isSingle) ? body(.null) : true
  }
}

// MARK: - Counting

extension BoundPath {
  /// How many elements or objects it leads to.
  func count(_ id: ObjectID, _ record: PageBytes, _ source: QuerySource) throws -> Int {
    guard let last = steps.last else { return 1 }
    var count = 0
    if case .elements(let position) = last.kind {
      _ = try withoutLastStep.forEachValue(id, record, source) { value in
        if case .link(let id) = value, let record = try source.record(last.table, id) {
          count += try source.readCollection(last.table, position, of: record, id) { $0.count }
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
