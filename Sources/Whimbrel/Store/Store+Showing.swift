internal import WhimbrelEngine

/// The link from a session, and thus from its objects, to its store.
final class StoreOrigin {
  let configuration: Store.Configuration
  weak var store: Store?

  init(_ store: Store) {
    configuration = store.configuration
    self.store = store
  }
}

extension Store {
  /// Returns the store of a session. Makes it again if it has been deallocated. Returns nil for the
  /// session of a migration.
  static func showing(_ session: Session) -> Store? {
    guard let origin = session.origin as? StoreOrigin else { return nil }
    if let store = origin.store { return store }
    let store = Store(origin.configuration, session)
    origin.store = store
    return store
  }
}

extension Model {
  /// The store that the object was read from or added to. It is nil for an unmanaged object, and in
  /// a migration.
  ///
  /// ```swift
  /// try zone.store?.write { zone.comments = "the capital" }
  /// ```
  ///
  /// An object keeps its store open, so this property has a value even if nothing else references
  /// the store.
  public var store: Store? { _$row.session.flatMap(Store.showing) }
}
