internal import WhimbrelLMDB

// The slots of a record, and the bytes that they point to: see ``RecordSlot``.
extension ByteBuffer {
  /// Makes a slot point to the next `length` bytes, which the caller must append afterwards.
  @inline(__always)
  mutating func appendPointer(at slot: RecordSlot, toNext length: Int) {
    let start = length == 0 ? 0 : count
    guard slot.isCompactPointer else {
      store(UInt32(start).littleEndian, at: slot.offset)
      return store(UInt32(length).littleEndian, at: slot.offset + 4)
    }
    if length < Int(RecordSlot.longMark) {
      point(slot, start, UInt8(length))
    } else {
      appendLongHeader(slot, UInt32(length))
    }
  }

  /// Clears the pointer of a slot.
  mutating func clearPointer(_ slot: RecordSlot) {
    if slot.isCompactPointer { return point(slot, 0, 0) }
    store(0 as UInt64, at: slot.offset)
  }

  /// Marks the bytes of a slot as stored in the overflow. With a compact slot, the length
  /// overwrites the start of the old bytes.
  ///
  /// - Returns: False if the bytes were not after the slots, which end at `slotsEnd`.
  mutating func becomeExternal(
    _ slot: RecordSlot, _ length: Int, after slotsEnd: Int
  ) -> Bool {
    guard slot.isCompactPointer else {
      setExternal(slot, length)
      return true
    }
    let start = Int(UInt16(littleEndian: bytes.load(UInt16.self, at: slot.offset)))
    guard start >= slotsEnd, bytes.contains(offset: start, count: RecordSlot.longHeaderSize) else {
      return false
    }
    store((UInt32(length) | RecordSlot.externalBit).littleEndian, at: start)
    point(slot, start, RecordSlot.longMark)
    return true
  }

  /// Marks the bytes of a slot as stored in the overflow.
  mutating func setExternal(_ slot: RecordSlot, _ length: Int) {
    guard slot.isCompactPointer else {
      store(RecordSlot.external.littleEndian, at: slot.offset)
      return store(UInt32(length).littleEndian, at: slot.offset + 4)
    }
    appendLongHeader(slot, UInt32(length) | RecordSlot.externalBit)
  }

  private mutating func appendLongHeader(_ slot: RecordSlot, _ header: UInt32) {
    point(slot, count, RecordSlot.longMark)
    appendZeros(RecordSlot.longHeaderSize)
    store(header.littleEndian, at: count - RecordSlot.longHeaderSize)
  }

  @inline(__always)
  private mutating func point(_ slot: RecordSlot, _ start: Int, _ length: UInt8) {
    // The encoder ensures that the offset fits.
    store(UInt16(truncatingIfNeeded: start).littleEndian, at: slot.offset)
    store(length, at: slot.offset + 2)
  }

  /// Appends a number that does not fit into its compact slot.
  mutating func appendLongInt(_ number: Int64, _ slot: RecordSlot) {
    let offset = Int32(UInt16(truncatingIfNeeded: count))
    store((Int32.min + offset).littleEndian, at: slot.offset)
    appendZeros(8)
    store(number.littleEndian, at: count - 8)
  }
}
