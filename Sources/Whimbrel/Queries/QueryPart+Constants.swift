internal import WhimbrelEngine

extension QueryScope {
  /// A value as it is stored. Objects have to be in the store.
  func stored(_ value: some Persistable) throws(StoreError) -> PropertyValue {
    let stored = value.propertyValue
    if stored.isPlain { return stored }
    if let any = value as? AnyValue {
      try requireObjects(in: any)
    } else if let object = value as? any Model {
      return try link(to: object)
    }
    return stored
  }

  /// A link to an object, which has to be in the store.
  func link(to object: any Model) throws(StoreError) -> PropertyValue {
    try requireObject(object)
    return .link(object._$row.id)
  }

  private func requireObjects(in value: AnyValue) throws(StoreError) {
    switch value {
    case .object(let object): try requireObject(object)
    case .list(let values): for value in values { try requireObjects(in: value) }
    case .map(let values): for value in values.values { try requireObjects(in: value) }
    default: break
    }
  }

  private func requireObject(_ object: any Model) throws(StoreError) {
    let isManaged = object.isManaged
    let isForeign =
      session.map { !$0.file.isSame(as: object._$row.session?.file) } ?? false
    guard !isManaged || isForeign else { return }
    throw StoreError.foreignObject(
      class: className, of: type(of: object)._$schema.name, isManaged: isManaged)
  }
}

extension QueryPart {
  /// A value to compare with, as it is stored.
  func constant(_ value: some Persistable) -> QueryExpression { .constant(stored(value)) }

  /// A value as it is stored. An object that is not in the store makes the query fail.
  func stored(_ value: some Persistable) -> PropertyValue {
    do {
      return try scope.stored(value)
    } catch {
      scope.fail(error)
      return .null
    }
  }

  /// An element of a collection as it is stored.
  func stored(element: some CollectionElement) -> PropertyValue {
    if let any = element as? AnyValue { return stored(any) }
    guard let object = element._$object else { return element._$plainValue }
    do {
      return try scope.link(to: object)
    } catch {
      scope.fail(error)
      return .null
    }
  }
}

extension PropertyValue {
  /// Whether there can be no object in the value that this was made of. To ask the value
  /// itself takes longer.
  fileprivate var isPlain: Bool {
    switch self {
    case .null, .link, .object, .list, .map: false
    default: true
    }
  }
}
