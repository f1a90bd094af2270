internal import Foundation
package import WhimbrelLMDB

/// A builder of records in the layout that a class writes.
package struct RecordEncoder: ~Copyable {
  var buffer = ByteBuffer(capacity: 1_024)
  /// The buffer that replaces `buffer` when garbage is collected.
  private var other = ByteBuffer()
  /// Whether the buffer contains bytes of replaced values, which no slot points to.
  private var hasGarbage = false
  /// Whether the copied record cannot come from an encoder: its values overlap, so together they
  /// take more bytes than the record has.
  private var isDamaged = false
  /// The flags of the properties that were set since ``begin(taking:_:_:)``.
  private var setFlags: UInt64 = 0
  package let target: ResolvedClass
  private let places: StaticArray<ResolvedLayout.Place>.View
  /// The values of the object that are stored outside the record.
  let pending = PendingOverflow()

  /// The limit of text or data, in bytes.
  package static let maximumValueSize = Int(Int32.max)
  /// The limit of text or data in a record, in bytes. Longer values go to the overflow.
  static let inlineLimit = 1_000
  /// The limit of a collection's root in a record, in bytes.
  static let inlineCollectionLimit = 256
  /// The limit of a record, in bytes. Beyond it, the longest values go to the overflow.
  static let recordLimit = 60_000
  /// The largest offset that a compact pointer can hold.
  private static let compactReach = Int(UInt16.max)

  package init(_ target: ResolvedClass) {
    self.target = target
    places = target.written.places
  }

  /// The record so far, without its checksum.
  package var bytes: PageBytes { buffer.bytes }

  /// Begins an empty record: no property has a value.
  package mutating func begin() {
    let layout = target.written.layout
    buffer.reset(zeros: layout.fixedSize)
    buffer.store(layout.id.rawValue.littleEndian, at: 0)
    (hasGarbage, isDamaged) = (false, false)
    pending.removeAll()
  }

  /// Begins with a copy of a record that already has the written layout.
  package mutating func begin(copying record: PageBytes) {
    buffer.reset(copying: record)
    hasGarbage = false
    isDamaged = record.count > Self.compactReach && target.written.layout.isCompact
    pending.removeAll()
  }

  /// Begins with an unsigned record in the written layout, and clears the set of properties that
  /// were set.
  mutating func begin(with template: PageBytes) {
    buffer.reset(copying: template)
    setFlags = 0
    (hasGarbage, isDamaged) = (false, false)
    pending.removeAll()
  }

  /// Copies bytes of another record into slots.
  mutating func overwrite(at offset: Int, from record: PageBytes, at start: Int, count: Int) {
    buffer.overwrite(at: offset, from: record, at: start, count: count)
  }

  /// Begins with the values of a record in any layout of the same table. Its overflow stays in
  /// place.
  package mutating func begin(
    converting record: PageBytes, _ source: ResolvedLayout, _ overflow: Overflow
  ) throws {
    begin()
    for index in source.slots.indices {
      try copy(index, from: record, source, overflow, .staying)
    }
  }

  /// The treatment of the overflow of a property that is copied.
  package enum OverflowTransfer {
    /// The overflow belongs to the same object and stays in place.
    case staying
    /// The overflow is written again, for another object or table.
    case copied
  }

  /// Copies a property from a record in any layout.
  package mutating func copy(
    _ index: Int, from record: PageBytes, _ source: ResolvedLayout, _ overflow: Overflow,
    _ transfer: OverflowTransfer
  ) throws {
    let slot = source.slotView[index]
    guard slot.access != .conversion else {
      return try setStored(index, source.value(index, of: record, overflow))
    }
    if slot.access == .present, !record.hasBit(Int(slot.presence)) { return setNull(index) }
    let place = place(index)
    if place.isInt {
      store(record.int(at: slot.place), at: place.slot)
    } else if !place.isVariable {
      buffer.overwrite(
        at: place.slot.offset, from: record, at: slot.offset, count: Int(place.slot.size))
    } else if record.isExternal(at: slot.place) {
      pointToOverflow(index, record.length(at: slot.place))
      if transfer == .copied, let stored = source.fields[index] {
        pending[field(index).property] = .copied(overflow, stored.property)
      }
    } else {
      guard let content = record.variable(at: slot.place) else { throw DamagedRecord() }
      append(content, index)
    }
    mark(place, hasValue: true, isAssigned: source.isAssigned(index, of: record))
  }

  /// Returns whether a property was set since ``begin(taking:_:_:)``. Only the first 64 properties
  /// are tracked.
  func hasSet(_ index: Int) -> Bool { setFlags & place(index).flag != 0 }

  /// Returns whether all properties with these flags were set since ``begin(taking:_:_:)``.
  func hasSet(allOf flags: UInt64) -> Bool { setFlags & flags == flags }

  // MARK: Values by type

  @inline(__always)
  mutating func mark(
    _ place: ResolvedLayout.Place, hasValue: Bool, isAssigned: Bool = true
  ) {
    setFlags |= place.flag
    if place.hasBits { setBits(place, hasValue, isAssigned) }
  }

  private mutating func setBits(
    _ place: ResolvedLayout.Place, _ hasValue: Bool, _ isAssigned: Bool
  ) {
    if place.presence >= 0 {
      buffer.setBit(Int(place.presence), hasValue, from: RecordLayout.bitsOffset)
    }
    if place.assigned >= 0 {
      buffer.setBit(Int(place.assigned), isAssigned, from: RecordLayout.bitsOffset)
    }
  }

  /// Makes a slot point to the next bytes of the record. The caller must append exactly `length`
  /// bytes.
  mutating func point(_ index: Int, toNext length: Int) {
    let slot = place(index).slot
    forget(index, slot)
    point(slot, toNext: length)
  }

  /// Makes an empty slot point to the next bytes of the record.
  @inline(__always)
  mutating func point(_ slot: RecordSlot, toNext length: Int) {
    makeRoom(for: length + RecordSlot.longHeaderSize, slot)
    buffer.appendPointer(at: slot, toNext: length)
  }

  /// Copies the bytes of another record's value. Records of format 1 can have values of any length.
  mutating func append(_ content: PageBytes, _ index: Int) {
    if content.count > Self.inlineLimit { return moveToOverflow(index, content.array) }
    point(index, toNext: content.count)
    buffer.append(content)
  }

  /// Releases the bytes or the pending overflow of a slot.
  @inline(__always)
  private mutating func forget(_ index: Int, _ slot: RecordSlot) {
    if !buffer.bytes.isEmptyPointer(slot) { forgetValue(index, slot) }
  }

  @inline(never)
  mutating func forgetValue(_ index: Int, _ slot: RecordSlot) {
    if buffer.bytes.isExternal(at: slot) { pending[field(index).property] = nil }
    hasGarbage = true
    buffer.clearPointer(slot)
  }

  /// Makes a slot point to pending overflow.
  private mutating func pointToOverflow(_ index: Int, _ length: Int) {
    let place = place(index)
    forget(index, place.slot)
    makeRoom(for: RecordSlot.longHeaderSize, place.slot)
    buffer.setExternal(place.slot, length)
    mark(place, hasValue: true)
  }

  /// Returns the offset of a slot's bytes if they have the given length, so that a new value can
  /// overwrite them.
  func placeOfEqualLength(_ slot: RecordSlot, _ length: Int) -> Int? {
    // The record can be a copy of a damaged one, whose slots can hold any offset.
    guard let found = buffer.bytes.place(of: slot), found.length == length,
      found.start >= target.written.layout.fixedSize,
      buffer.bytes.contains(offset: found.start, count: length)
    else { return nil }
    return found.start
  }

  /// Returns the slot that a property is written to.
  @inline(__always)
  func place(_ index: Int) -> ResolvedLayout.Place {
    let place = places[index]
    precondition(place.slot.offset > 0, "The written layout lacks a property.")
    return place
  }

  private func field(_ index: Int) -> RecordField {
    guard let field = target.written.fields[index] else {
      preconditionFailure("The written layout of '\(target.name)' lacks a property.")
    }
    return field
  }

  package mutating func setNull(_ index: Int) {
    let place = place(index)
    if place.isVariable { point(index, toNext: 0) }
    mark(place, hasValue: false)
  }

  package mutating func set<Value: BitwiseCopyable>(_ index: Int, fixed value: Value) {
    let place = place(index)
    precondition(MemoryLayout<Value>.size == Int(place.slot.size))
    buffer.store(value, at: place.slot.offset)
    mark(place, hasValue: true)
  }

  /// Stores a whole number in a slot of 64 bits, or in a compact one.
  mutating func set(_ index: Int, int number: Int64) {
    let place = place(index)
    store(number, at: place.slot)
    mark(place, hasValue: true)
  }

  /// Stores a whole number. It is stored after the slots if it does not fit into a compact slot.
  @inline(__always)
  mutating func store(_ number: Int64, at slot: RecordSlot) {
    guard slot.size == RecordSlot.compactIntSize else {
      return buffer.store(number.littleEndian, at: slot.offset)
    }
    if let short = Int32(exactly: number), short >= RecordSlot.leastShortInt {
      if buffer.bytes.longIntOffset(at: slot) != nil { hasGarbage = true }
      return buffer.store(short.littleEndian, at: slot.offset)
    }
    storeLong(number, at: slot)
  }

  /// Stores a whole number after the slots.
  private mutating func storeLong(_ number: Int64, at slot: RecordSlot) {
    if let place = buffer.bytes.longIntOffset(at: slot), place >= target.written.layout.fixedSize,
      buffer.bytes.contains(offset: place, count: 8)
    {
      return buffer.store(number.littleEndian, at: place)
    }
    makeRoom(for: 8, slot)
    buffer.appendLongInt(number, slot)
  }

  /// Stores the lowest bits of a number: as many as the slot has.
  package mutating func set(_ index: Int, bits: UInt64) {
    let place = place(index)
    let offset = place.slot.offset
    switch place.slot.size {
    case _ where place.isInt: store(Int64(bitPattern: bits), at: place.slot)
    case 8: buffer.store(bits.littleEndian, at: offset)
    case 4: buffer.store(UInt32(truncatingIfNeeded: bits).littleEndian, at: offset)
    case 2: buffer.store(UInt16(truncatingIfNeeded: bits).littleEndian, at: offset)
    default: buffer.store(UInt8(truncatingIfNeeded: bits), at: offset)
    }
    mark(place, hasValue: true)
  }

  /// Stores a whole number as text. The property must not have cases.
  mutating func set(_ index: Int, decimal number: Int64) {
    point(index, toNext: ByteBuffer.digits(of: number))
    buffer.append(decimal: number)
    mark(place(index), hasValue: true)
  }

  /// Stores the encoded bytes of a value of any type.
  mutating func set(_ index: Int, any bytes: [UInt8]) throws {
    try checkSize(bytes.count, index)
    if bytes.count > Self.inlineLimit { return setOverflow(index, bytes) }
    point(index, toNext: bytes.count)
    buffer.append(bytes)
    mark(place(index), hasValue: true)
  }

  mutating func setOverflow(_ index: Int, _ bytes: [UInt8]) {
    pointToOverflow(index, bytes.count)
    pending.put(field(index).property, chunksOf: bytes)
  }

  /// Stores a collection, in the record if it is small.
  mutating func set(_ index: Int, collection nodes: MemoryNodes) {
    if nodes.numbers.isEmpty {
      point(index, toNext: 0)
    } else if nodes.numbers.count == 1, let root = nodes.node(0),
      root.count <= Self.inlineCollectionLimit
    {
      point(index, toNext: root.count)
      buffer.append(root)
    } else {
      pointToOverflow(index, 0)
      pending[field(index).property] = .nodes(nodes)
    }
    mark(place(index), hasValue: true)
  }

  /// Returns the overflow of the object that is being written.
  ///
  /// - Parameter stored: The stored overflow of the object, which applies to all properties that
  ///   are not pending.
  package func overflow(over stored: Overflow = .none) -> Overflow {
    pending.isEmpty ? stored : Overflow(pending, over: stored)
  }

  func checkSize(_ count: Int, _ index: Int) throws {
    guard count <= Self.maximumValueSize else {
      throw StoreError.valueTooLarge(
        class: target.name, property: target.properties[index].name,
        limit: Self.maximumValueSize, got: count)
    }
  }

  /// Completes the record and signs it. Unless the record is longer than its limit, bytes that were
  /// lent before stay valid: handles of an object still read its changed record after it was written.
  ///
  /// - Returns: The record, which is valid until the encoder is used again.
  package mutating func finish(_ id: ObjectID) throws -> PageBytes {
    if buffer.count > Self.recordLimit { moveToOverflow(downTo: Self.recordLimit) }
    if hasGarbage { collectGarbage() }
    if isDamaged { throw DamagedRecord(detail: "its values overlap") }
    if !target.written.layout.isCompact { buffer.padToMultipleOf8() }
    let checksum = Checksum.record(
      buffer.bytes, hole: RecordLayout.checksumOffset, seed: target.checksumSeed(id))
    buffer.store(checksum.littleEndian, at: RecordLayout.checksumOffset)
    return buffer.bytes
  }

  /// Ensures that a compact slot can point to the bytes that will be appended next.
  @inline(__always)
  private mutating func makeRoom(for length: Int, _ slot: RecordSlot) {
    if buffer.count + length > Self.recordLimit, Int(slot.size) < 8 {
      // Goes down to half the limit, so that a record with many values is not searched again for
      // each one.
      moveToOverflow(downTo: Self.recordLimit / 2)
    }
  }

  /// Moves the longest values to the overflow until the record has at most `limit` bytes.
  private mutating func moveToOverflow(downTo limit: Int) {
    if hasGarbage { collectGarbage() }
    let fields = target.written.layout.fields.filter {
      $0.type.isVariable && !buffer.bytes.isExternal(at: $0.slot)
    }
    let lengths = fields.map { buffer.bytes.length(at: $0.slot) }
    var excess = buffer.count - limit
    for place in fields.indices.sorted(by: { lengths[$0] > lengths[$1] })
    where excess > 0 && lengths[place] > RecordSlot.longHeaderSize {
      let field = fields[place]
      guard let bytes = buffer.bytes.variable(at: field.slot)?.array else { continue }
      hasGarbage = true
      let length = putPending(field, bytes)
      if !buffer.becomeExternal(field.slot, length, after: target.written.layout.fixedSize) {
        isDamaged = true
      }
      excess -= bytes.count - RecordSlot.longHeaderSize
    }
    if hasGarbage { collectGarbage() }
  }

  /// Moves a value that is too long for a record to the overflow.
  private mutating func moveToOverflow(_ index: Int, _ bytes: [UInt8]) {
    pointToOverflow(index, field(index).type.isCollection ? 0 : bytes.count)
    _ = putPending(field(index), bytes)
  }

  /// Keeps the bytes of a slot as pending overflow, and returns the length for the slot.
  private func putPending(_ field: RecordField, _ bytes: [UInt8]) -> Int {
    guard field.type.isCollection else {
      pending.put(field.property, chunksOf: bytes)
      return bytes.count
    }
    var nodes = MemoryNodes()
    nodes.put(0, bytes)
    pending[field.property] = .nodes(nodes)
    return 0
  }

  /// Removes the bytes that no slot points to.
  private mutating func collectGarbage() {
    let layout = target.written.layout
    guard let fixed = buffer.bytes.slice(at: 0, count: layout.fixedSize) else { return }
    other.reset(copying: fixed)
    for field in layout.fields {
      let slot = field.slot
      if field.type.isVariable {
        if buffer.bytes.isExternal(at: slot) {
          other.setExternal(slot, buffer.bytes.length(at: slot))
        } else if let content = buffer.bytes.variable(at: slot) {
          other.appendPointer(at: slot, toNext: content.count)
          other.append(content)
        }
      } else if field.type == .int, slot.size == RecordSlot.compactIntSize,
        buffer.bytes.longIntOffset(at: slot) != nil
      {
        other.appendLongInt(buffer.bytes.int(at: slot), slot)
      }
    }
    swap(&buffer, &other)
    hasGarbage = false
    if buffer.count > Self.compactReach, layout.isCompact { isDamaged = true }
  }
}
