internal import WhimbrelLMDB

/// A cache of the objects of one class that were converted in memory last.
///
/// It has two halves. When the newer half is full, the older half is reused. So bytes stay valid at
/// least until as many other objects have been converted as one half holds.
final class ConvertedRecords {
  private struct Half: ~Copyable {
    /// The objects, and their bytes at the same positions. There may be more buffers than objects.
    var ids: [ObjectID] = []
    var buffers: [Buffer] = []
    /// The position of the object that was kept last, by the low bits of its ID. If another object
    /// has displaced an object here, it is converted again when it is read.
    var places = [Int16](repeating: -1, count: 2 * limit)
    var pending: [ObjectID: PendingOverflow] = [:]
    var size = 0

    static func slot(_ id: ObjectID) -> Int {
      Int(truncatingIfNeeded: id.rawValue) & (2 * limit - 1)
    }

    mutating func removeAll() {
      for id in ids { places[Self.slot(id)] = -1 }
      ids.removeAll(keepingCapacity: true)
      if !pending.isEmpty { pending.removeAll() }
      size = 0
    }
  }

  private final class Buffer {
    // Safe: no other code accesses the bytes while they are changed.
    @safe @exclusivity(unchecked) var bytes = ByteBuffer()
  }

  // Safe: one object is kept at a time.
  @safe @exclusivity(unchecked) private var current = Half()
  @safe @exclusivity(unchecked) private var previous = Half()

  /// The number of objects that one half holds, a power of two.
  private static let limit = 512
  private static let sizeLimit = 1 << 20

  /// Returns the record of an object that was converted, or nil.
  func record(_ id: ObjectID) -> PageBytes? {
    let place = Int(current.places[Half.slot(id)])
    guard place >= 0, current.ids[place] == id else { return nil }
    return current.buffers[place].bytes.bytes
  }

  /// Returns the overflow of a converted object that is not stored, or nil if there is none.
  func pending(_ id: ObjectID) -> PendingOverflow? {
    // An object in both halves is the same in both: nothing was written in between.
    if current.pending.isEmpty, previous.pending.isEmpty { return nil }
    return current.pending[id] ?? previous.pending[id]
  }

  /// Keeps a converted object.
  ///
  /// - Returns: The bytes kept, and whether bytes that were given out before may soon be invalid.
  func keep(
    _ converted: ObjectConverter.Converted, _ id: ObjectID
  ) throws -> (PageBytes, turns: Bool) {
    var turns = false
    if current.ids.count >= Self.limit || current.size >= Self.sizeLimit {
      swap(&current, &previous)
      current.removeAll()
      turns = true
    }
    let place = current.ids.count
    if place == current.buffers.count { current.buffers.append(Buffer()) }
    let buffer = current.buffers[place]
    buffer.bytes.reset(copying: converted.record)
    current.places[Half.slot(id)] = Int16(place)
    current.ids.append(id)
    current.size += converted.record.count
    if !converted.pending.isEmpty { current.pending[id] = try converted.pending.copy() }
    return (buffer.bytes.bytes, turns)
  }

  /// Forgets all objects. Bytes that were given out before are not valid any more.
  func removeAll() {
    current.removeAll()
    previous.removeAll()
  }
}

extension PendingOverflow {
  /// Returns a copy that does not depend on the overflow of another object.
  func copy() throws -> PendingOverflow {
    let copy = PendingOverflow()
    for (property, content) in contents {
      switch content {
      case .nodes: copy[property] = content
      case .copied(let overflow, let other):
        var nodes = MemoryNodes()
        for number in try overflow.numbers(of: other) {
          if let entry = try overflow.entry(other, number) { nodes.put(number, entry.array) }
        }
        copy[property] = .nodes(nodes)
      }
    }
    return copy
  }
}
