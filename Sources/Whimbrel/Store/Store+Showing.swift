internal import WhimbrelEngine

/// Where the objects of a session find their store.
final class StoreOrigin {
  let configuration: Store.Configuration
  weak var store: Store?

  init(_ store: Store) {
    configuration = store.configuration
    self.store = store
  }
}

extension Store {
  /// The store that a session is of, made again when nobody holds it any more; nil for a
  /// migration's.
  static func showing(_ session: Session) -> Store? {
    guard let origin = session.origin as? StoreOrigin else { return nil }
    if let store = origin.store { return store }
    let store = Store(origin.configuration, session)
    origin.store = store
    return store
  }
}

extension Model {
  /// The store that the object was read from, or added to; nil when it is in no store, and in a
  /// migration.
  ///
  /// ```swift
  /// try zone.store?.write { zone.comments = "the capital" }
  /// ```
  ///
  /// An object keeps its store open: there is one even when nobody else holds it.
  public var store: Store? { _$row.session.flatMap(Store.showing) }
}
