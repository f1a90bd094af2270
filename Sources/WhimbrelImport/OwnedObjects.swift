internal import WhimbrelEngine
internal import WhimbrelInspection

/// The embedded objects of a property of an imported object.
enum OwnedObjects {
  case none
  case one(IncomingReference)
  case many([IncomingReference])
  case named([String: IncomingReference])

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
