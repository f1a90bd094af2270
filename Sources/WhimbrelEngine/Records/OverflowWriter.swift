internal import WhimbrelLMDB

/// A writer of one object's overflow.
package struct OverflowWriter {
  let view: WriteView
  let table: Table
  let id: ObjectID
  /// The seed of the object's record: see `ResolvedClass.checksumSeed`.
  let seed: UInt64

  /// The overflow that is stored now.
  var stored: Overflow { Overflow(view.reading, table, id, seed: seed) }

  private func key(_ property: PropertyID, _ number: UInt32) -> [UInt8] {
    Overflow.key(id, property, number)
  }

  /// Signs an overflow entry and writes it.
  func put(_ property: PropertyID, _ number: UInt32, _ bytes: [UInt8]) throws {
    try view.put(
      table, key(property, number), Self.signed(bytes, seed: seed, property, number))
  }

  /// Returns the bytes of an overflow entry with their checksum.
  ///
  /// - Parameter seed: The seed of the object's record.
  package static func signed(
    _ bytes: [UInt8], seed: UInt64, _ property: PropertyID, _ number: UInt32
  ) -> [UInt8] {
    var bytes = bytes
    for offset in 0..<4 { bytes[offset] = 0 }
    let seed = Self.seed(seed, property, number)
    let checksum = PageBytes.with(bytes) { Checksum.record($0, hole: 0, seed: seed) }
    for offset in 0..<4 { bytes[offset] = UInt8(truncatingIfNeeded: checksum >> (8 * offset)) }
    return bytes
  }

  func remove(_ property: PropertyID, _ number: UInt32) throws {
    try PageBytes.with(key(property, number)) { key throws(LMDBError) in
      _ = try view.remove(table, key)
    }
  }

  /// Removes all overflow of a property, or of all properties.
  func removeAll(of property: PropertyID? = nil) throws {
    var prefix = id.key
    if let property {
      prefix.append(contentsOf: Overflow.key(id, property, 0)[8..<12])
    }
    // Collects the keys first: a cursor does not keep its position while entries are removed.
    let keys = try Overflow.keys(withPrefix: prefix, in: view.reading, table)
    for key in keys {
      try PageBytes.with(key) { key throws(LMDBError) in _ = try view.remove(table, key) }
    }
  }

  /// Writes the overflow that an encoder built, and returns its size in bytes.
  @discardableResult
  func write(_ pending: PendingOverflow) throws -> Int {
    var size = 0
    // None of these is copied from another one of them: a property with a new ID takes the values of
    // one that the object no longer has.
    for property in pending.contents.keys.sorted() { try removeAll(of: property) }
    try pending.forEach { property, number, overflowEntry in
      try put(property, number, overflowEntry.array)
      size += overflowEntry.count
    }
    return size
  }

  /// Returns the checksum seed of an overflow entry, which ties it to its object, property and
  /// number.
  static func seed(_ seed: UInt64, _ property: PropertyID, _ number: UInt32) -> UInt64 {
    // The multiplication spreads the bits of property and number over the whole seed.
    seed ^ ((UInt64(property.rawValue) << 32 | UInt64(number)) &* 0x9E37_79B9_7F4A_7C15)
  }

  /// Returns whether the checksum of an overflow entry is correct.
  static func isSound(
    _ overflowEntry: PageBytes, seed: UInt64, _ property: PropertyID, _ number: UInt32
  ) -> Bool {
    guard overflowEntry.count >= Overflow.headerSize, overflowEntry.count & 7 == 0 else {
      return false
    }
    let stored = UInt32(littleEndian: overflowEntry.load(UInt32.self, at: 0))
    return stored
      == Checksum.record(overflowEntry, hole: 0, seed: Self.seed(seed, property, number))
  }
}
