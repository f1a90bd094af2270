/// An ordered sequence of object IDs, in pieces that copies share.
///
/// A change replaces only the pieces that it touches, so an older copy costs only the pieces that
/// differ. Comparing two copies looks only at the pieces that they do not share: see
/// ``OrderDifference``.
///
/// Invariant: No piece is empty or has more than ``Piece/limit`` IDs.
package struct ObjectOrder: Sendable {
  /// An immutable piece of an order.
  final class Piece: Sendable {
    /// The maximum number of IDs in a piece.
    static let limit = 256
    /// The number of IDs in a new piece. It leaves room for insertions.
    static let filling = 192

    let ids: [ObjectID]

    init(_ ids: [ObjectID]) {
      assert(!ids.isEmpty && ids.count <= Self.limit)
      self.ids = ids
    }
  }

  /// A position in an order: the gap before an ID of a piece, or the ID itself.
  struct Place: Hashable, Comparable {
    var piece: Int
    var index: Int

    static func < (left: Place, right: Place) -> Bool {
      (left.piece, left.index) < (right.piece, right.index)
    }
  }

  private(set) var pieces: [Piece]
  /// The number of IDs.
  package private(set) var count: Int

  /// - Complexity: O(*n*).
  package init(_ ids: [ObjectID] = []) {
    pieces = stride(from: 0, to: ids.count, by: Piece.filling).map { start in
      Piece(Array(ids[start..<min(start + Piece.filling, ids.count)]))
    }
    count = ids.count
  }

  var first: ObjectID? { pieces.first?.ids.first }

  /// Returns whether both have the same pieces, which makes them copies of the same order.
  func isIdentical(to other: ObjectOrder) -> Bool {
    pieces.count == other.pieces.count && zip(pieces, other.pieces).allSatisfy { $0 === $1 }
  }

  /// The IDs in order.
  ///
  /// - Complexity: O(*n*).
  package var ids: [ObjectID] {
    var ids: [ObjectID] = []
    ids.reserveCapacity(count)
    for piece in pieces { ids += piece.ids }
    return ids
  }

  /// Returns the IDs at a range of positions. Positions past the end are ignored.
  func ids(at range: Range<Int>) -> [ObjectID] {
    var ids: [ObjectID] = []
    var start = 0
    for piece in pieces where start < range.upperBound {
      let (lower, upper) = (range.lowerBound - start, range.upperBound - start)
      let size = piece.ids.count
      if lower < size { ids += piece.ids[max(lower, 0)..<min(upper, size)] }
      start += size
    }
    return ids
  }
}

// MARK: - Searching

extension ObjectOrder {
  /// Returns the place after all objects that precede the one that is searched for.
  ///
  /// - Parameter precedes: A closure that returns whether an object of the order precedes the one
  ///   that is searched for.
  /// - Complexity: O(log *n*) calls.
  func place(_ precedes: (ObjectID) throws -> Bool) rethrows -> Place {
    let piece = try pieces.partitionPoint { try !precedes($0.ids[0]) } - 1
    guard piece >= 0 else { return Place(piece: 0, index: 0) }
    let ids = pieces[piece].ids
    let index = try ids.partitionPoint { try !precedes($0) }
    return Place(piece: piece, index: index)
  }

  /// Returns the place of an object, given the result of a search for it, or nil if another object
  /// is there.
  func place(of id: ObjectID, at place: Place) -> Place? {
    guard place.piece < pieces.count else { return nil }
    let ids = pieces[place.piece].ids
    if place.index < ids.count { return ids[place.index] == id ? place : nil }
    // The end of a piece is the same place as the beginning of the next.
    guard place.piece + 1 < pieces.count, pieces[place.piece + 1].ids[0] == id else { return nil }
    return Place(piece: place.piece + 1, index: 0)
  }
}

// MARK: - Changing

extension ObjectOrder {
  /// Removes the IDs at some places, which must ascend.
  ///
  /// - Complexity: O(*k*) for *k* places, and a copy of the references to all pieces.
  mutating func remove(at places: [Place]) {
    guard !places.isEmpty else { return }
    var rest = places[...]
    var result: [Piece] = []
    result.reserveCapacity(pieces.count)
    var next = 0
    while let place = rest.first {
      result += pieces[next..<place.piece]
      var kept = pieces[place.piece].ids
      let removed = rest.prefix { $0.piece == place.piece }
      for place in removed.reversed() { kept.remove(at: place.index) }
      rest = rest.dropFirst(removed.count)
      next = place.piece + 1
      Self.append(kept, to: &result)
    }
    result += pieces[next...]
    pieces = result
    count -= places.count
  }

  /// Inserts IDs at places, which must ascend. IDs with the same place keep their order.
  ///
  /// - Complexity: Like ``remove(at:)``.
  mutating func insert(_ ids: [(id: ObjectID, place: Place)]) {
    guard !ids.isEmpty else { return }
    if pieces.isEmpty {
      self = ObjectOrder(ids.map(\.id))
      return
    }
    var rest = ids[...]
    var result: [Piece] = []
    result.reserveCapacity(pieces.count + 1)
    var next = 0
    while let piece = rest.first?.place.piece {
      result += pieces[next..<piece]
      let old = pieces[piece].ids
      var merged: [ObjectID] = []
      var taken = 0
      while let (id, place) = rest.first, place.piece == piece {
        merged += old[taken..<place.index]
        merged.append(id)
        taken = place.index
        rest = rest.dropFirst()
      }
      merged += old[taken...]
      next = piece + 1
      Self.append(merged, to: &result)
    }
    result += pieces[next...]
    pieces = result
    count += ids.count
  }

  /// Appends IDs as one piece, or as several if there are too many. A small piece is joined with
  /// the previous one.
  private static func append(_ ids: [ObjectID], to pieces: inout [Piece]) {
    if ids.isEmpty { return }
    if ids.count < Piece.limit / 8, let last = pieces.last,
      last.ids.count + ids.count <= Piece.filling
    {
      pieces[pieces.count - 1] = Piece(last.ids + ids)
      return
    }
    guard ids.count > Piece.limit else { return pieces.append(Piece(ids)) }
    pieces += ObjectOrder(ids).pieces
  }

  /// Checks the invariant, for tests.
  package func checkInvariants() {
    precondition(pieces.allSatisfy { !$0.ids.isEmpty && $0.ids.count <= Piece.limit })
    precondition(count == pieces.reduce(0) { $0 + $1.ids.count })
  }
}
