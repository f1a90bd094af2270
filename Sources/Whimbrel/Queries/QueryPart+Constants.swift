internal import WhimbrelEngine

extension QueryPart {
  /// A value to compare with, as it is stored.
  func constant(_ value: some Persistable) -> QueryExpression { .constant(stored(value)) }

  /// A value as it is stored. Objects have to be in the store.
  func stored(_ value: some Persistable) -> PropertyValue {
    if let any = value as? AnyValue {
      requireObjects(in: any)
    } else if let object = value as? any Model {
      return link(to: object)
    }
    return value.propertyValue
  }

  /// An element of a collection as it is stored.
  func stored(element: some CollectionElement) -> PropertyValue {
    if let any = element as? AnyValue { return stored(any) }
    return element._$object.map { link(to: $0) } ?? element._$plainValue
  }

  private func link(to object: any Model) -> PropertyValue {
    requireObject(object)
    return .link(object._$row.id)
  }

  private func requireObjects(in value: AnyValue) {
    switch value {
    case .object(let object): requireObject(object)
    case .list(let values): values.forEach(requireObjects)
    case .map(let values): values.values.forEach(requireObjects)
    default: break
    }
  }

  private func requireObject(_ object: any Model) {
    let isManaged = object.isManaged
    let isForeign =
      scope.session.map { $0.file.environment !== object._$row.session?.file.environment } ?? false
    guard !isManaged || isForeign else { return }
    scope.stop(
      StoreError.foreignObject(
        class: scope.className, of: type(of: object)._$schema.name, isManaged: isManaged))
  }
}
