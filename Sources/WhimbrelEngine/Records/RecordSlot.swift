package import WhimbrelLMDB

/// The bytes of a record that belong to one property.
///
/// Most slots hold the value. Texts, data, values of any type and collections have a slot that
/// points to bytes after the slots. Slots have two forms. Layouts of formats before 8 have *wide*
/// slots:
///
/// | bytes | content of a wide pointer |
/// |---|---|
/// | 0 ..< 4 | offset of the bytes, or ``external`` |
/// | 4 ..< 8 | their length |
///
/// Later layouts have *compact* slots, unless their slots take more than ``compactLimit`` bytes:
///
/// | bytes | content of a compact pointer |
/// |---|---|
/// | 0 ..< 2 | offset of the bytes |
/// | 2 | their length, or 255 |
///
/// With 255, the offset points to four bytes with the length, and the value follows them. If the
/// highest bit of these four bytes is set, nothing follows: the value is in the overflow of the
/// class, see ``Overflow``.
///
/// A whole number has a compact slot of four bytes. A number that does not fit, or is below
/// ``leastShortInt``, is stored after the slots. The slot then holds its offset, added to the
/// smallest 32-bit integer.
package struct RecordSlot: BitwiseCopyable, Hashable, Sendable {
  private let start: Int32
  /// The size in bytes.
  package let size: UInt8

  /// The offset in the record, in bytes.
  @inline(__always)
  package var offset: Int { Int(start) }

  /// - Parameter offset: The offset. An offset from a damaged file can be any number. One that does
  ///   not fit is clamped to a value that ``RecordLayout/isValid`` refuses.
  package init(offset: Int, size: Int) {
    start = Int32(clamping: offset)
    self.size = UInt8(clamping: size)
  }

  /// The offset that a wide pointer has if its bytes are in the overflow.
  package static let external = UInt32.max
  /// The size of a compact pointer, in bytes. No other slot has this size.
  static let compactPointerSize: UInt8 = 3
  /// The length in a compact pointer whose bytes are preceded by their length.
  static let longMark = UInt8.max
  /// The bit, in a length before the bytes, that marks the bytes as stored in the overflow.
  static let externalBit: UInt32 = 1 << 31
  /// The size of a length before the bytes.
  static let longHeaderSize = 4
  /// The size of a whole number's compact slot, in bytes.
  static let compactIntSize: UInt8 = 4
  /// The smallest whole number that a compact slot holds.
  static let leastShortInt = Int32.min + Int32(UInt16.max) + 1
  /// The maximum ``RecordLayout/fixedSize`` of a layout with compact slots. With this limit, two
  /// bytes can still point to everything that a record may hold.
  static let compactLimit = 16_384

  /// Whether this is a compact slot that points to bytes.
  @inline(__always)
  var isCompactPointer: Bool { size == Self.compactPointerSize }
}

extension PropertyType {
  /// The size of a compact slot of this type, in bytes.
  var compactSlotSize: Int {
    if isVariable { return Int(RecordSlot.compactPointerSize) }
    return self == .int ? Int(RecordSlot.compactIntSize) : slotSize
  }
}

// MARK: - Bytes that a slot points to

extension PageBytes {
  /// Returns the bytes that a slot points to. Returns nil if they are in the overflow or lie
  /// outside the record.
  @inline(__always)
  package func variable(at slot: RecordSlot) -> PageBytes? {
    guard let place = place(of: slot) else { return nil }
    return slice(at: place.start, count: place.length)
  }

  /// Returns the range of the bytes that a slot points to. Returns nil if they are in the overflow
  /// or if their length lies outside the record. The range can lie outside the record.
  @inline(__always)
  func place(of slot: RecordSlot) -> (start: Int, length: Int)? {
    let offset = slot.offset
    guard slot.isCompactPointer else {
      let start = UInt32(littleEndian: load(UInt32.self, at: offset))
      return (Int(start), Int(UInt32(littleEndian: load(UInt32.self, at: offset + 4))))
    }
    let start = Int(UInt16(littleEndian: load(UInt16.self, at: offset)))
    let length = load(UInt8.self, at: offset + 2)
    return length < RecordSlot.longMark ? (start, Int(length)) : longPlace(start)
  }

