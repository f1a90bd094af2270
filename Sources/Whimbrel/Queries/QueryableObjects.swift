public import Foundation
internal import WhimbrelEngine

/// Objects that queries can be made of: ``Results``, and the lists, sets and inverses of
/// the objects of a store.
///
/// ```swift
/// let country = store.object(ofType: Country.self, forPrimaryKey: "NO")
/// let far = country?.zones.sorted(by: \.latitude, ascending: false).limit(3)
/// ```
///
/// Each stage gives new results of what the stage before lets through: a limit before a
/// sort takes the first objects as they were, one behind it the first of the sorted.
public protocol QueryableObjects<Element>: LiveObjects where Element: Model {
  /// The objects as results.
  var results: Results<Element> { get }
}

extension QueryableObjects {
  /// The objects that meet a condition.
  ///
  /// ```swift
  /// let far = country.zones.where { $0.latitude > 60 }
  /// ```
  ///
  /// - Parameter isIncluded: makes the condition of the query of an object: see ``QueryValue``.
  /// - Complexity: O(1).
  public func `where`(_ isIncluded: (QueryValue<Element>) -> QueryValue<Bool>) -> Results<Element> {
    results.where(isIncluded)
  }

  /// The objects for which a predicate holds: see ``Results/where(_:)-(Predicate<Element>)``.
  ///
  /// - Throws: ``StoreError`` with `untranslatablePredicate` or `invalidQuery`.
  /// - Complexity: O(1).
  public func `where`(_ predicate: Predicate<Element>) throws -> Results<Element> {
    try results.where(predicate)
  }

  /// The objects that a query in text is met by, and what else it says: an order, a
  /// limit.
  ///
  /// ```swift
  /// let zones = try store.objects(Zone.self)
  ///   .where("latitude > $0 AND country.name BEGINSWITH 'N' SORT(identifier ASC)", 60.0)
  /// ```
  ///
  /// - Parameters:
  ///   - text: the query.
  ///   - arguments: the values of `$0`, `$1` … or `%@`: what properties may have, objects
  ///     of this store, nil, and arrays of them.
  /// - Throws: ``StoreError`` with `invalidQuery` when the text is no query, names what is
  ///   not there, or an argument is nothing that a query can have; its
  ///   ``StoreError/underlying`` error has the place in the text. With `queryMismatch` when
  ///   the types do not fit.
  /// - Complexity: O(1), beside the length of the text, until the results are used.
  public func `where`(_ text: String, _ arguments: Any?...) throws -> Results<Element> {
    Results(try results.base.appending(text, arguments))
  }

  /// The first objects of these.
  ///
  /// ```swift
  /// let northernmost = store.objects(Zone.self).sorted(by: \.latitude, ascending: false)
  ///   .limit(10)
  /// ```
  ///
  /// They are live: as `prefix(_:)`, which takes those of the moment, is not.
  ///
  /// - Parameter count: how many at most; none when it is negative.
  /// - Complexity: O(1). To find the first *k* of a sort takes memory for *k* objects.
  public func limit(_ count: Int) -> Results<Element> {
    results.appending(.limit(Swift.max(count, 0)))
  }

  /// The objects of these but the first.
  ///
  /// ```swift
  /// let secondPage = store.objects(Zone.self).sorted(by: \.identifier).offset(20).limit(20)
  /// ```
  ///
  /// - Parameter count: how many are left out; none when it is negative.
  /// - Complexity: O(1).
  public func offset(_ count: Int) -> Results<Element> {
    results.appending(.offset(Swift.max(count, 0)))
  }

  /// The objects in groups, by a value of each.
  ///
  /// ```swift
  /// for section in store.objects(Zone.self).sorted(by: \.identifier).sectioned(by: \.area) {
  ///   print(section.key)
  ///   for zone in section { print("  \(zone.identifier)") }
  /// }
  /// ```
  ///
  /// The sections come in the order of their first objects, and the objects of each in
  /// the order that they have here: sort them by the same value first to get the sections
  /// in its order. They are live, and are made when they are first asked for.
  ///
  /// - Parameter key: gives the value of an object, as a key path or a closure; it must
  ///   give the same for the same object, and change nothing.
  public func sectioned<Key: Hashable>(
    by key: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    SectionedResults(Sections(results.base, key))
  }
}

// MARK: - Changing

extension QueryableObjects {
  /// Changes each of these objects.
  ///
  /// ```swift
  /// try store.write {
  ///   try store.objects(Zone.self).where { $0.area == .arctic }.update { $0.isFar = true }
  /// }
  /// ```
  ///
  /// Those are visited that there are when it begins, each once, whatever the changes
  /// make of the results.
  ///
  /// - Throws: ``StoreError`` with `notInWrite`, what `body` throws, and what could not be
  ///   read or written.
  /// - Complexity: O(*n*), and what it takes to find them.
  public func update(_ body: (Element) throws -> Void) throws {
    let results = results
    let session = results.base.session
    _ = try session.requireWriting("change '\(results.base.request.className)'")
    try session.throwingDeferred { for object in results { try body(object) } }
  }

  /// Sets a property of each of these objects by its name.
  ///
  /// - Throws: ``StoreError`` as `setValue(_:forKey:)` of an object. The objects before the
  ///   one that could not be set are set then.
  public func setValue(_ value: Any?, forKey key: String) throws {
    try update { try $0.setValue(value, forKey: key) }
  }
}
