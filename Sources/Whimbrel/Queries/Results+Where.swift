public import Foundation
internal import WhimbrelEngine

extension Results {
  /// Returns the objects that meet a condition.
  ///
  /// ```swift
  /// let northern = store.objects(Zone.self).where {
  ///   $0.latitude > 60 && $0.identifier.starts(with: "Europe/")
  /// }
  /// ```
  ///
  /// The new results are lazy and live, like these. The closure is called once and builds a
  /// condition. The store evaluates the condition without making objects: see ``QueryValue``.
  ///
  /// If no store can answer the condition, for example because a property is not stored, the
  /// results are empty, and the next throwing call rethrows the deferred error. In a write, the
  /// write fails.
  ///
  /// - Parameter isIncluded: A closure that builds the condition from the query value of an object.
  /// - Complexity: O(1) until the results are used.
  public func `where`(_ isIncluded: (QueryValue<Element>) -> QueryValue<Bool>) -> Results {
    appending { .filter(try QueryValue.condition(base.session, isIncluded)) }
  }

  /// Returns the objects that match a predicate.
  ///
  /// ```swift
  /// let northern = try store.objects(Zone.self).where(#Predicate<Zone> { zone in
  ///   zone.latitude > 60 && zone.identifier.starts(with: "Europe/")
  /// })
  /// ```
  ///
  /// The predicate is translated to the same condition that a typed ``QueryValue`` builds. The
  /// query therefore uses indexes and makes no objects. (Foundation's `filter(_:)` visits all
  /// objects.)
  ///
  /// These parts of a predicate are translated:
  ///
  /// - comparisons, `&&`, `||`, `!`, `? :`, arithmetic except `%`, ranges, `?.`, `!`, `??` and `if
  ///   let`;
  /// - `contains`, `starts(with:)` and `isEmpty` of text, which compare its UTF-8;
  /// - `count`, `isEmpty`, `contains`, `contains(where:)`, `allSatisfy`, `filter`, `min()` and
  ///   `max()` of collections;
  /// - `contains` of constant collections;
  /// - raw values of enums.
  ///
  /// A predicate captures values that are `Codable` and `Sendable`, such as the cases of a
  /// ``PersistableEnum``. It cannot capture an object: compare its primary key instead, as in
  /// `zone.country?.code == code`.
  ///
  /// Unwrapping nil with `!` is not an error: the result is nil. Values of ``CustomPersistable`` types
  /// are compared as they are stored. Numbers in ``AnyValue`` properties are equal if they have the
  /// same value, also if their kinds differ, and NaN equals nothing: Swift's `==` of ``AnyValue``
  /// compares kinds, too. An order of enum cases is translated if the raw values have the same
  /// order.
  ///
  /// - Throws: ``StoreError`` with `untranslatablePredicate` if a part cannot be translated, with
  ///   `queryMismatch` if the store cannot compare or calculate its values, and with `invalidQuery`
  ///   if a key path does not lead to a stored property.
  /// - Complexity: O(1) until the results are used.
  public func `where`(_ predicate: Predicate<Element>) throws -> Results {
    let scope = QueryScope(session: base.session, model: Element.self)
    let condition = try PredicateTranslation.condition(of: predicate, scope)
    return Results(try base.appendingChecked([.filter(condition)]))
  }
}
