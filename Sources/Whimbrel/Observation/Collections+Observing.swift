internal import WhimbrelEngine

extension StoredList {
  /// Calls a closure with the list, and again with each change of its elements, until the token is
  /// invalidated or released.
  ///
  /// ```swift
  /// let token = zone.comments.observe { change in
  ///   if case .update(let comments, let update) = change { print(comments.count, update) }
  /// }
  /// ```
  ///
  /// For a list of objects, ``QueryableObjects/observe(isolation:_:)`` is called instead: it also
  /// tells which objects were modified.
  ///
  /// When the owner of the list is deleted, the closure is called with an empty list.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller, which calls the closure. Leave it out.
  ///   - body: The closure. When it is called, and by whom, is as with
  ///     ``QueryableObjects/observe(isolation:_:)``.
  /// - Returns: A token. The closure is not called any more when it is released.
  /// - Complexity: O(*n*), also for each change of the list.
  @_disfavoredOverload
  public func observe(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping (ElementsChange<StoredList, ElementsUpdate>) -> Void
  ) -> ObservationToken {
    storage.observe(isolation: isolation, { StoredList($0) }, \.elements, body)
  }
}

extension StoredSet {
  /// Calls a closure with the set, and again with each change of its elements, until the token is
  /// invalidated or released: see ``StoredList/observe(isolation:_:)``.
  @_disfavoredOverload
  public func observe(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping (ElementsChange<StoredSet, ElementsUpdate>) -> Void
  ) -> ObservationToken {
    storage.observe(isolation: isolation, { StoredSet($0) }, \.elements, body)
  }
}

extension StoredMap {
  /// Calls a closure with the map, and again with each change of its elements, until the token is
  /// invalidated or released: see ``StoredList/observe(isolation:_:)``.
  public func observe(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping (ElementsChange<StoredMap, MapUpdate>) -> Void
  ) -> ObservationToken {
    storage.observe(isolation: isolation, { StoredMap($0) }, \.names, body)
  }
}

extension CollectionStorage {
  fileprivate func observe<Elements, Update>(
    isolation: isolated (any Actor)?, _ make: @escaping (CollectionStorage) -> Elements,
    _ update: @escaping (ElementsObserver.News) -> Update?,
    _ body: @escaping (ElementsChange<Elements, Update>) -> Void
  ) -> ObservationToken {
    guard let owner, let session = owner.session, let table = owner.table else {
      stopProgram(
        """
        Could not observe a collection: it does not belong to an object in a store. Add its \
        object to a store first.
        """)
    }
    let (name, id, index) = (table.name, owner.id, index)
    let property = table.resolved.properties[index].name
    weak let weakSession = session
    let observer = ElementsObserver(name, id, property) { news in
      if case .failure(let error) = news { return body(.error(error)) }
      guard let session = weakSession, let table = session.find(name) else { return }
      let row = ModelRow(session, table, id)
      let elements = make(row.isInvalidated ? CollectionStorage() : CollectionStorage(row, index))
      if let update = update(news) {
        body(.update(elements, update))
      } else {
        body(.initial(elements))
      }
    }
    return session.observe(observer, isolation: isolation)
  }
}

extension ElementsObserver.News {
  fileprivate var elements: ElementsUpdate? {
    guard case .elements(let change) = self else { return nil }
    return ElementsUpdate(
      deletions: change.deletions, insertions: change.insertions,
      modifications: change.modifications, modificationsBefore: change.modificationsBefore)
  }

  fileprivate var names: MapUpdate? {
    guard case .names(let change) = self else { return nil }
    return MapUpdate(
      deletions: change.deletions, insertions: change.insertions,
      modifications: change.modifications)
  }
}
