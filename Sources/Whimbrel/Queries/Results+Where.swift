public import Foundation
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
  /// makes is evaluated by the store, without making objects: see ``QueryValue``.
  ///
  /// A condition that no store can answer, as of a property that is not stored, finds nothing,
  /// and the next call that can throw says why; in a write, the write fails.
  ///
  /// - Parameter isIncluded: makes the condition of the query of an object.
  /// - Complexity: O(1) until the results are used.
  public func `where`(_ isIncluded: (QueryValue<Element>) -> QueryValue<Bool>) -> Results {
    appending { .filter(try QueryValue.condition(base.session, isIncluded)) }
  }

  /// The objects for which a predicate holds.
  ///
  /// ```swift
  /// let northern = try store.objects(Zone.self).where(#Predicate<Zone> { zone in
  ///   zone.latitude > 60 && zone.identifier.starts(with: "Europe/")
  /// })
  /// ```
  ///
  /// The predicate is translated to the condition that a typed ``QueryValue`` makes, so that indexes
  /// are used and no objects are made. (Foundation's `filter(_:)` goes through all objects.)
  ///
  /// Comparisons, `&&`, `||`, `!`, `? :`, arithmetic but `%`, ranges, `?.`, `!`, `??` and
  /// `if let` are translated; `contains`, `starts(with:)` and `isEmpty` of text; `count`,
  /// `isEmpty`, `contains`, `contains(where:)`, `allSatisfy`, `filter`, `min()` and `max()`
  /// of collections; `contains` of constant ones; and raw values of enums. Text is compared
  /// by its UTF-8. Unwrapping nil with `!` is no error: what is made of nil is nil.
  ///
  /// - Throws: ``StoreError`` with `untranslatablePredicate` where a part has no counterpart,
  ///   with `invalidQuery` where a key path is none of a stored property.
  /// - Complexity: O(1) until the results are used.
  public func `where`(_ predicate: Predicate<Element>) throws -> Results {
    let scope = QueryScope(session: base.session, model: Element.self)
    return appending(.filter(try PredicateTranslation.condition(of: predicate, scope)))
  }
}
