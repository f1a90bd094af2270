public import WhimbrelEngine

/// A condition on the objects of a model that is built once and used with different values.
///
/// ```swift
/// let byCountry = store.prepare(Zone.self, taking: String.self, Double.self) {
///   zone, code, latitude in
///   zone.country.code == code && zone.latitude > latitude
/// }
/// let norwegian = byCountry("NO", 70)
/// let swedish = byCountry("SE", 65).first
/// ```
///
/// The results are the same as those of `where` with the values in the condition: they are lazy and
/// live, and take further stages. A prepared query saves the time to build the condition and to
/// find its properties.
///
/// A prepared query belongs to the store that made it, like objects and results, and to the same
/// thread, task or actor. It stays valid after every write and refresh, also when another process
/// changes the schema to one that the store can use. If you close a store and open it again, also to
/// migrate the file, prepare the query again.
public struct PreparedQuery<Element: Model, each Parameter: Persistable> {
  @usableFromInline let condition: PreparedCondition

  init(_ condition: PreparedCondition) {
    self.condition = condition
  }

  /// Returns the objects that meet the condition with some values.
  ///
  /// ```swift
  /// let byCode = store.prepare(Country.self, taking: String.self) { $0.code == $1 }
  /// for code in ["NO", "SE"] { print(byCode(code).first?.name ?? "unknown") }
  /// ```
  ///
  /// If a value contains an object that is not in the store, the results are empty, and the next
  /// throwing call rethrows the deferred error.
  ///
  /// - Parameter values: The values of the parameters, in their order.
  /// - Complexity: O(1) until the results are used.
  @inlinable
  public func callAsFunction(_ values: repeat each Parameter) -> Results<Element> {
    var stored: [PropertyValue] = []
    var failure: StoreError?
    repeat stored.append(condition.stored(each values, &failure))
    return Results(condition.objects(with: stored, failure))
  }
}

@available(*, unavailable)
extension PreparedQuery: Sendable {}

extension Store {
  /// Prepares a condition for repeated use with different values.
  ///
  /// ```swift
  /// let near = store.prepare(Zone.self, taking: Double.self) { zone, latitude in
  ///   zone.latitude > latitude - 1 && zone.latitude < latitude + 1
  /// }
  /// print(near(60).count, near(50).count)
  /// ```
  ///
  /// In the closure, the first query value stands for an object, and the others stand for the
  /// values. They can be compared and calculated with, like properties. The closure is called once.
  ///
  /// If no store can answer the condition, for example because a property is not stored, the
  /// results are empty, and the next throwing call rethrows the deferred error.
  ///
  /// - Parameters:
  ///   - type: The model.
  ///   - parameters: The types of the values, such as `String.self`. A value that can be nil, or an
  ///     object that a link leads to, has an optional type: `Country?.self`.
  ///   - isIncluded: A closure that builds the condition: see ``QueryValue``.
  /// - Returns: A query that is called like a function: see
  ///   ``PreparedQuery/callAsFunction(_:)``.
  /// - Complexity: O(1).
  public func prepare<Element: Model, each Parameter: Persistable>(
    _ type: Element.Type, taking parameters: repeat (each Parameter).Type,
    where isIncluded: (QueryValue<Element>, repeat QueryValue<each Parameter>) -> QueryValue<Bool>
  ) -> PreparedQuery<Element, repeat each Parameter> {
    session.stopUnlessListed(type)
    let object = QueryValue<Element>(of: session)
    let scope = object.part.scope
    var count = 0
    let condition = isIncluded(object, repeat scope.parameter(each parameters, &count))
    return PreparedQuery(PreparedCondition(session, scope, condition.part.condition))
  }
}

extension QueryScope {
  /// Returns the query value of the next parameter.
  fileprivate func parameter<Value: Persistable>(
    _ type: Value.Type, _ count: inout Int
  ) -> QueryValue<Value> {
    let parameter = QueryParameter(count, type.propertyType)
    count += 1
    return QueryValue(
      QueryPart(scope: self, content: .value(.parameter(parameter)), subject: .nothing))
  }
}

// MARK: - Running

/// The condition of a ``PreparedQuery``, bound to the properties of the catalog.
@usableFromInline
final class PreparedCondition {
  let session: Session
  /// The request with its parameters.
  let request: QueryRequest
  private let scope: QueryScope
  private let failure: (any Error)?
  private var known: QueryTemplate?

  init(_ session: Session, _ scope: QueryScope, _ condition: QueryCondition) {
    self.session = session
    self.scope = scope
    request = QueryRequest(scope.className, [.filter(condition)])
    do {
      try scope.throwFailure()
      failure = nil
    } catch {
      failure = error
    }
  }

  /// Returns a value as a stored value. If it contains an object that is not in the store, records
  /// the failure.
  @inlinable
  func stored(_ value: some Persistable, _ failure: inout StoreError?) -> PropertyValue {
    let stored = value.propertyValue
    return stored.isPlain ? stored : storedObject(value, &failure)
  }

  @usableFromInline
  func storedObject(_ value: some Persistable, _ failure: inout StoreError?) -> PropertyValue {
    do {
      return try scope.stored(value)
    } catch {
      failure = failure ?? error
      return .null
    }
  }

  @usableFromInline
  func objects(with values: [PropertyValue], _ error: StoreError?) -> ObjectList {
    ObjectList(self, values, failure: failure ?? error)
  }

  /// Returns the request, bound to the current catalog.
  ///
  /// - Throws: ``StoreError`` if a property does not exist, or if types do not match.
  func template() throws -> QueryTemplate {
    if let known, known.isCurrent { return known }
    let template = try QueryTemplate(request, in: session)
    known = template
    return template
  }
}
