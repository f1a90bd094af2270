internal import WhimbrelEngine

/// A type of a property that may contain links: an optional or a collection.
private protocol ModelHolder {
  static var heldModel: (any Model.Type)? { get }
}

extension Optional: ModelHolder {
  fileprivate static var heldModel: (any Model.Type)? { Wrapped.self as? any Model.Type }
}

extension StoredList: ModelHolder {
  fileprivate static var heldModel: (any Model.Type)? { Element.self as? any Model.Type }
}

extension StoredSet: ModelHolder {
  fileprivate static var heldModel: (any Model.Type)? { Element.self as? any Model.Type }
}

extension StoredMap: ModelHolder {
  fileprivate static var heldModel: (any Model.Type)? { Value.self as? any Model.Type }
}

extension OldShapes {
  /// Makes the shapes of a frozen declaration and of all models that its links
  /// and inverses reach.
  init(reachableFrom root: any Model.Type) throws {
    var found: [any Model.Type] = []
    var waiting = [root]
    while let type = waiting.popLast() {
      if found.contains(where: { $0 == type }) { continue }
      let schema = type._$schema
      if let other = found.first(where: { $0._$schema.name == schema.name }) {
        throw StoreError.shapeAmbiguous(
          class: schema.name,
          types: [String(reflecting: other), String(reflecting: type)].sorted())
      }
      found.append(type)
      waiting += schema.properties.compactMap { property in
        (property.valueType as? any ModelHolder.Type)?.heldModel
      }
      waiting += schema.inverses.map(\.source)
    }
    self.init(found.map { $0._$schema.classSchema }, modelTypes: ModelRegistry(found))
  }
}