  @inline(never)
  private func longPlace(_ start: Int) -> (start: Int, length: Int)? {
    guard let length = longHeader(start), length & RecordSlot.externalBit == 0 else { return nil }
    return (start + RecordSlot.longHeaderSize, Int(length))
  }

  /// Returns the length before the bytes, with the bit of the overflow. Returns nil if it lies
  /// outside the record.
  private func longHeader(_ start: Int) -> UInt32? {
    guard contains(offset: start, count: RecordSlot.longHeaderSize) else { return nil }
    return UInt32(littleEndian: load(UInt32.self, at: start))
  }

  /// Returns the length before the bytes of a compact pointer that has one.
  private func longHeader(_ slot: RecordSlot) -> UInt32? {
    guard load(UInt8.self, at: slot.offset + 2) == RecordSlot.longMark else { return nil }
    return longHeader(Int(UInt16(littleEndian: load(UInt16.self, at: slot.offset))))
  }

  /// Returns whether a slot is the same as in an empty record.
  @inline(__always)
  func isEmptyPointer(_ slot: RecordSlot) -> Bool {
    slot.isCompactPointer
      ? load(UInt8.self, at: slot.offset + 2) == 0 : load(UInt64.self, at: slot.offset) == 0
  }

  /// Returns whether the value of a slot is in the overflow.
  @inline(__always)
  package func isExternal(at slot: RecordSlot) -> Bool {
    guard slot.isCompactPointer else {
      return UInt32(littleEndian: load(UInt32.self, at: slot.offset)) == RecordSlot.external
    }
    return longHeader(slot).map { $0 & RecordSlot.externalBit != 0 } ?? false
  }

  /// Returns the length that a slot contains, or 0 if it lies outside the record.
  func length(at slot: RecordSlot) -> Int {
    guard slot.isCompactPointer else {
      return Int(UInt32(littleEndian: load(UInt32.self, at: slot.offset + 4)))
    }
    let length = load(UInt8.self, at: slot.offset + 2)
    if length < RecordSlot.longMark { return Int(length) }
    return longHeader(slot).map { Int($0 & ~RecordSlot.externalBit) } ?? 0
  }
}

// MARK: - Whole numbers

extension PageBytes {
  /// Returns the whole number of a slot. If the slot points outside the record, the result is 0:
  /// see ``hasInt(at:)``.
  @inline(__always)
  package func int(at slot: RecordSlot) -> Int64 {
    if slot.size != RecordSlot.compactIntSize {
      return Int64(littleEndian: load(Int64.self, at: slot.offset))
    }
    return compactInt(at: slot.offset)
  }

  /// Returns the whole number of a compact slot at an offset.
  @inline(__always)
  func compactInt(at offset: Int) -> Int64 {
    let short = Int32(littleEndian: load(Int32.self, at: offset))
    return short >= RecordSlot.leastShortInt ? Int64(short) : longInt(short)
  }

  @inline(never)
  private func longInt(_ short: Int32) -> Int64 {
    slice(at: Self.longIntOffset(short), count: 8)
      .map { Int64(littleEndian: $0.load(Int64.self, at: 0)) } ?? 0
  }

  private static func longIntOffset(_ short: Int32) -> Int { Int(short) - Int(Int32.min) }

  /// Returns the offset of the number that a compact slot points to, or nil if the slot holds the
  /// number.
  func longIntOffset(at slot: RecordSlot) -> Int? {
    let short = Int32(littleEndian: load(Int32.self, at: slot.offset))
    return short >= RecordSlot.leastShortInt ? nil : Self.longIntOffset(short)
  }

  /// Returns whether the number of a compact slot lies inside the record.
  func hasInt(at slot: RecordSlot) -> Bool {
    longIntOffset(at: slot).map { contains(offset: $0, count: 8) } ?? true
  }
}
