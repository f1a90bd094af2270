import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine

@Suite struct ObjectOrderTests {
  private static func ids(_ numbers: some Sequence<Int>) -> [ObjectID] {
    numbers.map { ObjectID(rawValue: UInt64($0)) }
  }

  /// Applies a difference to the IDs before.
  private static func apply(
    _ difference: OrderDifference, _ before: [ObjectID], _ after: [ObjectID]
  ) -> [ObjectID] {
    var ids = before
    for position in difference.deletions.reversed() { ids.remove(at: position) }
    for position in difference.insertions { ids.insert(after[position], at: position) }
    return ids
  }

  /// Returns the greatest number of IDs whose order is the same in both.
  private static func longestStay(_ before: [ObjectID], _ after: [ObjectID]) -> Int {
    let places = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1, $0) })
    var lengths: [(place: Int, length: Int)] = []
    for place in after.compactMap({ places[$0] }) {
      lengths.append((place, 1 + (lengths.filter { $0.place < place }.map(\.length).max() ?? 0)))
    }
    return lengths.map(\.length).max() ?? 0
  }

  /// Returns all orders of all subsets of some IDs.
  private static func arrangements(of ids: [ObjectID]) -> [[ObjectID]] {
    [[]]
      + ids.flatMap { first in
        arrangements(of: ids.filter { $0 != first }).map { [first] + $0 }
      }
  }

  @Test func `differences of all small orders lead from one to the other, with the fewest moves`() {
    let all = Self.arrangements(of: Self.ids(1...4))
    #expect(all.count == 65)
    for before in all {
      for after in all {
        let difference = OrderDifference(from: before, to: after)
        #expect(Self.apply(difference, before, after) == after, "\(before) to \(after)")
        let stays = before.count - difference.deletions.count
        #expect(stays == Self.longestStay(before, after), "\(before) to \(after)")
      }
    }
  }

  /// Returns the length of the longest common subsequence.
  private static func longestCommon(_ before: [ObjectID], _ after: [ObjectID]) -> Int {
    var lengths = Array(repeating: 0, count: after.count + 1)
    for id in before {
      var diagonal = 0
      for (place, other) in after.enumerated() {
        let above = lengths[place + 1]
        lengths[place + 1] = id == other ? diagonal + 1 : max(above, lengths[place])
        diagonal = above
      }
    }
    return lengths[after.count]
  }

  @Test func `an ID that occurs several times is followed, with the fewest moves`() {
    let sequences = (0..<81).map { number in
      Self.ids([number % 3, number / 3 % 3, number / 9 % 3, number / 27 % 3])
    }
    for before in sequences {
      for after in sequences {
        let difference = OrderDifference(from: before, to: after)
        #expect(Self.apply(difference, before, after) == after, "\(before) to \(after)")
        let stays = before.count - difference.deletions.count
        #expect(stays == Self.longestCommon(before, after), "\(before) to \(after)")
      }
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `edits of a sequence of few different IDs are the fewest`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let kinds = Int.random(in: 2...6, using: &random)
    let before = Self.ids((0..<400).map { _ in Int.random(in: 0..<kinds, using: &random) })
    var after = before
    for _ in 0..<Int.random(in: 0..<60, using: &random) {
      let place = Int.random(in: 0..<after.count, using: &random)
      let id = ObjectID(rawValue: UInt64.random(in: 0...UInt64(kinds), using: &random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0: after.remove(at: place)
      case 1: after.insert(id, at: place)
      default: after.append(after.remove(at: place))
      }
    }
    let difference = OrderDifference(from: before, to: after)
    #expect(Self.apply(difference, before, after) == after)
    let stays = before.count - difference.deletions.count
    #expect(stays == Self.longestCommon(before, after))
    for move in difference.moves { #expect(before[move.from] == after[move.to]) }
  }

  @Test func `sequences that differ everywhere are compared by occurrence`() {
    var random = SeededGenerator(seed: 9)
    let before = Self.ids((0..<5_000).map { _ in Int.random(in: 0..<2, using: &random) })
    let after = before.shuffled(using: &random)
    let difference = OrderDifference(from: before, to: after)
    #expect(Self.apply(difference, before, after) == after)
    // All occurrences are matched: none is only inserted or only deleted.
    #expect(difference.moves.count == difference.insertions.count)
    #expect(difference.moves.count == difference.deletions.count)
  }

  @Test(.takesLong, arguments: 1...10 as ClosedRange<UInt64>)
  func `changed copies differ by the touched IDs, with the fewest moves`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let size = Int.random(in: 0..<900, using: &random)
    // IDs that lie close together, and those that do not.
    let step = seed % 2 == 0 ? 1 << 40 : 1
    var order = ObjectOrder(
      Self.ids((0..<size).map { $0 * step }).shuffled(using: &random))
    var next = size
    for round in 0..<30 {
      let before = order
      let ids = before.ids
      let count = Int.random(in: 0..<8, using: &random)
      let leaving = Set(ids.shuffled(using: &random).prefix(count))
      var places: [ObjectOrder.Place] = []
      for (piece, ids) in before.pieces.map(\.ids).enumerated() {
        for (index, id) in ids.enumerated() where leaving.contains(id) {
          places.append(ObjectOrder.Place(piece: piece, index: index))
        }
      }
      order.remove(at: places)
      #expect(order.ids == ids.filter { !leaving.contains($0) })
      // Some come back elsewhere, and others are new.
      var coming = Array(leaving.prefix(count / 2))
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        coming.append(ObjectID(rawValue: UInt64(next * step)))
        next += 1
      }
      let inserted = coming.map { id in
        guard !order.pieces.isEmpty else {
          return (id: id, place: ObjectOrder.Place(piece: 0, index: 0))
        }
        let piece = Int.random(in: 0..<order.pieces.count, using: &random)
        let index = Int.random(in: 0...order.pieces[piece].ids.count, using: &random)
        return (id: id, place: ObjectOrder.Place(piece: piece, index: index))
      }.sorted { $0.place < $1.place }
      order.insert(inserted)
      order.checkInvariants()
      let touched = SortedIDs(Array(leaving) + coming)
      let difference = OrderDifference(from: before, to: order, touched: touched)
      let note = "seed \(seed), round \(round)"
      #expect(Self.apply(difference, ids, order.ids) == order.ids, "\(note)")
      let whole = OrderDifference(from: ids, to: order.ids)
      #expect(Self.apply(whole, ids, order.ids) == order.ids, "\(note)")
      for found in [difference, whole] {
        #expect(ids.count - found.deletions.count == Self.longestStay(ids, order.ids), "\(note)")
      }
    }
  }

  @Test(arguments: [1, 15, 17, 1 << 40] as [Int])
  func `a table has the number of each ID that was given one`(step: Int) {
    let ids = Self.ids((5..<105).map { $0 * step })
    var table = PlaceTable(ids, upTo: 1_000)
    for (number, id) in ids.enumerated() where number % 3 != 0 { table[id] = number * 10 }
    for (number, id) in ids.enumerated() {
      #expect(table[id] == (number % 3 == 0 ? nil : number * 10))
    }
    #expect(table[ObjectID(rawValue: 0)] == nil && table[ObjectID(rawValue: .max)] == nil)
    table[ids[1]] = nil
    #expect(table[ids[1]] == nil)
    #expect(PlaceTable([], upTo: 0)[ids[0]] == nil)
  }

  @Test func `a search finds the place of each ID`() {
    let order = ObjectOrder(Self.ids(stride(from: 0, to: 2_000, by: 2)))
    for number in 0..<2_000 as Range<UInt64> {
      let id = ObjectID(rawValue: number)
      let place = order.place { $0 < id }
      #expect((order.place(of: id, at: place) != nil) == (number % 2 == 0))
    }
    #expect(order.ids(at: 190..<400) == Array(order.ids[190..<400]))
    #expect(order.ids(at: 990..<2_000) == Array(order.ids[990...]))
  }

  @Test func `sets of sorted IDs join, and find what they have`() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let left = (0..<Int.random(in: 0..<30, using: &random)).map { _ in
        ObjectID(rawValue: .random(in: 0..<60, using: &random))
      }
      let right = (0..<Int.random(in: 0..<30, using: &random)).map { _ in
        ObjectID(rawValue: .random(in: 0..<60, using: &random))
      }
      let union = SortedIDs(left).union(SortedIDs(right))
      #expect(union.ids == Set(left + right).sorted())
      let sieve = SievedIDs(union)
      for id in Self.ids(0..<60) {
        #expect(union.contains(id) == (left + right).contains(id))
        #expect(sieve.contains(id) == union.contains(id))
      }
    }
  }
}
