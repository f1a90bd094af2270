internal import Foundation
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
  /// - Complexity: O(*n*), and some 16 bytes for each object. If the objects are grouped by the key path
  ///   of a property that is a whole number, a text, a date, a Boolean, a UUID or an enum, a change
  ///   costs O(*k* log *n*) for *k* changed objects, and O(*m*) for *m* sections. Otherwise the sections
  ///   are made again, in O(*n* log *n*), after each commit that has changed any object of the store.
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
        let (before, after) = (change.before[key], change.after[key])
        let update = OrderChange(
          from: before ?? ObjectOrder(), to: after ?? ObjectOrder(), change.modified)
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
        guard let difference = change.difference else { return }
        body(.update(SectionedResults(sections), SectionedUpdate(difference)))
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
    // Other values may be equal, or not, where their types say so.
    let isPlain = Key.self is any PlainSectionKey.Type || Key.self is any PersistableEnum.Type
    if let failure = base.failure {
      return session.observe(
        FailingObserver(failure) { tell(self, .failure($0)) }, isolation: isolation)
    }
    weak let weakSession = session
    let observer = SectionsObserver<Key>(
      request, reporting: paths, keyProperty: isPlain ? property : nil
    ) { ids in
      guard let session = weakSession, let table = session.find(request.className) else {
        return SectionContents()
      }
      return Self.contents(ObjectCursor(session, table, through: ids[...]), key)
    } typed: { sections in
      guard let session = weakSession, let table = session.find(request.className) else {
        return nil
      }
      // All objects of a section have its key.
      return sections.mapKeys { _, first in key(Element(_$row: ModelRow(session, table, first))) }
    } _: { news in
      guard let session = weakSession else { return }
      let contents: SectionContents<Key>? =
        switch news {
        case .initial(let contents): contents
        case .change(let change): change.after
        case .failure: nil
        }
      let list = ObjectList(session, request)
      tell(Sections(list, key, property: property, knowing: contents), news)
    }
    return session.observe(observer, isolation: isolation)
  }
}

/// A type of values that are equal exactly when their stored values are.
private protocol PlainSectionKey {}

extension Bool: PlainSectionKey {}
extension Int: PlainSectionKey {}
extension Int8: PlainSectionKey {}
extension Int16: PlainSectionKey {}
extension Int32: PlainSectionKey {}
extension Int64: PlainSectionKey {}
extension String: PlainSectionKey {}
extension Date: PlainSectionKey {}
extension UUID: PlainSectionKey {}
extension Optional: PlainSectionKey where Wrapped: PlainSectionKey {}
