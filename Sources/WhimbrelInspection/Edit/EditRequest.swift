internal import Foundation

/// A request for an edit in JSON, as Whimbrel Studio sends it.
///
/// ```json
/// {"mode":"preview","operations":[
///   {"add":{"class":"Zone","values":{"identifier":"Europe/Pristina"}}},
///   {"set":{"class":"Zone","object":"id:17","values":{"latitude":48.9}}},
///   {"remove":{"class":"Zone","object":"id:17"}}]}
/// ```
///
/// A write may have the `digest` of the preview that a person has confirmed. It is refused if it
/// would make other changes.
package struct EditRequest: Hashable, Sendable {
  /// Whether the edit is written. Otherwise it is only previewed.
  package let isWrite: Bool
  /// The digest of the changes that the edit may make, or nil for any: see ``ChangeDigest``.
  package let digest: String?
  /// The operations, in order. There is at least one.
  package let operations: [StoreEdit.Operation]

  /// The limit of operations.
  package static let operationLimit = 10_000

  /// Reads a request.
  ///
  /// - Parameter json: The text, as UTF-8.
  /// - Throws: ``InspectionError`` with `badArgument`. The message names the operation, and the
  ///   member that is wrong.
  package init(json: [UInt8]) throws {
    let node: JSONNode
    do throws(JSONProblem) {
      node = try JSONParser.parse(json)
    } catch {
      throw InspectionError.badRequest("\(error.reason), at byte \(error.offset)")
    }
    let request = try Members(node, "the request", ["mode", "operations"], optional: ["digest"])
    digest = try request.optionalString("digest")
    switch try request.string("mode") {
    case "preview": isWrite = false
    case "write": isWrite = true
    case let mode:
      throw InspectionError.badRequest(
        "'mode' is \(PlainText.quoted(PlainText.beginning(of: mode, limit: 60))), but must be "
          + "'preview' or 'write'")
    }
    let operations = try request.value("operations")
    guard case .array(let nodes) = operations.content else {
      throw InspectionError.badRequest("'operations' is \(operations.kind), but must be an array")
    }
    guard !nodes.isEmpty else { throw InspectionError.badRequest("'operations' is empty") }
    guard nodes.count <= Self.operationLimit else {
      throw InspectionError.badRequest(
        "'operations' has \(nodes.count) elements, but at most \(Self.operationLimit) are allowed")
    }
    self.operations = try nodes.enumerated().map { index, node in
      try StoreEdit.Operation(node, "operations[\(index)]")
    }
  }
}

extension StoreEdit.Operation {
  /// - Parameter place: The name of the operation in errors.
  fileprivate init(_ node: JSONNode, _ place: String) throws {
    let verbs = ["add", "set", "remove"]
    guard case .object(let members) = node.content else {
      throw InspectionError.badRequest("'\(place)' is \(node.kind), but must be an object")
    }
    guard members.count == 1, let verb = members.first, verbs.contains(verb.name) else {
      throw InspectionError.badRequest("'\(place)' must have one member: 'add', 'set' or 'remove'")
    }
    let inner = "\(place).\(verb.name)"
    switch verb.name {
    case "add":
      let found = try Members(verb.value, "'\(inner)'", ["class", "values"])
      self = .add(class: try found.string("class"), try found.values("values"))
    case "set":
      let found = try Members(verb.value, "'\(inner)'", ["class", "object", "values"])
      self = .set(
        class: try found.string("class"), .named([try found.string("object")]),
        try found.values("values"))
    default:
      let found = try Members(verb.value, "'\(inner)'", ["class", "object"])
      self = .remove(class: try found.string("class"), .named([try found.string("object")]))
    }
  }
}

/// The members of an object in a request.
private struct Members {
  private let members: [String: JSONNode]
  private let place: String

  /// - Parameters:
  ///   - names: The names of the members that must be present.
  ///   - optional: The names of the members that may be present. No member may be given twice.
  init(_ node: JSONNode, _ place: String, _ names: [String], optional: [String] = []) throws {
    guard case .object(let found) = node.content else {
      throw InspectionError.badRequest("\(place) is \(node.kind), but must be an object")
    }
    var members: [String: JSONNode] = [:]
    for member in found {
      guard names.contains(member.name) || optional.contains(member.name) else {
        let name = PlainText.quoted(PlainText.beginning(of: member.name, limit: 60))
        throw InspectionError.badRequest("\(place) has the unknown member \(name)")
      }
      guard members.updateValue(member.value, forKey: member.name) == nil else {
        throw InspectionError.badRequest("\(place) has '\(member.name)' twice")
      }
    }
    if let missing = names.first(where: { members[$0] == nil }) {
      throw InspectionError.badRequest("\(place) has no '\(missing)'")
    }
    self.members = members
    self.place = place
  }

  func value(_ name: String) throws -> JSONNode {
    guard let node = members[name] else {
      throw InspectionError.badRequest("\(place) has no '\(name)'")
    }
    return node
  }

  func optionalString(_ name: String) throws -> String? {
    members[name] == nil ? nil : try string(name)
  }

  func string(_ name: String) throws -> String {
    let node = try value(name)
    guard case .string(let text) = node.content else {
      throw InspectionError.badRequest(
        "'\(name)' of \(place) is \(node.kind), but must be a string")
    }
    return text
  }

  func values(_ name: String) throws -> StoreEdit.Values {
    let node = try value(name)
    guard case .object = node.content else {
      throw InspectionError.badRequest(
        "'\(name)' of \(place) is \(node.kind), but must be an object")
    }
    var writer = JSONWriter()
    writer.append(node)
    return .json(String(decoding: writer.bytes, as: UTF8.self))
  }
}

extension JSONWriter {
  /// Appends a value as it was read. Numbers keep their spelling.
  fileprivate mutating func append(_ node: JSONNode) {
    switch node.content {
    case .null: append(raw: "null")
    case .bool(let bool): append(raw: bool ? "true" : "false")
    case .number(let text): append(raw: text.utf8)
    case .string(let text): append(text)
    case .array(let nodes): append(nodes, "[", "]") { $0.append($1) }
    case .object(let members):
      append(members, "{", "}") { writer, member in
        writer.append(name: member.name)
        writer.append(member.value)
      }
    }
  }
}

extension InspectionError {
  /// - Parameter reason: A clause without a full stop.
  fileprivate static func badRequest(_ reason: String) -> InspectionError {
    InspectionError(
      .badArgument, "Could not understand the request for an edit: \(reason).",
      "Write it as "
        + "{\"mode\":\"preview\",\"operations\":[{\"set\":{\"class\":\"Zone\",\"object\":\"id:17\","
        + "\"values\":{\"latitude\":48.9}}}]}.")
  }
}
