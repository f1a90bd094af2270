internal import WhimbrelEngine

extension QueryScope {
  /// Returns a value as a stored value. Throws if the value contains an object that is not in the
  /// store.
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

  /// Returns a link to an object. Throws if the object is not in the store.
  func link(to object: any Model) throws(StoreError) -> PropertyValue {
    try requireObject(object)
    let row = object._$row
    // Another class may have the name of its class now, with an object that has its ID.
    if let table = row.table, let owner = row.session, owner.current(table) == nil {
      return .object(ObjectReference(classID: table.resolved.id, id: row.id))
    }
    return .link(row.id)
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
  func constant(_ value: some Persistable) -> QueryExpression { .constant(stored(value)) }

  /// Returns a value as a stored value. If it contains an object that is not in the store, the
  /// query fails.
  func stored(_ value: some Persistable) -> PropertyValue {
    do {
      return try scope.stored(value)
    } catch {
      scope.fail(error)
      return .null
    }
  }

  /// Returns an element of a collection as a stored value.
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
  /// Whether the Swift value of this stored value cannot contain an object. Checking this is faster
  /// than casting the Swift value.
  @inlinable var isPlain: Bool {
    switch self {
    case .null, .link, .object, .list, .map: false
    default: true
    }
  }
}
