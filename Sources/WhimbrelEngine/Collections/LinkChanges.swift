/// The target of a link: an object of the class that the property states, or a reference with its
/// own class.
package enum LinkTarget: Hashable {
  case object(ObjectID)
  case reference(ObjectReference)
}

extension LinkTarget: Comparable {
  /// The order of the entries in an index of links, whose targets are all of one kind.
  package static func < (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.object(let left), .object(let right)): left < right
    case (.reference(let left), .reference(let right)):
      (left.classID, left.id) < (right.classID, right.id)
    case (.object, .reference): true
    case (.reference, .object): false
    }
  }
}

/// The links that an edit of a collection adds and removes, in the order in which it does.
///
/// They are counted when the edit ends: to note a link must cost little, because an edit may have
/// thousands.
struct LinkChanges {
  /// A change in the number of links to an object: positive if links were added.
  struct Change {
    let target: LinkTarget
    fileprivate(set) var difference: Int
  }

  private var noted: [Change] = []
  /// The differences of the first `counted` changes, for an edit that asks for some before its end.
  private var differences: [LinkTarget: Int] = [:]
  private var counted = 0

  /// The number of changes that were noted.
  var count: Int { noted.count }

  mutating func note(_ target: LinkTarget, _ difference: Int) {
    noted.append(Change(target: target, difference: difference))
  }

  /// Notes a change in the number of all links in a value.
  mutating func note(_ value: PropertyValue, _ difference: Int) {
    if case .link(let id) = value { return note(.object(id), difference) }
    for target in value.linkTargets { note(target, difference) }
  }

  /// Forgets the changes after the first ones.
  mutating func forget(after count: Int) {
    noted.removeSubrange(count...)
    if counted > count { (differences, counted) = ([:], 0) }
  }

  /// Returns the change in the number of links to an object so far.
  ///
  /// - Complexity: O(*k*) for *k* changes since the last call.
  mutating func difference(of target: LinkTarget) -> Int {
    for change in noted[counted...] { differences[change.target, default: 0] += change.difference }
    counted = noted.count
    return differences[target] ?? 0
  }

  /// Returns the targets whose numbers of links differ in the end, each once, in their order.
  func sums() -> [Change] {
    var sums: [Change] = []
    sums.reserveCapacity(noted.count)
    for change in noted.sorted(by: { $0.target < $1.target }) {
      if let last = sums.last, last.target == change.target {
        sums[sums.count - 1].difference += change.difference
      } else {
        sums.append(change)
      }
    }
    sums.removeAll { $0.difference == 0 }
    return sums
  }
}
