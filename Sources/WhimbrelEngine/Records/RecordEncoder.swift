internal import Foundation
package import WhimbrelLMDB

/// A builder of records in the layout that a class writes.
package struct RecordEncoder: ~Copyable {
  var buffer = ByteBuffer(capacity: 1_024)
  /// The buffer that replaces `buffer` when garbage is collected.
  private var other = ByteBuffer()
  /// Whether the buffer contains bytes of replaced values, which no slot points to.
  private var hasGarbage = false
  /// The flags of the properties that were set since ``begin(taking:_:_:)``.
  private var setFlags: UInt64 = 0
  package let target: ResolvedClass
  private let places: StaticArray<ResolvedLayout.Place>.View
  /// The values of the object that do not fit into the record.
  let pending = PendingOverflow()

  /// The limit of text or data, in bytes.
  package static let maximumValueSize = Int(Int32.max)
  /// The limit of text or data in a record, in bytes. Longer values go to the overflow.
  static let inlineLimit = 1_000
  /// The limit of a collection's root in a record, in bytes.
  static let inlineCollectionLimit = 256
  /// The limit of a record, in bytes. Beyond it, the longest values go to the overflow.
  static let recordLimit = 60_000

  package init(_ target: ResolvedClass) {
    self.target = target
    places = target.written.places
  }

  /// The record so far, not signed.
  package var bytes: PageBytes { buffer.bytes }

  /// Begins an empty record: no property has a value.
  package mutating func begin() {
    let layout = target.written.layout
    buffer.reset(zeros: layout.fixedSize)
    buffer.store(layout.id.rawValue.littleEndian, at: 0)
    hasGarbage = false
    pending.removeAll()
  }

  /// Begins with a copy of a record that already has the written layout.
  package mutating func begin(copying record: PageBytes) {
    buffer.reset(copying: record)
    hasGarbage = false
    pending.removeAll()
  }

  /// Begins with an unsigned record in the written layout, and forgets which properties were set.
  mutating func begin(with template: PageBytes) {
    buffer.reset(copying: template)
    setFlags = 0
    hasGarbage = false
    pending.removeAll()
  }

  /// Copies bytes of another record into slots.
  mutating func overwrite(at offset: Int, from record: PageBytes, at start: Int, count: Int) {
    buffer.overwrite(at: offset, from: record, at: start, count: count)
  }

  /// Appends bytes and makes a slot point to them. The slot must not have pointed to other bytes.
  mutating func append(_ content: PageBytes, slot: Int) {
    let start = buffer.count
    buffer.append(content)
    buffer.store(UInt32(start).littleEndian, at: slot)
    buffer.store(UInt32(content.count).littleEndian, at: slot + 4)
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

  /// How to treat the overflow of a property that is copied.
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
    let (offset, place) = (Int(slot.offset), place(index))
    if !place.isVariable {
      buffer.overwrite(
        at: Int(place.offset), from: record, at: offset, count: Int(place.size))
    } else if record.isExternal(at: offset) {
      buffer.store(record.load(UInt64.self, at: offset), at: Int(place.offset))
      if transfer == .copied, let stored = source.fields[index] {
        pending[field(index).property] = .copied(overflow, stored.property)
      }
    } else {
      guard let content = record.variable(at: offset) else { throw DamagedRecord() }
      let start = buffer.count
      buffer.append(content)
      point(index, start, content.count)
    }
    mark(place, hasValue: true, isAssigned: source.isAssigned(index, of: record))
  }

  /// Returns whether a property was set since ``begin(taking:_:_:)``. Only the first 64 properties
  /// are tracked.
  func hasSet(_ index: Int) -> Bool { setFlags & place(index).flag != 0 }

  /// Returns whether all properties with these flags were set since ``begin(taking:_:_:)``.
  func hasSet(allOf flags: UInt64) -> Bool { setFlags & flags == flags }

  // MARK: Values by type

  mutating func mark(
    _ place: ResolvedLayout.Place, hasValue: Bool, isAssigned: Bool = true
  ) {
    setFlags |= place.flag
    if place.presence >= 0 {
      buffer.setBit(Int(place.presence), hasValue, from: RecordLayout.bitsOffset)
    }
    if place.assigned >= 0 {
      buffer.setBit(Int(place.assigned), isAssigned, from: RecordLayout.bitsOffset)
    }
  }

  mutating func point(_ index: Int, _ start: Int, _ length: Int) {
    forget(index)
    let offset = Int(place(index).offset)
    buffer.store(UInt32(start).littleEndian, at: offset)
    buffer.store(UInt32(length).littleEndian, at: offset + 4)
  }

  /// Releases the bytes or the pending overflow of a slot.
  private mutating func forget(_ index: Int) {
    let offset = Int(place(index).offset)
    if buffer.bytes.isExternal(at: offset) {
      pending[field(index).property] = nil
    } else if buffer.bytes.length(at: offset) != 0 {
      hasGarbage = true
    }
  }

  /// Makes a slot point to pending overflow.
  private mutating func pointToOverflow(_ index: Int, _ length: Int) {
    forget(index)
    let place = place(index)
    buffer.store(RecordLayout.external.littleEndian, at: Int(place.offset))
    buffer.store(UInt32(length).littleEndian, at: Int(place.offset) + 4)
    mark(place, hasValue: true)
  }

  /// Returns the offset of a slot's bytes if they have the given length, so that a new value can
  /// overwrite them.
  private func placeOfEqualLength(_ index: Int, _ length: Int) -> Int? {
    let slot = Int(place(index).offset)
    guard buffer.bytes.length(at: slot) == length else { return nil }
    let start = Int(UInt32(littleEndian: buffer.bytes.load(UInt32.self, at: slot)))
    // The record can be a copy of a damaged one, whose slots can hold any offset.
    guard start >= target.written.layout.fixedSize,
      buffer.bytes.contains(offset: start, count: length)
    else { return nil }
    return start
  }

  /// Returns the slot that a property is written to.
  func place(_ index: Int) -> ResolvedLayout.Place {
    let place = places[index]
    precondition(place.offset > 0, "The written layout lacks a property.")
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
    if place.isVariable { point(index, 0, 0) }
    mark(place, hasValue: false)
  }

  package mutating func set<Value: BitwiseCopyable>(_ index: Int, fixed value: Value) {
    let place = place(index)
    precondition(MemoryLayout<Value>.size == Int(place.size))
    buffer.store(value, at: Int(place.offset))
    mark(place, hasValue: true)
  }

  /// Stores the lowest bits of a number, as many as the slot has.
  package mutating func set(_ index: Int, bits: UInt64) {
    let place = place(index)
    let offset = Int(place.offset)
    switch place.size {
    case 8: buffer.store(bits.littleEndian, at: offset)
    case 4: buffer.store(UInt32(truncatingIfNeeded: bits).littleEndian, at: offset)
    case 2: buffer.store(UInt16(truncatingIfNeeded: bits).littleEndian, at: offset)
    default: buffer.store(UInt8(truncatingIfNeeded: bits), at: offset)
    }
    mark(place, hasValue: true)
  }

  package mutating func set(_ index: Int, _ text: String) throws {
    let count = text.utf8.count
    if count > Self.inlineLimit {
      try checkSize(count, index)
      return setOverflow(index, Array(text.utf8))
    }
    let place = place(index)
    let start = buffer.count
    if buffer.bytes.load(UInt64.self, at: Int(place.offset)) == 0 {
      // The slot was empty, so it leaves no garbage.
      buffer.append(utf8: text)
      buffer.store(UInt32(start).littleEndian, at: Int(place.offset))
      buffer.store(UInt32(count).littleEndian, at: Int(place.offset) + 4)
    } else if let start = placeOfEqualLength(index, count) {
      buffer.overwrite(utf8: text, at: start)
    } else {
      buffer.append(utf8: text)
      point(index, start, count)
    }
    mark(place, hasValue: true)
  }

  /// Stores a whole number as text. The property must not have cases.
  mutating func set(_ index: Int, decimal number: Int64) {
    let start = buffer.count
    buffer.append(decimal: number)
    point(index, start, buffer.count - start)
    mark(place(index), hasValue: true)
  }

  /// Stores the encoded bytes of a value of any type.
  mutating func set(_ index: Int, any bytes: [UInt8]) throws {
    try checkSize(bytes.count, index)
    if bytes.count > Self.inlineLimit { return setOverflow(index, bytes) }
    let start = buffer.count
    buffer.append(bytes)
    point(index, start, bytes.count)
    mark(place(index), hasValue: true)
  }

  mutating func setOverflow(_ index: Int, _ bytes: [UInt8]) {
    pointToOverflow(index, bytes.count)
    pending.put(field(index).property, chunksOf: bytes)
  }

  /// Stores a collection, in the record if it is small.
  mutating func set(_ index: Int, collection nodes: MemoryNodes) {
    if nodes.numbers.isEmpty {
      point(index, 0, 0)
    } else if nodes.numbers.count == 1, let root = nodes.node(0),
      root.count <= Self.inlineCollectionLimit
    {
      let start = buffer.count
      buffer.append(root)
      point(index, start, root.count)
    } else {
      pointToOverflow(index, 0)
      pending[field(index).property] = .nodes(nodes)
    }
    mark(place(index), hasValue: true)
  }

  /// Returns the overflow of the object that is being written.
  ///
  /// - Parameter stored: the stored overflow of the object, which applies to all properties that
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

  /// Pads the record and signs it.
  ///
  /// - Returns: the record, which is valid until the encoder is used again.
  package mutating func finish(_ id: ObjectID) throws -> PageBytes {
    if buffer.count > Self.recordLimit { moveToOverflow() }
    if hasGarbage { collectGarbage() }
    buffer.padToMultipleOf8()
    let checksum = Checksum.record(
      buffer.bytes, hole: RecordLayout.checksumOffset, seed: target.checksumSeed(id))
    buffer.store(checksum.littleEndian, at: RecordLayout.checksumOffset)
    return buffer.bytes
  }

  /// Moves the longest values to the overflow until the record is small enough.
  private mutating func moveToOverflow() {
    let fields = target.written.layout.fields.filter {
      $0.type.isVariable && !buffer.bytes.isExternal(at: $0.offset)
    }
    let lengths = fields.map { buffer.bytes.length(at: $0.offset) }
    var total = lengths.reduce(target.written.layout.fixedSize, +)
    let longestFirst = fields.indices.sorted { lengths[$0] > lengths[$1] }
    for place in longestFirst where total > Self.recordLimit && lengths[place] > 0 {
      let field = fields[place]
      guard let bytes = buffer.bytes.variable(at: field.offset)?.array else { continue }
      hasGarbage = true
      var length = bytes.count
      if field.type.isCollection {
        var nodes = MemoryNodes()
        nodes.put(0, bytes)
        pending[field.property] = .nodes(nodes)
        length = 0
      } else {
        pending.put(field.property, chunksOf: bytes)
      }
      buffer.store(RecordLayout.external.littleEndian, at: field.offset)
      buffer.store(UInt32(length).littleEndian, at: field.offset + 4)
      total -= bytes.count
    }
  }

  /// Removes the bytes that no slot points to.
  private mutating func collectGarbage() {
    let fixedSize = target.written.layout.fixedSize
    guard let fixed = buffer.bytes.slice(at: 0, count: fixedSize) else { return }
    other.reset(copying: fixed)
    for field in target.written.layout.fields
    where field.type.isVariable && !buffer.bytes.isExternal(at: field.offset) {
      guard let content = buffer.bytes.variable(at: field.offset) else { continue }
      other.store(UInt32(other.count).littleEndian, at: field.offset)
      other.append(content)
    }
    swap(&buffer, &other)
    hasGarbage = false
  }
}
