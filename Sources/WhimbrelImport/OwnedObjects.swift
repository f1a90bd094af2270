internal import WhimbrelEngine
internal import WhimbrelInspection

/// The embedded objects of a property of an imported object.
enum OwnedObjects {
  case none
  case one(IncomingReference)
  case many([IncomingReference])
  case named([String: IncomingReference])

  /// Collects the embedded objects of a property's value.
  ///
  /// - Parameter visit: A function that visits an embedded object and returns its reference.
  /// - Throws: ``JSONProblem`` if the value contains anything else, and what `visit` throws.
  init<Value: NestingValue>(
    of value: Value, _ property: CatalogProperty,
    _ visit: (Value.Object) throws -> IncomingReference
  ) throws {
    func problem(_ place: String, _ value: Value) -> JSONProblem {
      let name = PlainText.quoted(property.name)
      return JSONProblem(
        0, "\(name) holds '\(property.type)', embedded objects, but \(place) is \(value.kind)")
    }
    func reference(_ value: Value, _ place: String) throws -> IncomingReference {
      guard case .object(let object) = value.nesting else { throw problem(place, value) }
      return try visit(object)
    }
    switch (property.type, value.nesting) {
    case (_, .null): self = .none
    case (.link, .object(let object)): self = .one(try visit(object))
    case (.list, .array(let elements)), (.set, .array(let elements)):
      self = .many(try elements.map { try reference($0, "an element") })
    case (.map, .object(let map)):
      var references: [String: IncomingReference] = [:]
      for (name, value) in try Value.members(of: map) {
        guard references[name] == nil else {
          throw JSONProblem(0, "\(PlainText.quoted(name)) occurs twice")
        }
        references[name] = try reference(value, "the value of \(PlainText.quoted(name))")
      }
      self = .named(references)
    default: throw problem("the value", value)
    }
  }

  var references: [IncomingReference] {
    switch self {
    case .none: []
    case .one(let reference): [reference]
    case .many(let references): references
    case .named(let references): references.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Returns the value of the property: links to the objects, in the form of
  /// its type.
  func value(
    _ type: PropertyType, _ target: ClassTable, _ links: ObjectMerger.Links
  ) throws -> PropertyValue {
    func link(_ reference: IncomingReference) throws -> PropertyValue {
      .link(try links.object(reference.sourceID, of: target))
    }
    return switch self {
    case .none: type.emptyValue ?? .null
    case .one(let reference): try link(reference)
    case .many(let references): .list(try references.map(link))
    case .named(let references): .map(try references.mapValues(link))
    }
  }
}

/// A value of an import in which objects may be nested.
protocol NestingValue {
  associatedtype Object
  var nesting: Nesting<Self> { get }
  /// The kind of the value for messages, with an article.
  var kind: String { get }
  static func members(of object: Object) throws -> [(name: String, value: Self)]
}

/// The form of a value, as far as it matters for nested objects.
enum Nesting<Value: NestingValue> {
  case null
  case object(Value.Object)
  case array([Value])
  case scalar
}

extension JSONNode: NestingValue {
  var nesting: Nesting<JSONNode> {
    switch content {
    case .null: .null
    case .object(let members): .object(members)
    case .array(let nodes): .array(nodes)
    case .bool, .number, .string: .scalar
    }
  }

  static func members(of object: [Member]) -> [(name: String, value: JSONNode)] {
    object.map { ($0.name, $0.value) }
  }
}

extension RealmNode: NestingValue {
  var nesting: Nesting<RealmNode> {
    switch self {
    case .null: .null
    case .object(let node): .object(node)
    case .array(let nodes): .array(nodes)
    case .bool, .number, .string: .scalar
    }
  }

  static func members(of object: RealmObjectNode) throws -> [(name: String, value: RealmNode)] {
    try object.members()
  }
}
