internal import WhimbrelEngine

extension QueryableObjects {
  /// Calls a closure with these objects, and again with each change of them, until the token is
  /// invalidated or released.
  ///
  /// ```swift
  /// let token = store.objects(Zone.self).sorted(by: \.identifier).observe { change in
  ///   switch change {
  ///   case .initial(let zones): print("\(zones.count) zones")
  ///   case .update(let zones, let update): print("\(zones.count) zones: \(update)")
  ///   case .error(let error): print(error)
  ///   }
  /// }
  /// ```
  ///
  /// The first call, with `.initial`, comes before this method returns. A change of this store is
  /// told after it is committed and before the write returns. It is not told inside of the write, and
  /// not at all if it is rolled back. In an actor, and on the main actor, the store follows the
  /// commits of other stores and processes by itself. Elsewhere it follows them in
  /// ``Store/refresh()``, ``Store/write(_:)-(()->Result)`` and ``Store/waitForChanges(timeout:)``.
  ///
  /// All observers of a store are told of one state, then of the next. The closure may read and
  /// write. It is not called while it runs: what it writes is told to it afterwards. What commits of
  /// others mean is worked out on a thread of the library, and the store shows them afterwards.
  ///
  /// An object counts as modified if one of its own properties has another value, or a value of
  /// another object that the query reads. See ``observe(keyPaths:isolation:_:)`` for others.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller, which calls the closure. Leave it out.
  ///   - body: The closure.
  /// - Returns: A token. The closure is not called any more when it is released.
  /// - Complexity: The cost of running the query, and 8 to 12 bytes for each object. A change then
  ///   costs O(*k* log *n*) for *k* changed objects, if the query consists of conditions, one sort,
  ///   an offset and a limit. After any other query, and for many changes, the query runs again.
  public func observe(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping (CollectionChange<Element>) -> Void
  ) -> ObservationToken {
    results.base.observe(nil, isolation: isolation, body)
  }

  /// Calls a closure with these objects, and again with each change of them. Only the values at the
  /// end of some key paths make an object a modified one.
  ///
  /// ```swift
  /// let token = zones.observe(keyPaths: \.comments, \.country.name) { change in
  ///   if case .update(_, let update) = change { print(update.modifications) }
  /// }
  /// ```
  ///
  /// Objects that come, go or move are told in any case, and also objects with a link on the way that
  /// leads to another object. Each observer has its own key paths.
  ///
  /// - Parameters:
  ///   - keyPaths: Properties, or paths to them through links, written as if the links were never
  ///     nil.
  ///   - isolation: The actor of the caller, which calls the closure. Leave it out.
  ///   - body: The closure.
  /// - Returns: A token, as ``observe(isolation:_:)``.
  public func observe<each Path: ObservablePath>(
    keyPaths: repeat KeyPath<ObjectPath<Element>, each Path>,
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping (CollectionChange<Element>) -> Void
  ) -> ObservationToken {
    do {
      let paths = try ObjectPath.observed(repeat each keyPaths)
      return results.base.observe(paths, isolation: isolation, body)
    } catch {
      return results.base.failing(error).observe(nil, isolation: isolation, body)
    }
  }

  /// The changes of these objects, for one `for await` loop.
  ///
  /// ```swift
  /// for await change in zones.changes {
  ///   if case .update(_, let update) = change { print(update) }
  /// }
  /// ```
  ///
  /// The loop gets what the closure of ``observe(isolation:_:)`` gets, on its own actor. If it is
  /// slower than the changes, it gets one change for all that it missed. It ends with an error, and
  /// when its task is cancelled.
  public var changes: CollectionChanges<Element> { CollectionChanges(results) }
}

/// The end of a key path that can be observed: a property, or an object.
@_documentation(visibility: internal)
public protocol ObservablePath {
  /// The steps of the path. For use by the library.
  var _$steps: PathSteps { get }
}

extension ObjectPath: ObservablePath {}
extension PropertyPath: ObservablePath {}

extension ObjectPath {
  /// Returns the query paths of key paths.
  ///
  /// - Throws: ``StoreError`` with `invalidQuery` if a property is not stored.
  static func observed<each Path: ObservablePath>(
    _ keyPaths: repeat KeyPath<ObjectPath, each Path>
  ) throws -> [QueryPath] {
    var paths: [QueryPath] = []
    for keyPath in repeat each keyPaths {
      paths.append(try ObjectPath()[keyPath: keyPath]._$steps.queryPath())
    }
    return paths
  }
}

extension ObjectList {
  func observe<Element: Model>(
    _ paths: [QueryPath]?, isolation: isolated (any Actor)?,
    _ body: @escaping (CollectionChange<Element>) -> Void
  ) -> ObservationToken {
    session.observe(observer(paths, body), isolation: isolation)
  }

  /// Returns an observer of these objects.
  ///
  /// It does not keep the session: otherwise the session would keep itself.
  func observer<Element: Model>(
    _ paths: [QueryPath]?, _ tell: @escaping (CollectionChange<Element>) -> Void
  ) -> StoreObserver {
    let request = request
    weak let weakSession = session
    if let failure { return FailingObserver(failure) { tell(.error($0)) } }
    return OrderObserver(request, reporting: paths) { news in
      guard let session = weakSession else { return }
      switch news {
      case .initial: tell(.initial(Results(ObjectList(session, request))))
      case .change(let change):
        tell(
          .update(Results(ObjectList(session, request)), CollectionUpdate(change: change)))
      case .failure(let error): tell(.error(error))
      }
    }
  }
}
