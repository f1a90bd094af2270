/// A sequence of object IDs in ascending order, stored as the distances between them.
///
/// A class may have more objects than there is memory for their IDs. If the sequence contains a
/// good part of a class, an ID takes one byte. It never takes more than ten.
struct PackedIDs: Sequence {
  /// Each distance in groups of seven bits, the lowest first. All groups but the last have the top
  /// bit set.
  private var bytes: [UInt8] = []
  private var last: UInt64 = 0

  /// - Parameter id: An ID that is not less than the previous ones.
  @inline(__always)
  mutating func append(_ id: ObjectID) {
    var distance = id.rawValue - last
    last = id.rawValue
    while distance >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: distance) | 0x80)
      distance >>= 7
    }
    bytes.append(UInt8(distance))
  }

  struct Iterator: IteratorProtocol {
    private var bytes: [UInt8].Iterator
    private var last: UInt64 = 0

    fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes.makeIterator() }

    mutating func next() -> ObjectID? {
      guard var byte = bytes.next() else { return nil }
      var (distance, shift) = (UInt64(byte & 0x7F), 7)
      while byte >= 0x80, let next = bytes.next() {
        byte = next
        distance |= UInt64(byte & 0x7F) << shift
        shift += 7
      }
      last += distance
      return ObjectID(rawValue: last)
    }
  }

  func makeIterator() -> Iterator { Iterator(bytes) }
}
