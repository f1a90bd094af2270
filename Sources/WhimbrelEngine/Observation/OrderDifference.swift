/// The difference between two orders of objects: deletions, insertions and moves.
///
/// As few objects as possible move: the ones that stay are a heaviest ascending subsequence.
package struct OrderDifference: Equatable {
  /// The old positions of the objects that were deleted or have moved, ascending.
  package var deletions: [Int] = []
  /// The new positions of the objects that were inserted or have moved, ascending.
  package var insertions: [Int] = []
  /// The objects that have moved, in the order of their new positions.
  package var moves: [Move] = []
  /// The touched objects that have not moved, in the order of their positions.
  package var stayed: [Stay] = []

  /// The old and the new position of an object.
  package struct Move: Hashable, Sendable {
    package let from: Int
    package let to: Int
  }

  /// A touched object that has not moved.
  package struct Stay: Hashable {
    package let id: ObjectID
    package let move: Move
  }

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty }

  /// A run of objects that are consecutive in both orders.
  fileprivate struct Run {
    var old: Int
    var new: Int
    var count: Int
    /// The object, if it was touched. A touched object is a run of its own.
    var touched: ObjectID?
  }

  /// The runs in the new order.
  fileprivate struct OrderedRuns {
    var runs: [Run] = []
    /// The rank of each run in the old order, from 1.
    var ranks: [Int] = []
  }

  /// Compares two orders, of which one was made from the other by changes of some objects.
  ///
  /// - Parameters:
  ///   - touched: The objects that were inserted or deleted or that may have moved. All others keep
  ///     their order.
  /// - Complexity: O(*k* log *k*) for *k* touched objects, plus the number of pieces.
  init(from old: ObjectOrder, to new: ObjectOrder, touched: SortedIDs) {
    let touched = SievedIDs(touched)
    // The positions of touched objects, each with the number of others in front of it.
    let before = Self.places(of: touched, in: old, sharedWith: new)
    let after = Self.places(of: touched, in: new, sharedWith: old)
    let others = old.count - before.count
    assert(others == new.count - after.count)
    // The others, cut where a touched object stands in the old or the new order.
    var bounds = [0]
    var (left, right) = (0, 0)
    while left < before.count || right < after.count {
      let gap = min(
        left < before.count ? before[left].gap : .max, right < after.count ? after[right].gap : .max
      )
      if gap > bounds[bounds.count - 1] { bounds.append(gap) }
      while left < before.count, before[left].gap == gap { left += 1 }
      while right < after.count, after[right].gap == gap { right += 1 }
    }
    if others > bounds[bounds.count - 1] { bounds.append(others) }
    var rest: [Run] = []
    rest.reserveCapacity(bounds.count)
    (left, right) = (0, 0)
    for (start, end) in zip(bounds, bounds.dropFirst()) {
      while left < before.count, before[left].gap <= start { left += 1 }
      while right < after.count, after[right].gap <= start { right += 1 }
      rest.append(Run(old: start + left, new: start + right, count: end - start))
    }
    self.init(
      Self.merge(rest, Self.touchedRuns(before, after)), oldCount: old.count, newCount: new.count)
  }

  /// Compares two sequences of IDs. An ID may occur several times.
  ///
  /// - Parameter touched: A closure that returns whether an object may have changed.
  /// - Complexity: O(*n* log *n*).
  package init(
    from old: [ObjectID], to new: [ObjectID], touched: (ObjectID) -> Bool = { _ in false }
  ) {
    var (start, oldEnd, newEnd) = (0, old.count, new.count)
    while start < oldEnd, start < newEnd, old[start] == new[start] { start += 1 }
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1)
    }
    var runs: [Run] = []
    func add(_ from: Int, _ to: Int, _ id: ObjectID) {
      let isTouched = touched(id)
      if !isTouched, let last = runs.last, last.touched == nil, last.old + last.count == from,
        last.new + last.count == to
      {
        runs[runs.count - 1].count += 1
      } else {
        runs.append(Run(old: from, new: to, count: 1, touched: isTouched ? id : nil))
      }
    }
    for position in 0..<start { add(position, position, new[position]) }
    let matches = Self.matches(from: old[start..<oldEnd], to: new[start..<newEnd])
    for (position, place) in zip(start..<newEnd, matches) {
      if let place { add(place, position, new[position]) }
    }
    for position in newEnd..<new.count { add(position - newEnd + oldEnd, position, new[position]) }
    self.init(OrderedRuns(runs), oldCount: old.count, newCount: new.count)
  }

  /// - Parameter ordered: The objects that are in both orders.
  private init(_ ordered: OrderedRuns, oldCount: Int, newCount: Int) {
    let runs = ordered.runs
    let stays = Self.heaviestAscent(of: ordered)
    // The runs that stay ascend in both orders.
    var (oldEnd, newEnd) = (0, 0)
    for (run, stays) in zip(runs, stays) {
      guard stays else {
        for offset in 0..<run.count {
          moves.append(Move(from: run.old + offset, to: run.new + offset))
        }
        continue
      }
      deletions += oldEnd..<run.old
      insertions += newEnd..<run.new
      (oldEnd, newEnd) = (run.old + run.count, run.new + run.count)
      if let id = run.touched {
        stayed.append(Stay(id: id, move: Move(from: run.old, to: run.new)))
      }
    }
    deletions += oldEnd..<oldCount
    insertions += newEnd..<newCount
  }

  /// Returns, for each run in the new order, whether it belongs to the heaviest ascending
  /// subsequence of the old ranks. The weight of a run is its number of objects.
  private static func heaviestAscent(of ordered: OrderedRuns) -> [Bool] {
    let ranks = ordered.ranks
    let isAscending = zip(ranks, ranks.dropFirst()).allSatisfy { $0 < $1 }
    if isAscending { return Array(repeating: true, count: ranks.count) }
    // With half the memory, twice as many entries fit in the CPU cache.
    let isSmall = ordered.runs.last.map { $0.new + $0.count <= Int32.max } ?? true
    return isSmall ? heaviestAscent(of: ordered, Int32.self) : heaviestAscent(of: ordered, Int.self)
  }

  /// - Parameter type: The type of the numbers, which must be able to represent the number of
  ///   objects.
  private static func heaviestAscent<Number: FixedWidthInteger>(
    of ordered: OrderedRuns, _ type: Number.Type
  ) -> [Bool] {
    let (runs, ranks) = (ordered.runs, ordered.ranks)
    let none = (weight: Number(0), run: Number(-1))
    // A Fenwick tree of prefix maxima over the ranks. An entry has the weight of the best ascent
    // that ends there and its last run.
    var best = Array(repeating: none, count: runs.count + 1)
    var previous = Array(repeating: Number(-1), count: runs.count)
    func bestAscent(before rank: Int) -> (weight: Number, run: Number) {
      var (rank, found) = (rank - 1, none)
      while rank > 0 {
        if best[rank].weight > found.weight { found = best[rank] }
        rank &= rank - 1
      }
      return found
    }
    for index in runs.indices {
      let found = bestAscent(before: ranks[index])
      previous[index] = found.run
      let ascent = (weight: found.weight + Number(runs[index].count), run: Number(index))
      var rank = ranks[index]
      while rank <= runs.count {
        if best[rank].weight < ascent.weight { best[rank] = ascent }
        rank += rank & -rank
      }
    }
    var stays = Array(repeating: false, count: runs.count)
    var index = Int(bestAscent(before: runs.count + 1).run)
    while index >= 0 {
      stays[index] = true
      index = Int(previous[index])
    }
    return stays
  }
}

