internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// A reader of plain JSON values as the types that a schema declares. ``JSONImport`` describes the
/// spelling of each type.
struct PlainValueReader {
  /// A function that returns the link to the object with a primary key.
  let link: (String) throws -> PropertyValue

  /// Returns the value of a property.
  ///
  /// - Throws: ``JSONProblem`` for a value that does not fit, and what ``link`` throws.
  func value(_ node: JSONNode, of property: CatalogProperty) throws -> PropertyValue {
    switch (property.type, node.content) {
    case (.any, _): return try any(node)
    case (.list(let element), .array(let nodes)), (.set(let element), .array(let nodes)):
      return .list(try nodes.map { try self.element($0, element, property) })
    case (.map(let element), .object(let members)):
      return .map(try members.values { try self.element($0, element, property) })
    case (_, .null):
      if let empty = property.type.emptyValue { return empty }
      guard property.isOptional || property.type.linkTarget != nil else {
        throw JSONProblem(node.offset, "it is required, but the value is null")
      }
      return .null
    default: return try scalar(node, property.type, property)
    }
  }

  private func element(
    _ node: JSONNode, _ element: ElementType, _ property: CatalogProperty
  ) throws -> PropertyValue {
    if element.type == .any { return try any(node) }
    if case .null = node.content {
      if element.isOptional { return .null }
      throw JSONProblem(node.offset, "an element must be '\(element)', but is null")
    }
    return try scalar(node, element.type, property)
  }

  private func scalar(
    _ node: JSONNode, _ type: PropertyType, _ property: CatalogProperty
  ) throws -> PropertyValue {
    switch (type, node.content) {
    case (.link, .string(let name)), (.link, .number(let name)): return try link(name)
    case (.link, _):
      // An object ID, as a dump has it, could lead to an object that does not exist.
      throw JSONProblem(
        node.offset, "a link is the primary key of its target, but the value is \(node.kind)")
    case (.string, .number(let text)): return .string(text)
    case (.date, .string(let text)):
      if let date = ImportedDate(text)?.date { return .date(date) }
    case (.decimal, .number(let text)):
      let text = JSONNode(content: .string(text), offset: node.offset)
      if let value = try PropertyValue.scalar(text, as: type) { return value }
    default: break
    }
    if let value = try PropertyValue.scalar(node, as: type) { return value }
    throw JSONProblem(
      node.offset, "it holds '\(property.type)', but the value is \(node.kind)")
  }

  /// Returns a value of type `any` as it stands. A number that no numeric type holds becomes its
  /// text.
  private func any(_ node: JSONNode) throws -> PropertyValue {
    switch node.content {
    case .null: return .null
    case .bool(let bool): return .bool(bool)
    case .string(let text): return .string(text)
    case .number(let text):
      if let number = Int64(text), ExactNumber.isInteger(text) { return .int(number) }
      if ExactNumber.isDouble(text), let number = Double(text) { return .double(number) }
      if let value = try? PropertyValue.scalar(text, as: .decimal),
        case .decimal(let decimal) = value,
        ExactNumber(decimal.exactText) == ExactNumber(text)
      {
        return value
      }
      return .string(text)
    case .array(let nodes): return .list(try nodes.map(any))
    case .object(let members): return .map(try members.values(any))
    }
  }
}
