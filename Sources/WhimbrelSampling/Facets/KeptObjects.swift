/// A set of the objects of a store that are kept, with the depth to which links were followed.
///
/// - Complexity: 4 bytes of memory for each object, unless all are kept.
struct KeptObjects {
  /// The number of links that may be followed from each object, or ``absent``. Empty if all objects
  /// are kept.
  private var steps: [Int32]
  private(set) var count: Int
  /// The number of objects that the links of each property reached first, by the index of its
  /// group.
  private(set) var reached: [Int]

  static let unlimited = Int32.max
  private static let absent: Int32 = -1

  /// Creates an empty set.
  ///
  /// - Parameters:
  ///   - total: The number of objects of the store.
  ///   - links: The number of properties that hold links.
  init(noneOf total: Int, links: Int) {
    reached = Array(repeating: 0, count: links)
    steps = Array(repeating: Self.absent, count: total)
    count = 0
  }

  init(allOf total: Int) {
    steps = []
    count = total
    reached = []
  }

  @inline(__always)
  func contains(_ object: ObjectNumber) -> Bool {
    steps.isEmpty || steps[object.index] != Self.absent
  }
}

extension KeptObjects {
  /// Keeps an object, its embedded objects, its owners, and the targets of its links.
  ///
  /// - Parameter limit: The limit on the number of links in a row. The path to an embedded object
  ///   does not count.
  /// - Returns: The objects that are new in the set. Empty if the object is embedded and its owner
  ///   cannot be reached.
  /// - Complexity: O(*objects* + *links*) that are reached.
  mutating func keep(_ object: ObjectNumber, following limit: Int32, in graph: LinkGraph)
    -> [ObjectNumber]
  {
    guard graph.isReachable(object) else { return [] }
    var added: [ObjectNumber] = []
    var queue = [(object: object, steps: limit, link: -1)]
    var next = 0
    while next < queue.count {
      let (object, steps, link) = queue[next]
      next += 1
      // An object is visited again if another path to it leaves more links to follow.
      guard self.steps[object.index] < steps else { continue }
      if !contains(object) {
        added.append(object)
        count += 1
        if link >= 0 { reached[link] += 1 }
      }
      self.steps[object.index] = steps
      if let owner = graph.owner(of: object) { queue.append((owner, steps, -1)) }
      let fewer = steps == Self.unlimited ? steps : steps - 1
      for link in graph.groupsOfClass[graph.numbers.classIndex(of: object)] {
        let group = graph.groups[link]
        guard group.isOwning || steps > 0 else { continue }
        for target in group.targets(of: object) {
          let steps = group.isOwning ? steps : fewer
          // Only a link of type `any` can lead to an embedded object of another owner.
          if self.steps[target.index] < steps, group.isOwning || graph.isReachable(target) {
            queue.append((target, steps, group.isOwning ? -1 : link))
          }
        }
      }
    }
    return added
  }
}