extension OrderDifference.OrderedRuns {
  init(_ runs: [OrderDifference.Run]) {
    self.runs = runs.sorted { $0.new < $1.new }
    ranks = Array(repeating: 0, count: runs.count)
    let order = self.runs.indices.sorted { self.runs[$0].old < self.runs[$1].old }
    for (rank, index) in order.enumerated() { ranks[index] = rank + 1 }
  }
}

extension OrderDifference {
  /// The touched objects that are in both orders, as runs in the new order.
  private struct TouchedRuns {
    var runs: [Run] = []
    /// The indices of the runs, in the old order.
    var inOldOrder: [Int] = []
  }

  private static func touchedRuns(
    _ before: [TouchedPlace], _ after: [TouchedPlace]
  ) -> TouchedRuns {
    var ranks = PlaceTable(before.lazy.map(\.id), upTo: before.count)
    for source in before { ranks[source.id] = source.rank }
    var touched = TouchedRuns()
    touched.runs.reserveCapacity(after.count)
    // The index of the run of each touched object in the old order, or -1.
    var runOfSource = Array(repeating: -1, count: before.count)
    for target in after {
      guard let rank = ranks[target.id] else { continue }
      runOfSource[rank] = touched.runs.count
      touched.runs.append(
        Run(old: before[rank].position, new: target.position, count: 1, touched: target.id))
    }
    touched.inOldOrder = runOfSource.filter { $0 >= 0 }
    return touched
  }

