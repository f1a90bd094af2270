internal import WhimbrelInspection

/// A value of an export of Realm Studio.
indirect enum RealmNode {
  case null
  case bool(Bool)
  /// With its spelling.
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

/// An object of an export, a map, or what stands for a value that JSON has not.
struct RealmObjectNode {
  /// What says that two are one, or nil where nothing does.
  let identity: Identity?
  /// Whether this only names an object that stands elsewhere.
  let isReference: Bool
  private let contents: Contents

  enum Identity: Hashable {
    /// The text of `$refId`: `Zone#17`.
    case reference(String)
    /// The place in a flatted document.
    case index(Int)
  }

  /// A member.
  typealias Member = (name: String, value: RealmNode)

  private enum Contents {
    case members([Member])
    /// Read when it is looked into: objects may form circles.
    case element(FlattedElements, Int)
  }

  /// An object that stands where it is used.
  init(_ identity: Identity?, isReference: Bool = false, _ members: [Member]) {
    self.identity = identity
    self.isReference = isReference
    contents = .members(members)
  }

  /// An element of a flatted document.
  init(_ elements: FlattedElements, at index: Int) {
    identity = .index(index)
    isReference = false
    contents = .element(elements, index)
  }

  /// The members, in the order of the file.
  func members() throws -> [Member] {
    switch contents {
    case .members(let members): members
    case .element(let elements, let index): try elements.members(of: index)
    }
  }

  /// The member with a name, or nil.
  func member(_ name: String) throws -> RealmNode? {
    switch contents {
    case .members(let members): members.first { $0.name == name }?.value
    case .element(let elements, let index): try elements.member(name, of: index)
    }
  }

  /// The text behind the class in `$refId`: a primary key, or what Realm calls the object.
  var referenceKey: String? {
    guard case .reference(let text) = identity,
      let mark = text.utf8.firstIndex(of: UInt8(ascii: "#"))
    else {
      return nil
    }
    return String(text[text.utf8.index(after: mark)...])
  }

  /// The class in `$refId`.
  var referenceClass: String? {
    guard case .reference(let text) = identity,
      let mark = text.utf8.firstIndex(of: UInt8(ascii: "#"))
    else {
      return nil
    }
    return String(text[..<mark])
  }
}

extension RealmNode {
  /// A value that stands where it is used, as Realm Studio 3 to 11 write it.
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
