/// Which objects of a store are kept, and how far their links are to be followed from each.
///
/// - Complexity: 4 bytes of memory for each object, unless all are kept.
struct KeptObjects {
  /// How many links may be followed from each object, or ``absent``; empty when all are kept.
  private var steps: [Int32]
  private(set) var count: Int
  /// How many objects were first reached by the links of each property, by the place of its group.
  private(set) var reached: [Int]

  /// As many links as there are.
  static let unlimited = Int32.max
  private static let absent: Int32 = -1

  /// None of so many objects, which have links of so many properties.
  init(noneOf total: Int, links: Int) {
    reached = Array(repeating: 0, count: links)
    steps = Array(repeating: Self.absent, count: total)
    count = 0
  }

  /// All of so many objects.
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
  /// Keeps an object with what belongs to it, its owners, and what its links lead to.
  ///
  /// - Parameter limit: how many links are followed, one behind the other. What belongs to an
  ///   object is as near as the object itself.
  /// - Returns: what was not kept before; nothing when the object is embedded and its owner is
  ///   out of reach.
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
          // Only a reference of any kind leads to what belongs to somebody else.
          if self.steps[target.index] < steps, group.isOwning || graph.isReachable(target) {
            queue.append((target, steps, group.isOwning ? -1 : link))
          }
        }
      }
    }
    return added
  }
}
