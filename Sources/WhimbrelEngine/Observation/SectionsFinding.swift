/// The sections after some changes, and the difference from those before.
struct SectionsFinding: Sendable {
  let state: ObservedOrder.State
  let touched: SortedIDs?
  private(set) var modified = ModifiedObjects()
  /// The sections of a property.
  private(set) var contents: SectionContents<PropertyValue>?
  /// The difference, if another thread has computed it. The inner optional is nil if nothing has
  /// changed.
  var difference: SectionsDifference??

  /// Follows changes. Returns nil if neither the objects nor their keys may have changed.
  ///
  /// - Parameters:
  ///   - keyPosition: The property that is the key, or nil if the key is computed by a closure.
  ///   - contents: The old sections of the property.
  init?(
    _ changes: StoreChanges, _ order: ObservedOrder, _ keyPosition: Int?,
    _ contents: SectionContents<PropertyValue>?
  ) throws {
    guard let outcome = try order.follow(changes) else {
      // A computed key may depend on any object.
      let mayHaveChanged =
        try keyPosition == nil
        && changes.session.classes.contains { try !changes.of($0).isEmpty }
      if !mayHaveChanged { return nil }
      (state, touched) = (order.state, nil)
      return
    }
    modified.add(outcome, try changes.of(order.table))
    var touched = outcome.touched
    self.contents = contents
    if let keyPosition {
      do {
        guard let ids = touched else { throw DamagedObservation() }
        try self.contents?.follow(ids, in: order, keyPosition, changes)
      } catch is DamagedObservation {
        // The sections are found again, like the objects.
        touched = nil
        self.contents = try SectionContents(order, keyPosition, changes.after)
      }
    }
    (state, self.touched) = (order.state, touched)
  }
}

extension ObservedOrder {
  /// Finds the objects whose sections are observed, or continues from a state.
  convenience init(
    _ request: QueryRequest, _ reported: [QueryPath]?, _ keyProperty: String?, _ session: Session,
    _ state: State? = nil
  ) throws {
    try self.init(
      BoundQuery(request, in: session), reporting: reported, alsoReading: keyProperty,
      continuing: state)
  }
}
