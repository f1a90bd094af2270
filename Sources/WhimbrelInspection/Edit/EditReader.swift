internal import WhimbrelEngine

/// A reader of property values that users write.
struct EditReader {
  private let session: Session
  private let values: ValueReader

  init(_ session: Session) {
    self.session = session
    values = ValueReader(session.classes)
  }

  /// A value for a property, not yet read.
  struct Value {
    let position: Int
    fileprivate let source: Source

    fileprivate enum Source {
      /// Text that is not JSON.
      case text(String)
      case json(JSONNode, in: String)
    }
  }

  /// Splits the input into values, without reading them.
  ///
  /// - Throws: ``InspectionError`` with `badArgument`, and `StoreError` with `unknownProperty`.
  func values(_ values: StoreEdit.Values, of table: ClassTable) throws -> [Value] {
    let found: [Value]
    switch values {
    case .texts(let texts): found = try texts.map { try value($0, table) }
    case .json(let text):
      let node = try Self.parse(text, table.name)
      guard case .object(let members) = node.content else {
        throw InspectionError.badValue(text, class: table.name, "it is \(node.kind)")
      }
      found = try members.map { member in
        Value(
          position: try table.resolved.requiredPosition(of: member.name),
          source: .json(member.value, in: text))
      }
    }
    var seen: Set<Int> = []
    for value in found where !seen.insert(value.position).inserted {
      throw InspectionError.givenTwice(
        class: table.name, table.resolved.properties[value.position].name)
    }
    return found
  }

  private func value(_ text: String, _ table: ClassTable) throws -> Value {
    var rest = Substring(text)
    let names = table.resolved.properties.map(\.name)
    guard let name = QualifiedName.takeName(from: &rest, upTo: "=", among: names) else {
      throw InspectionError.badArgument(
        text, "it is not a property and a value", "Write it as 'latitude=48.87'.")
    }
    let position = try table.resolved.requiredPosition(of: name)
    let type = table.resolved.properties[position].type
    let value = String(rest)
    // Names of objects and scalars are not JSON.
    let isJSON =
      type.isCollection || type == .any
      || type.linkTarget != nil && value.utf8.first == UInt8(ascii: "{")
    return Value(
      position: position,
      source: isJSON ? .json(try Self.parse(value, table.name), in: value) : .text(value))
  }

  private static func parse(_ text: String, _ className: String) throws -> JSONNode {
    do throws(JSONProblem) {
      return try JSONParser.parse(Array(text.utf8))
    } catch {
      throw InspectionError.badValue(text, class: className, error)
    }
  }
}

// MARK: - Storing

extension EditReader {
  /// Returns the value in its stored form. Every call adds new objects for the embedded objects.
  func stored(_ value: Value, in table: ClassTable) throws -> PropertyValue {
    let property = table.resolved.properties[value.position]
    let result: PropertyValue
    switch value.source {
    case .text("null"):
      guard property.isOptional || property.type.linkTarget != nil else {
        throw InspectionError.requiredAndNull(property, of: table.name)
      }
      result = .null
    case .text(let text):
      let text = try unquoted(text, property, of: table)
      if let target = property.type.linkTarget {
        result = .link(try session.table(target).object(named: text))
      } else if property.type == .string {
        result = .string(text)
      } else {
        result = try scalar(text, property, of: table)
      }
    case .json(let node, let text):
      do {
        result = try table.naming(property) { try self.value(node, property.type, of: property) }
      } catch let problem as JSONProblem {
        throw InspectionError.badValue(text, class: table.name, problem)
      }
    }
    for target in result.linkTargets {
      try session.requireTarget(target, of: property, in: table.name)
    }
    return result
  }

  /// Returns the content of a JSON string if the text is in double quotes, otherwise the text.
  private func unquoted(
    _ text: String, _ property: CatalogProperty, of table: ClassTable
  ) throws -> String {
    let mayBeQuoted = property.type == .string || property.type.linkTarget != nil
    guard mayBeQuoted, text.utf8.count > 1, text.utf8.first == 0x22, text.utf8.last == 0x22 else {
      return text
    }
    guard let node = try? JSONParser.parse(Array(text.utf8)), case .string(let inner) = node.content
    else { throw InspectionError.badQuotes(text, property, of: table.name) }
    return inner
  }

  private func scalar(
    _ text: String, _ property: CatalogProperty, of table: ClassTable
  ) throws -> PropertyValue {
    do {
      return try PropertyValue(text: text, for: property)
    } catch let error as InspectionError where error.code == .badArgument {
      // The error does not name the class.
      throw error.about(property, of: table.name)
    }
  }

  /// Adds an object. Returns its ID.
  func add(_ values: [Value], to table: ClassTable) throws -> ObjectID {
    var stored: [String: PropertyValue] = [:]
    for value in values {
      stored[table.resolved.properties[value.position].name] = try self.stored(value, in: table)
    }
    return try table.create(stored, replacing: false)
  }

  private func value(
    _ node: JSONNode, _ type: PropertyType, of property: CatalogProperty
  ) throws -> PropertyValue {
    switch (type, node.content) {
    case (.link(let target), .string(let name)), (.link(let target), .number(let name)):
      return .link(try session.table(target).object(named: name))
    case (.link(let target), .object(let members)):
      let table = try session.table(target)
      guard table.resolved.isEmbedded, members.map(\.name) != ["link"] else { break }
      return .link(try add(members, to: table))
    case (.list(let element), .array(let nodes)), (.set(let element), .array(let nodes)):
      guard element.type.linkTarget != nil else { break }
      return .list(try nodes.map { try value($0, element.type, of: property) })
    case (.map(let element), .object(let members)):
      guard element.type.linkTarget != nil else { break }
      var values: [String: PropertyValue] = [:]
      for member in members {
        values[member.name] = try value(member.value, element.type, of: property)
      }
      return .map(values)
    default: break
    }
    var property = property
    property.type = type
    return try values.value(node, of: property)
  }

  private func add(_ members: [JSONNode.Member], to table: ClassTable) throws -> ObjectID {
    var values: [String: PropertyValue] = [:]
    for member in members {
      let position = try table.resolved.requiredPosition(of: member.name)
      let property = table.resolved.properties[position]
      let value = try table.naming(property) {
        try self.value(member.value, property.type, of: property)
      }
      guard values.updateValue(value, forKey: member.name) == nil else {
        throw InspectionError.givenTwice(class: table.name, member.name)
      }
    }
    return try table.create(values, replacing: false)
  }
}
