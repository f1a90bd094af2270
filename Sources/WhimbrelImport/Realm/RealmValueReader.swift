internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// A reader of values of a Realm Studio export as the types that a schema declares.
///
/// | type | value in the export |
/// |---|---|
/// | numbers | a number; `null` for NaN and infinity. Whole numbers beyond 2⁵³ are rounded |
/// | `date` | ISO 8601 with milliseconds |
/// | `data` | base 64; `{}` from versions 5 to 10.0 and from 12 on, which lose data |
/// | `uuid`, `objectId` | text |
/// | `decimal` | `{"$numberDecimal":"1.5"}` |
/// | `any` | a value as for its own type; dates, UUIDs and the like are text |
final class RealmValueReader {
  /// The first values that could not be imported, as sentences.
  private(set) var losses: [String] = []
  private(set) var lossCount = 0
  private(set) var notes: [String] = []
  private var isCut = false

  /// The limit on the number of losses, and of notes, in a summary.
  private static let limit = 20

  /// A function that returns the link to the object that a value leads to.
  typealias LinkReader = (RealmNode) throws -> PropertyValue

  func lose(_ object: String, _ property: String, _ reason: String) {
    lossCount += 1
    if losses.count < Self.limit { losses.append("\(object), '\(property)': \(reason)") }
  }

  func note(_ text: String) {
    if notes.count < Self.limit {
      if !notes.contains(text) { notes.append(text) }
    } else if !isCut {
      isCut = true
      notes.append("More notes are not listed.")
    }
  }

  /// Returns the value of a property.
  ///
  /// - Parameter object: Returns the name of the object for messages.
  /// - Throws: ``JSONProblem`` for a value that does not fit.
  func value(
    _ node: RealmNode, of property: CatalogProperty, _ object: () -> String, link: LinkReader
  ) throws -> PropertyValue {
    switch (property.type, node) {
    case (.list(let element), .array(let nodes)), (.set(let element), .array(let nodes)):
      return .list(try nodes.map { try self.element($0, element, property, object, link) })
    case (.map(let element), .object(let map)):
      var values: [String: PropertyValue] = [:]
      for (name, node) in try map.members() {
        values[name] = try self.element(node, element, property, object, link)
      }
      return .map(values)
    case (.list, .null), (.set, .null), (.map, .null):
      return property.type.emptyValue ?? .null
    case (_, .null) where property.isOptional || property.type == .any:
      return .null
    case (.float, .null), (.double, .null):
      lose(object(), property.name, "NaN or infinity, which the export writes as null; 0 is stored")
      return property.type == .float ? .float(0) : .double(0)
    case (_, .null):
      throw JSONProblem(0, "it is required, but the value is null")
    default:
      return try scalar(node, property.type, property, object, link)
    }
  }

  private func element(
    _ node: RealmNode, _ element: ElementType, _ property: CatalogProperty, _ object: () -> String,
    _ link: LinkReader
  ) throws -> PropertyValue {
    if case .null = node {
      if element.isOptional || element.type == .any { return .null }
      throw JSONProblem(0, "an element must be '\(element)', but is null")
    }
    return try scalar(node, element.type, property, object, link)
  }

  private func scalar(
    _ node: RealmNode, _ type: PropertyType, _ property: CatalogProperty, _ object: () -> String,
    _ link: LinkReader
  ) throws -> PropertyValue {
    let content: JSONNode.Content
    switch (type, node) {
    case (.link, _): return try link(node)
    case (.any, _): return try any(node, property, object, link)
    case (.data, .object(let lost)):
      guard try lost.members().isEmpty else { content = .object([]); break }
      lose(object(), property.name, "data, which this version of Realm Studio does not export")
      return property.isOptional && property.type == .data ? .null : .data(Data())
    case (.decimal, .object(let number)):
      guard let text = try Self.decimal(number) else { content = .object([]); break }
      content = .string(text)
    case (_, .bool(let bool)): content = .bool(bool)
    case (.decimal, .number(let text)): content = .string(text)
    case (_, .number(let text)):
      content = .number(text)
      noteRounding(text, type, property, object)
    case (_, .string(let text)): content = .string(text)
    default: content = .object([])
    }
    let scalar = try PropertyValue.scalar(JSONNode(content: content, offset: 0), as: type)
    if let scalar { return scalar }
    throw JSONProblem(0, "it holds '\(property.type)', but the value is \(node.kind)")
  }

  private func noteRounding(
    _ text: String, _ type: PropertyType, _ property: CatalogProperty, _ object: () -> String
  ) {
    guard type.isInteger, let number = Int64(text), number.magnitude > 1 << 53 else { return }
    note("\(object()), '\(property.name)': \(text) may have been rounded when it was exported.")
  }

  /// Returns the digits of a decimal number, or nil if an object is not one.
  static func decimal(_ object: RealmObjectNode) throws -> String? {
    let members = try object.members()
    guard members.count == 1, members[0].name == "$numberDecimal",
      case .string(let text) = members[0].value
    else { return nil }
    return text == "NaN" ? "nan" : text.replacing("+", with: "")
  }

  private func any(
    _ node: RealmNode, _ property: CatalogProperty, _ object: () -> String, _ link: LinkReader
  ) throws -> PropertyValue {
    switch node {
    case .null: return .null
    case .bool(let bool): return .bool(bool)
    case .string(let text): return .string(text)
    case .number(let text):
      if let number = Int64(text) {
        noteRounding(text, .int, property, object)
        return .int(number)
      }
      let number = JSONNode(content: .number(text), offset: 0)
      return try PropertyValue.scalar(number, as: .double) ?? .string(text)
    case .array(let nodes):
      return .list(try nodes.map { try any($0, property, object, link) })
    case .object(let inner):
      guard let text = try Self.decimal(inner) else { return try link(node) }
      if let decimal = Decimal(exactText: text) { return .decimal(decimal) }
      lose(
        object(), property.name,
        "\(PlainText.escaped(text)), which is not a decimal number of up to 38 digits")
      return .null
    }
  }
}
