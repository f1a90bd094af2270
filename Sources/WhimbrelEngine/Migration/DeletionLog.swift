/// What a migration's code has deleted so far, for whoever has to take it out of an object.
struct DeletionLog {
  /// Grows with each deletion: what was looked at after one has nothing to hide from it.
  private(set) var number = 0
  /// How many classes have lost objects.
  private(set) var classes = 0
  /// The last ones, in their order.
  private var recent: [ObjectReference] = []

  /// How many are kept by name. Who asks for more looks at what is there.
  private static let limit = 10_000

  mutating func add(_ object: ObjectReference) {
    number += 1
    if recent.count >= 2 * Self.limit { recent.removeFirst(Self.limit) }
    recent.append(object)
  }

  /// Takes note that a class has lost all of its objects.
  mutating func addAll() {
    number += 1
    recent.removeAll()
  }

  mutating func addClass() { classes += 1 }

  /// What has been deleted after a number, or nil when nobody knows any longer.
  func objects(after number: Int) -> ArraySlice<ObjectReference>? {
    let count = self.number - number
    return count <= recent.count ? recent.suffix(count) : nil
  }
}
