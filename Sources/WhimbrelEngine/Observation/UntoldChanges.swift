/// The changes that an observer of objects has followed and not told.
struct UntoldChanges<Difference: Sendable> {
  /// The objects that may have come, left or moved; nil if that is not known.
  private(set) var touched: SortedIDs? = []
  private(set) var modified = ModifiedObjects()
  /// The difference, if it was found on another thread; nil in it if there is none.
  private(set) var knownDifference: Difference??
  private var isEmpty = true

  /// Adds changes that follow those at hand.
  ///
  /// - Parameter known: The difference that they make, if it is known.
  mutating func add(
    _ new: SortedIDs?, _ modified: ModifiedObjects, known: Difference?? = nil
  ) {
    if touched != nil, let new { touched?.formUnion(new) } else { touched = nil }
    self.modified.add(modified)
    knownDifference = isEmpty ? known : nil
    isEmpty = false
  }
}
