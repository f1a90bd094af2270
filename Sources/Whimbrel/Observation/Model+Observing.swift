internal import WhimbrelEngine

extension Model {
  /// Calls a closure with each change of the object, until the token is invalidated or released, or
  /// the object is deleted.
  ///
  /// ```swift
  /// let token = zone.observe { change in
  ///   switch change {
  ///   case .change(_, let properties): print(properties.map(\.name))
  ///   case .deleted: print("deleted")
  ///   case .error(let error): print(error)
  ///   }
  /// }
  /// ```
  ///
  /// When the closure is called, and by whom, is as with ``QueryableObjects/observe(isolation:_:)``.
  /// The closure is not called with the object at hand, only with changes. If the object was deleted
  /// before, it is called once, with an error. An unmanaged object stops the program.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller, which calls the closure. Leave it out.
  ///   - body: The closure.
  /// - Returns: A token. The closure is not called any more when it is released.
  /// - Complexity: O(1), also for each change of other objects.
  public func observe(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping (ObjectChange<Self>) -> Void
  ) -> ObservationToken {
    observe(nil, isolation: isolation, body)
  }

  /// Calls a closure with each change of the values at the end of some key paths.
  ///
  /// ```swift
  /// let token = zone.observe(keyPaths: \.latitude, \.country.name) { change in
  ///   if case .change(let zone, _) = change { print(zone.latitude) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - keyPaths: Properties, or paths to them through links, written as if the links were never
  ///     nil.
  ///   - isolation: The actor of the caller, which calls the closure. Leave it out.
  ///   - body: The closure.
  /// - Returns: A token, as ``observe(isolation:_:)``.
  public func observe<each Path: ObservablePath>(
    keyPaths: repeat KeyPath<ObjectPath<Self>, each Path>,
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping (ObjectChange<Self>) -> Void
  ) -> ObservationToken {
    do {
      let paths = try ObjectPath.observed(repeat each keyPaths)
      return observe(paths, isolation: isolation, body)
    } catch {
      body(.error(error))
      return .ended
    }
  }

  private func observe(
    _ paths: [QueryPath]?, isolation: isolated (any Actor)?,
    _ body: @escaping (ObjectChange<Self>) -> Void
  ) -> ObservationToken {
    guard let session = _$row.session, let table = _$row.table else {
      stopProgram(
        """
        Could not observe an object of '\(Self._$schema.name)': it is not in a store. Add it to a \
        store first.
        """)
    }
    let (name, id) = (table.name, _$row.id)
    weak let weakSession = session
    let observer = ObjectObserver(name, table.resolved.id, id, reporting: paths) { news in
      switch news {
      case .change(let changes):
        guard let session = weakSession, let table = session.find(name) else { return }
        let properties = changes.map {
          PropertyChange(name: $0.name, oldValue: $0.old, newValue: $0.new)
        }
        body(.change(Self(_$row: ModelRow(session, table, id)), properties))
      case .deleted: body(.deleted)
      case .failure(let error): body(.error(error))
      }
    }
    return session.observe(observer, isolation: isolation)
  }
}

extension ObservationToken {
  /// A token of an observation that never began.
  static var ended: ObservationToken {
    let token = ObservationToken(.unused)
    token.invalidate()
    return token
  }
}
