internal import Foundation
package import WhimbrelLMDB

/// The overflow of one object: the values outside the record. These are long texts and data, in
/// chunks, and the nodes of large collections.
///
/// The overflow table of a class has keys of 16 bytes: the object ID, the property ID and a number,
/// each big-endian. Long texts, data and values of any type are the chunks 0, 1, 2 … of their
/// property. ``CollectionTree`` numbers the nodes of a collection and the chunks of its long
/// elements. A chunk is
///
/// | bytes | content |
/// |---|---|
/// | 0 ..< 4 | checksum |
/// | 4 | kind: 4 |
/// | 5 ..< 8 | zero |
/// | 8 ..< 12 | count of content bytes |
/// | 12 ..< 16 | zero |
/// | 16 … | content bytes, then zeros up to a multiple of eight |
///
/// An overflow entry has at most 64 KiB, so that LMDB finds room for it anywhere.
///
/// Invariant: An overflow entry belongs to a property whose slot contains the mark of overflow: see
/// ``RecordSlot``.
package struct Overflow {
  let source: Source

  enum Source {
    case none
    /// The seed is that of the record, or nil if checksums are not checked.
    case stored(ReadView, Table, ObjectID, seed: UInt64?)
    case memory(MemoryNodes)
    indirect case pending(PendingOverflow, over: Overflow)
  }

  /// The maximum content of a chunk, in bytes.
  package static let chunkSize = 65_536 - 64
  static let chunkKind: UInt8 = 4
  /// The bytes before the content of a chunk.
  static let headerSize = 16

  /// The overflow of an object that has none.
  package static var none: Overflow { Overflow(source: .none) }

  private init(source: Source) { self.source = source }

  /// Creates the overflow of an object. Without a table, it has no values.
  ///
  /// - Parameter seed: The seed of the object's checksums, or nil if the caller checks them.
  package init(_ view: ReadView, _ table: Table?, _ id: ObjectID, seed: UInt64?) {
    source = table.map { .stored(view, $0, id, seed: seed) } ?? .none
  }

  /// Creates the overflow of one collection in memory, for any property.
  init(_ nodes: MemoryNodes) { source = .memory(nodes) }

  /// Creates the overflow that an object has after an encoder is written: the pending values, and
  /// the stored values of all other properties.
  init(_ pending: PendingOverflow, over stored: Overflow) {
    source = .pending(pending, over: stored)
  }

  /// Returns the overflow entry with a number, or nil. It is valid as long as the record is.
  ///
  /// - Parameter isChecked: Whether a wrong checksum is an error.
  func entry(
    _ property: PropertyID, _ number: UInt32, isChecked: Bool = true
  ) throws -> PageBytes? {
    switch source {
    case .none:
      return nil
    case .stored(let view, let table, let id, let seed):
      var key = Key(id, property, number)
      let found = try PageBytes.with(&key) { key throws(LMDBError) in try view.value(table, key) }
      guard let found else { return nil }
      if isChecked, let seed, !OverflowWriter.isSound(found, seed: seed, property, number) {
        throw DamagedRecord(detail: "part of it has a wrong checksum")
      }
      return found
    case .memory(let nodes):
      return nodes.node(number)
    case .pending(let pending, let stored):
      if pending[property] == nil {
        return try stored.entry(property, number, isChecked: isChecked)
      }
      return try pending.entry(property, number)
    }
  }

  /// The key of an overflow entry, as its bytes in the table.
  private struct Key: BitwiseCopyable {
    // Invariant: The numbers are big-endian, and no padding lies between them.
    let id: UInt64
    let property: UInt32
    let number: UInt32

    init(_ id: ObjectID, _ property: PropertyID, _ number: UInt32) {
      self.id = id.rawValue.bigEndian
      self.property = property.rawValue.bigEndian
      self.number = number.bigEndian
    }
  }

  static func key(_ id: ObjectID, _ property: PropertyID, _ number: UInt32) -> [UInt8] {
    var key = Key(id, property, number)
    return PageBytes.with(&key) { $0.array }
  }
}

// MARK: - Keys

extension Overflow {
  /// Returns the numbers of a property's overflow entries, in order.
  func numbers(of property: PropertyID) throws -> [UInt32] {
    switch source {
    case .none:
      return []
    case .stored(let view, let table, let id, _):
      let prefix = Array(Self.key(id, property, 0).prefix(12))
      return try Self.keys(withPrefix: prefix, in: view, table).compactMap { key in
        key.count == 16 ? key[12...].reduce(0) { $0 << 8 | UInt32($1) } : nil
      }
    case .memory(let nodes):
      return nodes.numbers.sorted()
    case .pending(let pending, let stored):
      switch pending[property] {
      case .nodes(let nodes): return nodes.numbers.sorted()
      case .copied(let overflow, let other): return try overflow.numbers(of: other)
      case nil: return try stored.numbers(of: property)
      }
    }
  }

