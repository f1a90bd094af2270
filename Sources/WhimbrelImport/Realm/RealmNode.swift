internal import WhimbrelInspection

enum RealmNode {
  case null
  case bool(Bool)
  /// The number as it is spelled in the file.
  case number(String)
  case string(String)
  case array([RealmNode])
  case object(RealmObjectNode)

  /// The name of the kind of value, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// An object of an export, a map, or a stand-in for a value that JSON cannot express.
final class RealmObjectNode {
  /// The identity of the object; two nodes with the same identity are the same object. Nil if the
  /// export gives none.
  let identity: Identity?
  /// Whether this only refers to an object that is written elsewhere.
  let isReference: Bool
  private let contents: Contents

  enum Identity: Hashable {
    /// The text of `$refId`, like `Zone#17`.
    case reference(String)
    /// The index in a flatted document.
    case index(Int)
  }

  typealias Member = (name: String, value: RealmNode)

  private enum Contents {
    case members([Member])
    /// An element that is read on access, because objects may form cycles.
    case element(FlattedElements, Int)
  }

  /// Makes an object that is written in full.
  init(_ identity: Identity?, isReference: Bool = false, _ members: [Member]) {
    self.identity = identity
    self.isReference = isReference
    contents = .members(members)
  }

  /// Makes an object from an element of a flatted document.
  init(_ elements: FlattedElements, at index: Int) {
    identity = .index(index)
    isReference = false
    contents = .element(elements, index)
  }

  /// Returns the members, in the order of the file.
  func members() throws -> [Member] {
    switch contents {
    case .members(let members): members
    case .element(let elements, let index): try elements.members(of: index)
    }
  }

  func member(_ name: String) throws -> RealmNode? {
    switch contents {
    case .members(let members): members.first { $0.name == name }?.value
    case .element(let elements, let index): try elements.member(name, of: index)
    }
  }

  /// The text after the class in `$refId`: a primary key, or Realm's own key of the object.
  var referenceKey: String? {
    reference.map { String($0.text[$0.text.utf8.index(after: $0.mark)...]) }
  }

  var referenceClass: String? {
    reference.map { String($0.text[..<$0.mark]) }
  }

  /// The text of a reference, and the place of the mark between class and key.
  private var reference: (text: String, mark: String.Index)? {
    guard case .reference(let text) = identity else { return nil }
    return text.utf8.firstIndex(of: UInt8(ascii: "#")).map { (text, $0) }
  }
}

extension RealmNode {
  /// Makes a value that is written in full, as Realm Studio 3 to 11 write it.
  init(nested node: JSONNode) {
    switch node.content {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .number(let text): self = .number(text)
    case .string(let text): self = .string(text)
    case .array(let nodes): self = .array(nodes.map(RealmNode.init(nested:)))
    case .object(let members):
      if members.count == 1, members[0].name == "$ref",
        case .string(let text) = members[0].value.content
      {
        self = .object(RealmObjectNode(.reference(text), isReference: true, []))
        return
      }
      var identity: RealmObjectNode.Identity?
      if case .string(let text)? = members.first(where: { $0.name == "$refId" })?.value.content {
        identity = .reference(text)
      }
      let values = members.filter { $0.name != "$refId" }
        .map { (name: $0.name, value: RealmNode(nested: $0.value)) }
      self = .object(RealmObjectNode(identity, values))
    }
  }
}
