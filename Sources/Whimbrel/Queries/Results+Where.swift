internal import WhimbrelEngine

extension Results {
  /// The objects that meet a condition.
  ///
  /// ```swift
  /// let northern = store.objects(Zone.self).where {
  ///   $0.latitude > 60 && $0.identifier.starts(with: "Europe/")
  /// }
  /// ```
  ///
  /// The results are lazy and live as those here are. The closure is called once, and what it
  /// makes is evaluated by the store, without making objects: see ``Query``.
  ///
  /// - Parameter isIncluded: makes the condition of the query of an object.
  /// - Complexity: O(1) until the results are used.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results {
    appending(.filter(isIncluded(Query(of: base.session)).part.condition))
  }
}