  static func keys(
    withPrefix prefix: [UInt8], in view: ReadView, _ table: Table
  ) throws -> [[UInt8]] {
    var keys: [[UInt8]] = []
    let cursor = try view.cursor(table)
    var isInside = try cursor.seek(atLeast: prefix)
    while isInside, cursor.key.hasPrefix(prefix) {
      keys.append(cursor.key.array)
      isInside = try cursor.move(to: .next)
    }
    return keys
  }
}

// MARK: - Chunks

extension Overflow {
  /// Calls `body` with each chunk of a value.
  ///
  /// - Throws: ``DamagedRecord`` if the chunks do not add up to the length.
  func forEachChunk(
    of property: PropertyID, from first: UInt32 = 0, length: Int, _ body: (PageBytes) -> Void
  ) throws {
    var rest = length
    var number = first
    while rest > 0 {
      guard let overflowEntry = try entry(property, number), let bytes = Self.chunk(overflowEntry),
        bytes.count == min(rest, Self.chunkSize)
      else { throw DamagedRecord(detail: "a chunk of text or data is missing or damaged") }
      body(bytes)
      rest -= bytes.count
      number &+= 1
    }
  }

  /// Returns the content of a chunk, or nil if the overflow entry is not a chunk.
  static func chunk(_ overflowEntry: PageBytes) -> PageBytes? {
    guard overflowEntry.count >= headerSize, overflowEntry.load(UInt8.self, at: 4) == chunkKind
    else {
      return nil
    }
    let count = UInt32(littleEndian: overflowEntry.load(UInt32.self, at: 8))
    return overflowEntry.slice(at: headerSize, count: Int(count))
  }

  /// Returns a whole value that is stored in chunks.
  func bytes(_ property: PropertyID, from first: UInt32 = 0, length: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    // A damaged slot can hold any length, so memory is reserved for at most 1 MiB at once.
    bytes.reserveCapacity(min(length, 1 << 20))
    try forEachChunk(of: property, from: first, length: length) { chunk in
      // Safe: the chunk is valid until the next write.
      unsafe bytes.append(
        contentsOf: UnsafeRawBufferPointer(start: chunk.base, count: chunk.count))
    }
    return bytes
  }

  static func chunks(_ bytes: [UInt8]) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: chunkSize).map { start in
      let content = bytes[start..<min(start + chunkSize, bytes.count)]
      var chunk = [UInt8](repeating: 0, count: headerSize)
      chunk.reserveCapacity(headerSize + content.count + 7)
      chunk[4] = chunkKind
      let count = UInt32(content.count)
      for byte in 0..<4 { chunk[8 + byte] = UInt8(truncatingIfNeeded: count >> (8 * byte)) }
      chunk.append(contentsOf: content)
      chunk.append(contentsOf: repeatElement(0, count: -chunk.count & 7))
      return chunk
    }
  }
}

// MARK: - Checks

extension Overflow {
  /// The maximum number of elements in one node: each takes a byte, and an overflow entry has 64
  /// KiB.
  private static let nodeLimit = 1 << 16
  /// The size of the largest pages, in bytes. LMDB: `MAX_PAGESIZE`.
  private static let largestPage = 1 << 15

  /// Checks that the overflow of the class has room for the elements of a collection.
  ///
  /// The number of elements comes from the root, and in a damaged file it can be any number.
  /// Callers reserve memory for it, which ends the program if there is not enough.
  ///
  /// - Throws: ``DamagedRecord``.
  func requireRoom(for count: Int) throws {
    guard count > Self.nodeLimit, case .stored(let view, let table, _, _) = source else { return }
    guard count / Self.largestPage < (try view.statistics(table).pages) else {
      throw DamagedRecord(detail: "a collection claims \(count) elements")
    }
  }

  /// Returns the numbers of all overflow entries that a slot refers to.
  func reachable(_ field: RecordField, of record: PageBytes) throws -> [UInt32] {
    guard let element = field.type.elementType else {
      let count = (record.length(at: field.slot) + Self.chunkSize - 1) / Self.chunkSize
      return Array(0..<UInt32(count))
    }
    return try CollectionReader(record, field, element, self).overflowNumbers()
  }
}

extension Overflow {
  /// Returns the size of a property's overflow, in bytes.
  ///
  /// - Complexity: O(*overflow*).
  package func byteCount(of property: PropertyID) throws -> Int {
    try numbers(of: property).reduce(0) { try $0 + (entry(property, $1)?.count ?? 0) }
  }
}
