/// An observer of the objects that a query finds, in sections.
///
/// The query is followed as by an ``OrderObserver``. If a property is the key, the sections are
/// followed object by object. If the key is computed, it may depend on any object: the sections are
/// made again after every change of the store.
package final class SectionsObserver<Key: Hashable>: StoreObserver {
  /// A notification.
  package enum News {
    /// The first notification, and the one after changes that could not be followed.
    case initial(SectionContents<Key>)
    case change(Change)
    case failure(any Error)
  }

  /// The sections before and after a change.
  package struct Change {
    package let before: SectionContents<Key>
    package let after: SectionContents<Key>
    /// The objects that were modified.
    package let modified: ModifiedObjects
    /// The difference between the sections, or nil if nothing has changed.
    package let difference: SectionsDifference?
  }

  private let request: QueryRequest
  private let reported: [QueryPath]?
  private let keyProperty: String?
  private let sections: ([ObjectID]) -> SectionContents<Key>
  private let typed: (SectionContents<PropertyValue>) -> SectionContents<Key>?
  private let tell: (News) -> Void
  private var order: ObservedOrder?
  private var isInitial = true
  /// The sections at the last notification.
  private var told = SectionContents<Key>()
  /// Whether the sections at the last notification were those of the property.
  private var toldProperty = false
  /// The changes since the last notification.
  private var untold = UntoldChanges<SectionsDifference>()
  /// The current sections of the property.
  private var contents: SectionContents<PropertyValue>?

  /// - Parameters:
  ///   - reported: The paths to the values whose changes make an object a modified one, or nil for
  ///     all properties of the objects and the values that the query reads.
  ///   - keyProperty: The property that is the key, or nil if the key is computed by a closure.
  ///   - sections: A closure that returns the sections of objects in the state that the session
  ///     shows.
  ///   - typed: A closure that converts the keys of the property's sections. It returns nil if two
  ///     sections would have the same key.
  package init(
    _ request: QueryRequest, reporting reported: [QueryPath]?, keyProperty: String?,
    sections: @escaping ([ObjectID]) -> SectionContents<Key>,
    typed: @escaping (SectionContents<PropertyValue>) -> SectionContents<Key>?,
    _ tell: @escaping (News) -> Void
  ) {
    self.request = request
    self.reported = reported
    self.keyProperty = keyProperty
    self.sections = sections
    self.typed = typed
    self.tell = tell
  }

  override var classNames: Set<String>? { keyProperty == nil ? nil : order?.classNames }

  override package func begin(in session: Session) throws {
    let order = try ObservedOrder(request, reported, keyProperty, session)
    self.order = order
    isInitial = true
    contents = try keyPosition(order).map {
      try SectionContents(order, $0, QuerySource(session))
    }
  }

  private func keyPosition(_ order: ObservedOrder) throws -> Int? {
    try keyProperty.map { try order.table.resolved.requiredPosition(of: $0) }
  }

  override func follow(_ changes: StoreChanges) throws -> Bool {
    guard let order, let finding = try SectionsFinding(changes, order, keyPosition(order), contents)
    else { return false }
    return take(finding)
  }

  override var task: ObserverWork.Task? {
    guard let order else { return nil }
    let (request, reported, keyProperty) = (request, reported, keyProperty)
    let (state, contents) = (order.state, contents)
    return { changes in
      let order = try ObservedOrder(request, reported, keyProperty, changes.session, state)
      let position = try keyProperty.map { try order.table.resolved.requiredPosition(of: $0) }
      var finding = try SectionsFinding(changes, order, position, contents)
      if let found = finding, let before = contents, let after = found.contents {
        finding?.difference = .some(
          SectionsDifference(from: before, to: after, touched: found.touched, found.modified))
      }
      return finding
    }
  }

  override func take(_ finding: any Sendable) -> Bool {
    guard let order, let finding = finding as? SectionsFinding else { return false }
    order.adopt(finding.state)
    contents = finding.contents
    untold.add(finding.touched, finding.modified, known: finding.difference)
    return true
  }

  /// Makes the current sections those of the last notification.
  private func update() {
    let ofProperty = contents.flatMap(typed)
    told = ofProperty ?? sections(order?.found.ids ?? [])
    toldProperty = ofProperty != nil
    untold = UntoldChanges()
  }

  override func skip() {
    if isInitial { return }
    update()
  }

  override func deliver() {
    let (before, isProperty, changes) = (told, toldProperty, untold)
    update()
    if isInitial {
      isInitial = false
      return tell(.initial(told))
    }
    // Computed keys may change without a change of the objects.
    let isExact = isProperty && toldProperty
    let difference =
      if isExact, let known = changes.knownDifference {
        known
      } else {
        SectionsDifference(
          from: before, to: told, touched: isExact ? changes.touched : nil, changes.modified)
      }
    tell(
      .change(
        Change(before: before, after: told, modified: changes.modified, difference: difference)))
  }

  override package func fail(_ error: any Error) { tell(.failure(error)) }
}
