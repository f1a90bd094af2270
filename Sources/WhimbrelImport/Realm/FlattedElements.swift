internal import WhimbrelInspection

final class FlattedElements {
  private let name: String
  private let elements: [JSONNode.Content]
  /// The limit on the nesting of arrays.
  private static let maximumDepth = 100

  /// - Throws: ``InspectionError`` with `badImport` or `cannotRead`.
  init(_ input: RepeatableInput) throws {
    let name = input.name
    var stream = JSONStream(try input.source())
    var elements: [JSONNode.Content] = []
    try stream.forEachElement(of: JSONStream.array) { stream in
      let element = try stream.element()
      do throws(JSONProblem) {
        elements.append(try JSONParser.parse(element.bytes).content)
      } catch {
        throw Self.problem(name, elements.count, error.reason)
      }
    }
    try stream.requireEnd()
    self.name = name
    self.elements = elements
  }

  private static func problem(_ name: String, _ index: Int, _ reason: String) -> InspectionError {
    InspectionError.badInput(.badImport, name, "element \(index)", reason)
  }

  func problem(_ index: Int, _ reason: String) -> InspectionError {
    Self.problem(name, index, reason)
  }

  func content(_ index: Int) throws -> JSONNode.Content {
    guard elements.indices.contains(index) else {
      throw problem(index, "the element does not exist")
    }
    return elements[index]
  }

  /// Returns the index of the element that a text refers to.
  func index(_ node: JSONNode, in element: Int) throws -> Int {
    guard case .string(let text) = node.content, let index = Int(text) else {
      throw problem(element, "expected the index of another element, but found \(node.kind)")
    }
    return index
  }

  func node(at index: Int, depth: Int = 0) throws -> RealmNode {
    guard depth < Self.maximumDepth else { throw problem(index, "it is nested too deeply") }
    switch try content(index) {
    case .string(let text): return .string(text)
    case .array(let nodes):
      return .array(try nodes.map { try node($0, in: index, depth: depth + 1) })
    case .object: return .object(RealmObjectNode(self, at: index))
    default: throw problem(index, "expected a string, an array or an object")
    }
  }

  private func node(_ node: JSONNode, in index: Int, depth: Int) throws -> RealmNode {
    switch node.content {
    case .null: return .null
    case .bool(let bool): return .bool(bool)
    case .number(let text): return .number(text)
    default: return try self.node(at: try self.index(node, in: index), depth: depth)
    }
  }

  /// Returns the members of an object, or an empty array for any other element.
  func members(of index: Int) throws -> [RealmObjectNode.Member] {
    guard case .object(let members) = try content(index) else { return [] }
    return try members.map { (name: $0.name, value: try node($0.value, in: index, depth: 0)) }
  }

  func member(_ name: String, of index: Int) throws -> RealmNode? {
    guard case .object(let members) = try content(index),
      let member = members.first(where: { $0.name == name })
    else { return nil }
    return try node(member.value, in: index, depth: 0)
  }
}
