extension LinkGraph {
  /// Finds the facets that the links of each property show among the kept objects.
  ///
  /// - Complexity: O(*objects* + *links*), and some 20 bytes for each object.
  func findings(among kept: KeptObjects) -> [GroupFindings] {
    guard !groups.isEmpty else { return [] }
    let components = StrongComponents(self, among: kept)
    return groups.map { group in
      var findings = GroupFindings()
      if !group.isOwning { findFanIn(group, among: kept, &findings) }
      var link: (source: ObjectNumber, target: ObjectNumber)?
      forEachLink(of: group, among: kept) { source, target in
        if source == target {
          if findings.toItself == nil { findings.toItself = [source] }
        } else if link == nil, components.areTogether(source, target) {
          link = (source, target)
        }
      }
      findings.cycle = link.map { link in
        components.path(from: link.target, to: link.source, in: self, among: kept)
      }
      return findings
    }
  }
}

/// The groups of objects that lead to each other by links (strongly connected components). One walk
/// finds them: Tarjan's algorithm, without recursion.
///
/// A link is on a cycle exactly when both of its ends are in one component.
struct StrongComponents {
  /// The component of each object; undefined for objects that are not kept.
  private var components: [UInt32]

  /// The position of the walk in the links of an object.
  private struct Step {
    let object: ObjectNumber
    var group: Int
    let groupEnd: Int
    var link = 0
  }

  /// The component of an object that the walk has not left yet.
  private static let unknown = UInt32.max

  init(_ graph: LinkGraph, among kept: KeptObjects) {
    components = Array(repeating: Self.unknown, count: graph.numbers.count)
    var walk = Walk(graph: graph, kept: kept)
    for classIndex in graph.numbers.tables.indices {
      for index in graph.numbers.range(of: classIndex) where kept.contains(ObjectNumber(index)) {
        walk.visit(ObjectNumber(index), &components)
      }
    }
  }

  func areTogether(_ left: ObjectNumber, _ right: ObjectNumber) -> Bool {
    components[left.index] == components[right.index]
  }

  /// Returns the objects of a shortest path inside a component, both ends included.
  func path(
    from start: ObjectNumber, to end: ObjectNumber, in graph: LinkGraph, among kept: KeptObjects
  ) -> Witness {
    var previous: [ObjectNumber: ObjectNumber] = [start: start]
    var queue = [start]
    var next = 0
    while next < queue.count, previous[end] == nil {
      let object = queue[next]
      next += 1
      for group in graph.groupsOfClass[graph.numbers.classIndex(of: object)] {
        for target in graph.groups[group].targets(of: object)
        where kept.contains(target) && areTogether(target, start) && previous[target] == nil {
          previous[target] = object
          queue.append(target)
        }
      }
    }
    var path = [end]
    while let last = path.last, last != start, let before = previous[last] { path.append(before) }
    return path
  }
}

extension StrongComponents {
  /// The state of the walk, which it keeps from one start to the next.
  private struct Walk {
    let graph: LinkGraph
    let kept: KeptObjects
    /// The order in which objects were first visited; 0 for an object that was not visited.
    private var orders: [UInt32]
    private var lows: [UInt32]
    private var order: UInt32 = 0
    private var stack: [ObjectNumber] = []
    private var steps: [Step] = []

    init(graph: LinkGraph, kept: KeptObjects) {
      self.graph = graph
      self.kept = kept
      orders = Array(repeating: 0, count: graph.numbers.count)
      lows = orders
    }

    mutating func visit(_ start: ObjectNumber, _ components: inout [UInt32]) {
      guard orders[start.index] == 0 else { return }
      enter(start)
      while let step = steps.last {
        guard let target = nextTarget() else {
          leave(step.object, &components)
          continue
        }
        if orders[target.index] == 0 {
          enter(target)
        } else if components[target.index] == StrongComponents.unknown {
          lows[step.object.index] = min(lows[step.object.index], orders[target.index])
        }
      }
    }

    private mutating func enter(_ object: ObjectNumber) {
      // Invariant: there are fewer objects than UInt32.max, so orders stay below it.
      order += 1
      orders[object.index] = order
      lows[object.index] = order
      stack.append(object)
      let groups = graph.groupsOfClass[graph.numbers.classIndex(of: object)]
      steps.append(Step(object: object, group: groups.lowerBound, groupEnd: groups.upperBound))
    }

    /// Returns the next object that the last object of the path links to, or nil.
    private mutating func nextTarget() -> ObjectNumber? {
      let last = steps.count - 1
      while steps[last].group < steps[last].groupEnd {
        let targets = graph.groups[steps[last].group].targets(of: steps[last].object)
        while steps[last].link < targets.count {
          let target = targets[targets.startIndex + steps[last].link]
          steps[last].link += 1
          if kept.contains(target) { return target }
        }
        steps[last].group += 1
        steps[last].link = 0
      }
      return nil
    }

    private mutating func leave(_ object: ObjectNumber, _ components: inout [UInt32]) {
      steps.removeLast()
      if let above = steps.last {
        lows[above.object.index] = min(lows[above.object.index], lows[object.index])
      }
      guard lows[object.index] == orders[object.index] else { return }
      while let member = stack.popLast() {
        components[member.index] = orders[object.index]
        if member == object { break }
      }
    }
  }
}
