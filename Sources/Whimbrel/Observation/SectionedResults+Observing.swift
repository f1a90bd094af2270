internal import WhimbrelEngine

extension SectionedResults {
  /// Calls a closure with these sections, and again with each change of them, until the token is
  /// invalidated or released.
  ///
  /// ```swift
  /// let token = store.objects(Zone.self).sectioned(by: \.area).observe { change in
  ///   switch change {
  ///   case .initial(let sections): print("\(sections.count) areas")
  ///   case .update(let sections, let update): print("\(sections.count) areas: \(update)")
  ///   case .error(let error): print(error)
  ///   }
  /// }
  /// ```
  ///
  /// When the closure is called, and by whom, is as with ``QueryableObjects/observe(isolation:_:)``.
  /// An object counts as modified if one of its own properties has another value, or a value of
  /// another object that the query reads. It also changes its section when the value changes by which
  /// it is grouped, whatever that value is read from, as long as it is read from the store.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller, which calls the closure. Leave it out.
  ///   - body: The closure.
  /// - Returns: A token. The closure is not called any more when it is released.
  /// - Complexity: O(*n*), and 16 bytes for each object. The sections are made again, in O(*n* log
  ///   *n*), after each commit that has changed any object of the store. If the objects are grouped by
  ///   the key path of a stored property, that is only after changes of objects that concern the query
  ///   or the property.
  public func observe(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping (SectionedChange<Key, Element>) -> Void
  ) -> ObservationToken {
    sections.observe(nil, isolation: isolation, body)
  }

  /// Calls a closure with these sections, and again with each change of them. Only the values at the
  /// end of some key paths make an object a modified one.
  ///
  /// ```swift
  /// let token = sections.observe(keyPaths: \.comments) { change in
  ///   if case .update(_, let update) = change { print(update.modifications) }
  /// }
  /// ```
  ///
  /// Objects and sections that come, go or move are told in any case.
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
    _ body: @escaping (SectionedChange<Key, Element>) -> Void
  ) -> ObservationToken {
    do {
      let paths = try ObjectPath.observed(repeat each keyPaths)
      return sections.observe(paths, isolation: isolation, body)
    } catch {
      body(.error(error))
      return .ended
    }
  }
}

extension ResultsSection {
  /// Calls a closure with this section, and again with each change of its objects, until the token is
  /// invalidated or released.
  ///
  /// ```swift
  /// let token = section.observe { change in
  ///   if case .update(let zones, let update) = change { print(zones.count, update) }
  /// }
  /// ```
  ///
  /// The section is found by its value, wherever it moves. If no object has the value any more, it is
  /// empty, and is observed further. In everything else this method behaves as
  /// ``SectionedResults/observe(isolation:_:)``, also in its cost.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller, which calls the closure. Leave it out.
  ///   - body: The closure.
  /// - Returns: A token. The closure is not called any more when it is released.
  public func observe(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping (SectionChange<Key, Element>) -> Void
  ) -> ObservationToken {
    let key = key
    return sections.observe(nil, isolation: isolation) { sections, news in
      switch news {
      case .initial: body(.initial(ResultsSection(key, in: sections)))
      case .change(let change):
        let (before, after) = (change.before.members[key], change.after.members[key])
        let update = OrderChange(
          from: ObjectOrder(before ?? []), to: ObjectOrder(after ?? []), change.modified)
        guard let update else { return }
        body(.update(ResultsSection(key, in: sections), CollectionUpdate(change: update)))
      case .failure(let error): body(.error(error))
      }
    }
  }
}

extension Sections {
  fileprivate func observe(
    _ paths: [QueryPath]?, isolation: isolated (any Actor)?,
    _ body: @escaping (SectionedChange<Key, Element>) -> Void
  ) -> ObservationToken {
    observe(paths, isolation: isolation) { sections, news in
      switch news {
      case .initial: body(.initial(SectionedResults(sections)))
      case .change(let change):
        let update = SectionedUpdate(
          from: change.before, to: change.after, modified: change.modified.contains)
        if let update { body(.update(SectionedResults(sections), update)) }
      case .failure(let error): body(.error(error))
      }
    }
  }

  /// Observes the sections. The observer does not keep the session: otherwise the session would keep
  /// itself.
  fileprivate func observe(
    _ paths: [QueryPath]?, isolation: isolated (any Actor)?,
    _ tell: @escaping (Sections, SectionsObserver<Key>.News) -> Void
  ) -> ObservationToken {
    let (session, request, key, property) = (base.session, base.request, key, keyProperty)
    if let failure = base.failure {
      return session.observe(
        FailingObserver(failure) { tell(self, .failure($0)) }, isolation: isolation)
    }
    weak let weakSession = session
    let observer = SectionsObserver<Key>(
      request, reporting: paths, keyProperty: property
    ) { ids in
      guard let session = weakSession, let table = session.find(request.className) else {
        return SectionContents()
      }
      return Self.contents(ObjectCursor(session, table, through: ids[...]), key)
    } _: { news in
      guard let session = weakSession else { return }
      tell(Sections(ObjectList(session, request), key, property: property), news)
    }
    return session.observe(observer, isolation: isolation)
  }
}
