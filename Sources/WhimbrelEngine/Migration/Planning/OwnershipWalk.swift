/// An object of one of the classes of an ``OwnershipGraph``.
struct OwnedPlace: Hashable {
  /// The number of the class.
  let number: Int
  let id: ObjectID
}

/// The state of an embedded object during a walk.
enum OwnershipState {
  /// No link to it has been met.
  case unknown
  /// It belongs to an object that is kept.
  case owned
  /// It has no owner, or only owners without an owner.
  case orphaned
}

/// A graph of objects and of links by which some own others.
protocol OwnershipGraph: AnyObject {
  /// The place of a link.
  associatedtype Link
  /// Returns the links of an object to embedded ones, in the order of properties and elements.
  func links(of place: OwnedPlace) throws -> [(link: Link, target: OwnedPlace)]
  /// Sets the state of an object, unless it is known, and returns the state that it had.
  func note(_ place: OwnedPlace, _ state: OwnershipState) throws -> OwnershipState
  /// Hears of a link to an object that already has an owner. Returns the copy that the link is to
  /// lead to, or nil if it is not to be followed.
  ///
  /// - Parameter isCopy: Whether the object that has the link is a copy.
  func share(
    _ target: OwnedPlace, by link: Link, of owner: OwnedPlace, isCopy: Bool
  ) throws -> OwnedPlace?
  /// Hears of links that lead from each object to the next, and from the last back to the first.
  /// The last link is not followed.
  func meetCircle(_ circle: [OwnedPlace]) throws
  /// Hears of each link.
  func didFollow() throws
}

/// A walk along links to embedded objects. The plan, the check and the migration itself all use it,
/// and so apply the same rule.
///
/// Links are followed depth first, in the order of class, object, property and element. The first
/// link that reaches an object from one that is kept owns it, and every other link gets a copy. An
/// object that cannot be reached from one that is kept is orphaned. An object cannot own itself,
/// whether it has another owner or not.
struct OwnershipWalk<Graph: OwnershipGraph> {
  let graph: Graph
  /// The objects on the path to the current one. The walk is not recursive, so that any depth is
  /// possible.
  private var path: [Step] = []

  private struct Step {
    let place: OwnedPlace
    /// Whether the object is a copy of another.
    let isCopy: Bool
    let links: [(link: Graph.Link, target: OwnedPlace)]
    var next = 0
  }

  init(_ graph: Graph) { self.graph = graph }

  /// Follows the links of an object that is kept.
  mutating func follow(owner: OwnedPlace) throws { try follow(owner, .owned) }

  /// Follows the links of an embedded object without an owner.
  mutating func follow(orphan: OwnedPlace) throws {
    if try graph.note(orphan, .orphaned) == .unknown { try follow(orphan, .orphaned) }
  }

  private mutating func follow(_ root: OwnedPlace, _ state: OwnershipState) throws {
    try enter(root, isCopy: false)
    while var step = path.popLast() {
      guard step.next < step.links.count else { continue }
      let (link, target) = step.links[step.next]
      step.next += 1
      path.append(step)
      switch try graph.note(target, state) {
      case .unknown: try enter(target, isCopy: false)
      case .owned where state == .owned: try share(target, by: link, of: step)
      case .owned: break
      case .orphaned:
        if let circle = circle(to: target) { try graph.meetCircle(circle) }
      }
      try graph.didFollow()
    }
  }

  private mutating func enter(_ place: OwnedPlace, isCopy: Bool) throws {
    let links = try graph.links(of: place)
    if !links.isEmpty { path.append(Step(place: place, isCopy: isCopy, links: links)) }
  }

  private mutating func share(
    _ target: OwnedPlace, by link: Graph.Link, of step: Step
  ) throws {
    // The objects of a copy are shared with the original, and cannot be part of a circle.
    if !step.isCopy, let circle = circle(to: target) { return try graph.meetCircle(circle) }
    if let copy = try graph.share(target, by: link, of: step.place, isCopy: step.isCopy) {
      try enter(copy, isCopy: true)
    }
  }

  /// Returns the objects on the path from one to the current one, or nil if it is not on the path.
  private func circle(to target: OwnedPlace) -> [OwnedPlace]? {
    path.lastIndex { $0.place == target }.map { path[$0...].map(\.place) }
  }
}
