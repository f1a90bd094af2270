/// The changes that an observer has followed but not reported.
struct UntoldChanges<Difference: Sendable> {
  /// The objects that may have been inserted, deleted or moved, or nil if they are not known.
  private(set) var touched: SortedIDs? = []
  private(set) var modified = ModifiedObjects()
  /// The difference, if another thread has computed it. The inner optional is nil if nothing has
  /// changed.
  private(set) var knownDifference: Difference??
  private var isEmpty = true

  /// Adds later changes.
  ///
  /// - Parameter known: The difference, if it is known.
  mutating func add(
    _ new: SortedIDs?, _ modified: ModifiedObjects, known: Difference?? = nil
  ) {
    if touched != nil, let new { touched?.formUnion(new) } else { touched = nil }
    self.modified.add(modified)
    knownDifference = isEmpty ? known : nil
    isEmpty = false
  }
}
