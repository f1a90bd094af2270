/// An object of one of the classes of an ``OwnershipGraph``.
struct OwnedPlace: Hashable {
  /// The number of the class.
  let number: Int
  let id: ObjectID
}

/// The state of an embedded object during a walk.
enum OwnershipState {
  /// Nobody has led to it.
  case unknown
  /// It belongs to an object that stays.
  case owned
  /// It belongs to nobody, or to objects that belong to nobody.
  case orphaned
}

/// Objects, and the links by which some belong to others.
protocol OwnershipGraph: AnyObject {
  /// Where a link stands.
  associatedtype Link
  /// Returns the links of an object to embedded ones, in the order of properties and elements.
  func links(of place: OwnedPlace) throws -> [(link: Link, target: OwnedPlace)]
  /// Takes note that an object has an owner, or none, unless that is known; returns what was
  /// known before.
  func note(_ place: OwnedPlace, _ state: OwnershipState) throws -> OwnershipState
  /// Hears of a link to an object that already has an owner. Returns the copy that the link is to
  /// lead to, or nil if it is not to be followed.
  ///
  /// - Parameter isCopy: whether the object that has the link is a copy.
  func share(
    _ target: OwnedPlace, by link: Link, of owner: OwnedPlace, isCopy: Bool
  ) throws -> OwnedPlace?
  /// Hears of links that lead from each object to the next, and from the last back to the first.
  /// The last link is not followed.
  func meetCircle(_ circle: [OwnedPlace]) throws
  /// Hears of each link.
  func didFollow() throws
}

/// A walk along links to embedded objects: who plans a migration, who checks one and who carries
/// it out go by the same rule.
///
/// Links are followed in the order of class, object, property and position, and each object's
/// own before those that come after: the first that leads to an object from one that stays
/// keeps it, and each of the others gets a copy. What no link from one that stays leads to,
/// be it by way of others, is orphaned. No object can belong to itself, whether anybody owns
/// it or not.
struct OwnershipWalk<Graph: OwnershipGraph> {
  let graph: Graph
  /// The objects on the way to where the walk is, so that it goes as deep as it needs to.
  private var path: [Step] = []

  private struct Step {
    let place: OwnedPlace
    /// Whether the object is a copy of another.
    let isCopy: Bool
    let links: [(link: Graph.Link, target: OwnedPlace)]
    var next = 0
  }

  init(_ graph: Graph) { self.graph = graph }

  /// Follows everything that belongs to an object that stays.
  mutating func follow(owner: OwnedPlace) throws { try follow(owner, .owned) }

  /// Follows everything that belongs to an embedded object which no owner leads to.
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
    // What belongs to a copy is shared with the original, and no part of a circle.
    if !step.isCopy, let circle = circle(to: target) { return try graph.meetCircle(circle) }
    if let copy = try graph.share(target, by: link, of: step.place, isCopy: step.isCopy) {
      try enter(copy, isCopy: true)
    }
  }

  /// Returns the objects on the way from one to where the walk is, or nil when it is not on it.
  private func circle(to target: OwnedPlace) -> [OwnedPlace]? {
    path.lastIndex { $0.place == target }.map { path[$0...].map(\.place) }
  }
}
