public import Foundation
internal import WhimbrelEngine

/// A collection of objects that can be queried: ``Results``, and the lists, sets and inverses of
/// managed objects.
///
/// ```swift
/// let country = store.object(ofType: Country.self, forPrimaryKey: "NO")
/// let far = country?.zones.sorted(by: \.latitude, ascending: false).limit(3)
/// ```
///
/// Each stage works on the objects of the previous stage. A limit before a sort takes the first
/// objects of the unsorted ones; a limit after a sort takes the first objects of the sorted ones.
public protocol QueryableObjects<Element>: LiveElements where Element: Model {
  /// The objects as results.
  var results: Results<Element> { get }
}

extension QueryableObjects {
  /// Returns the objects that meet a condition.
  ///
  /// ```swift
  /// let far = country.zones.where { $0.latitude > 60 }
  /// ```
  ///
  /// - Parameter isIncluded: A closure that builds the condition from the query value of an object:
  ///   see ``QueryValue``.
  /// - Complexity: O(1).
  public func `where`(_ isIncluded: (QueryValue<Element>) -> QueryValue<Bool>) -> Results<Element> {
    results.where(isIncluded)
  }

  /// Returns the objects that match a predicate: see ``Results/where(_:)-(Predicate<Element>)``.
  ///
  /// - Throws: ``StoreError`` with `untranslatablePredicate`, `queryMismatch` or `invalidQuery`.
  /// - Complexity: O(1).
  public func `where`(_ predicate: Predicate<Element>) throws -> Results<Element> {
    try results.where(predicate)
  }

  /// Returns the objects that match a query in text. The query may also sort and limit them.
  ///
  /// ```swift
  /// let zones = try store.objects(Zone.self)
  ///   .where("latitude > $0 AND country.name BEGINSWITH 'N' SORT(identifier ASC)", 60.0)
  /// ```
  ///
  /// - Parameters:
  ///   - text: The query.
  ///   - arguments: The values of `$0`, `$1` and so on, or of `%@`: values that properties may
  ///     have, objects of this store, nil, and arrays of these.
  /// - Throws: ``StoreError`` with `invalidQuery` if the text is not a valid query, names something
  ///   that does not exist, or has an argument that a query cannot use. Its
  ///   ``StoreError/underlying`` error has the position in the text. With `queryMismatch` if the
  ///   types do not match.
  /// - Complexity: O(1) plus the length of the text, until the results are used.
  public func `where`(_ text: String, _ arguments: Any?...) throws -> Results<Element> {
    Results(try results.base.appending(text, arguments))
  }

  /// Returns the first objects of these.
  ///
  /// ```swift
  /// let northernmost = store.objects(Zone.self).sorted(by: \.latitude, ascending: false)
  ///   .limit(10)
  /// ```
  ///
  /// The returned objects are live. `prefix(_:)`, by contrast, takes the first objects at the time
  /// of the call.
  ///
  /// - Parameter count: The limit. A negative limit returns no objects.
  /// - Complexity: O(1). Finding the first *k* objects of a sort takes memory for *k* objects.
  public func limit(_ count: Int) -> Results<Element> {
    results.appending(.limit(Swift.max(count, 0)))
  }

  /// Returns these objects without the first ones.
  ///
  /// ```swift
  /// let secondPage = store.objects(Zone.self).sorted(by: \.identifier).offset(20).limit(20)
  /// ```
  ///
  /// - Parameter count: The number of objects to skip. A negative number skips none.
  /// - Complexity: O(1).
  public func offset(_ count: Int) -> Results<Element> {
    results.appending(.offset(Swift.max(count, 0)))
  }

  /// Returns the objects in sections, grouped by a value of each object.
  ///
  /// ```swift
  /// for section in store.objects(Zone.self).sorted(by: \.identifier).sectioned(by: \.area) {
  ///   print(section.key)
  ///   for zone in section { print("  \(zone.identifier)") }
  /// }
  /// ```
  ///
  /// The sections are in the order of their first objects, and each section keeps the order of its
  /// objects. To order the sections by their value, sort the objects by that value first. The
  /// sections are live, and are computed when they are first used. Values that do not equal
  /// themselves, such as NaN, are one section.
  ///
  /// - Parameter key: A key path or a closure that returns the value of an object. It must return
  ///   the same value for the same object, and must not change anything.
  /// - Complexity: O(1). The first use visits each object once.
  public func sectioned<Key: Hashable>(
    by key: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    SectionedResults(Sections(results.base, key))
  }

  /// Returns the objects in sections, grouped by the value at the end of a key path.
  ///
  /// ```swift
  /// for section in zones.sectioned(by: \.area) { print(section.key, section.count) }
  /// ```
  ///
  /// In everything else this method behaves as the one with a closure. Observed sections of a stored
  /// property are followed object by object.
  ///
  /// - Parameter keyPath: The key path.
  /// - Complexity: O(1). The first use visits each object once.
  public func sectioned<Key: Hashable>(
    by keyPath: KeyPath<Element, Key>
  ) -> SectionedResults<Key, Element> {
    SectionedResults(
      Sections(
        results.base, { $0[keyPath: keyPath] }, property: Element._$schema.name(of: keyPath)))
  }
}

// MARK: - Changing

extension QueryableObjects {
  /// Calls a closure with each of these objects, to change it.
  ///
  /// ```swift
  /// try store.write {
  ///   try store.objects(Zone.self).where { $0.area == .arctic }.update { $0.isFar = true }
  /// }
  /// ```
  ///
  /// The objects that exist at the start are visited once each, even if the changes alter the
  /// results.
  ///
  /// - Parameter body: The closure.
  /// - Throws: ``StoreError`` with `notInWrite`, the error of `body`, and errors that occurred
  ///   while reading or writing.
  /// - Complexity: O(*n*), plus the cost of finding the objects.
  public func update(_ body: (Element) throws -> Void) throws {
    let results = results
    let session = results.base.session
    _ = try session.requireWriting("change '\(results.base.className)'")
    try session.throwingDeferred { for object in results { try body(object) } }
  }

  /// Sets a property of each of these objects by its name.
  ///
  /// - Throws: ``StoreError`` as `setValue(_:forKey:)` of an object. The objects before the failing
  ///   one then keep the new value.
  public func setValue(_ value: Any?, forKey key: String) throws {
    try update { try $0.setValue(value, forKey: key) }
  }
}