  /// Merges touched objects with the other runs, which ascend in both orders.
  private static func merge(_ rest: [Run], _ touched: TouchedRuns) -> OrderedRuns {
    var ordered = OrderedRuns()
    ordered.runs.reserveCapacity(rest.count + touched.runs.count)
    // The indices of the runs in the merged order.
    var restIndices: [Int] = []
    var touchedIndices: [Int] = []
    restIndices.reserveCapacity(rest.count)
    touchedIndices.reserveCapacity(touched.runs.count)
    while restIndices.count < rest.count || touchedIndices.count < touched.runs.count {
      let (next, other) = (restIndices.count, touchedIndices.count)
      let isRest =
        other == touched.runs.count
        || next < rest.count && rest[next].new < touched.runs[other].new
      if isRest {
        restIndices.append(ordered.runs.count)
        ordered.runs.append(rest[next])
      } else {
        touchedIndices.append(ordered.runs.count)
        ordered.runs.append(touched.runs[other])
      }
    }
    ordered.ranks = Array(repeating: 0, count: ordered.runs.count)
    var (next, other) = (0, 0)
    for rank in ordered.runs.indices {
      let isRest =
        other == touched.inOldOrder.count
        || next < rest.count && rest[next].old < touched.runs[touched.inOldOrder[other]].old
      if isRest {
        ordered.ranks[restIndices[next]] = rank + 1
        next += 1
      } else {
        ordered.ranks[touchedIndices[touched.inOldOrder[other]]] = rank + 1
        other += 1
      }
    }
    return ordered
  }

  /// A touched object in an order.
  private struct TouchedPlace {
    let id: ObjectID
    let position: Int
    /// The number of touched objects in front of it.
    let rank: Int
    /// The number of others in front of it.
    var gap: Int { position - rank }
  }

  /// Returns the places of touched objects, ascending. Pieces that the other order shares are
  /// skipped: they do not contain touched objects.
  private static func places(
    of touched: SievedIDs, in order: ObjectOrder, sharedWith other: ObjectOrder
  ) -> [TouchedPlace] {
    let pieces = order.pieces
    // Most shared pieces are at the two ends.
    var start = 0
    let common = min(pieces.count, other.pieces.count)
    while start < common, pieces[start] === other.pieces[start] { start += 1 }
    var end = 0
    while end < common - start,
      pieces[pieces.count - 1 - end] === other.pieces[other.pieces.count - 1 - end]
    {
      end += 1
    }
    let shared = Set(
      other.pieces[start..<(other.pieces.count - end)].lazy.map { ObjectIdentifier($0) })
    var position = pieces[..<start].reduce(0) { $0 + $1.ids.count }
    var places: [TouchedPlace] = []
    for piece in pieces[start..<(pieces.count - end)] {
      if !shared.contains(ObjectIdentifier(piece)) {
        for (index, id) in piece.ids.enumerated() where touched.contains(id) {
          places.append(TouchedPlace(id: id, position: position + index, rank: places.count))
        }
      }
      position += piece.ids.count
    }
    return places
  }
}
