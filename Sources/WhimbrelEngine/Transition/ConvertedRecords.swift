internal import WhimbrelLMDB

/// The objects of one class that were converted in memory last.
///
/// Bytes stay valid until as many other objects were converted as one of two halves holds: then the
/// older half is reused.
final class ConvertedRecords {
  private struct Half: ~Copyable {
    var buffers: [Buffer] = []
    var places: [ObjectID: Int] = [:]
    var pending: [ObjectID: PendingOverflow] = [:]
    var size = 0

    mutating func removeAll() {
      places.removeAll(keepingCapacity: true)
      pending.removeAll()
      size = 0
    }
  }

  private final class Buffer {
    var bytes = ByteBuffer()
  }

  private var current = Half()
  private var previous = Half()

  private static let limit = 512
  private static let sizeLimit = 1 << 20

  /// Returns the record of an object that was converted, or nil.
  func record(_ id: ObjectID) -> PageBytes? {
    current.places[id].map { current.buffers[$0].bytes.bytes }
  }

  /// Returns the overflow of a converted object that is not stored, or nil if there is none.
  func pending(_ id: ObjectID) -> PendingOverflow? {
    current.pending[id] ?? (current.places[id] == nil ? previous.pending[id] : nil)
  }

  /// Keeps a converted object.
  ///
  /// - Returns: The bytes kept, and whether bytes given out before may soon be void.
  func keep(
    _ converted: ObjectConverter.Converted, _ id: ObjectID
  ) throws -> (PageBytes, turns: Bool) {
    var turns = false
    if current.places.count >= Self.limit || current.size >= Self.sizeLimit {
      swap(&current, &previous)
      current.removeAll()
      turns = true
    }
    let place = current.places.count
    if place == current.buffers.count { current.buffers.append(Buffer()) }
    let buffer = current.buffers[place]
    buffer.bytes.reset(copying: converted.record)
    current.places[id] = place
    current.size += converted.record.count
    if !converted.pending.isEmpty { current.pending[id] = try converted.pending.copy() }
    return (buffer.bytes.bytes, turns)
  }

  /// Forgets all objects; bytes given out before are void.
  func removeAll() {
    current.removeAll()
    previous.removeAll()
  }
}

extension PendingOverflow {
  /// Returns a copy that does not depend on the overflow of others.
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
