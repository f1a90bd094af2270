package import Foundation
package import WhimbrelLMDB

/// Builds the bytes of a record in the layout that its class writes.
package struct RecordEncoder: ~Copyable {
  private var buffer = ByteBuffer(capacity: 1_024)
  /// Whether text or data was replaced, so that its old bytes lie about.
  private var hasGarbage = false
  private(set) package var target: ResolvedClass

  /// The longest text or data, in bytes.
  package static let maximumValueSize = 16 << 20

  package init(_ target: ResolvedClass) {
    self.target = target
  }

  /// The record so far.
  package var bytes: PageBytes { buffer.bytes }

  /// Begins an empty record: no property has a value.
  package mutating func begin() {
    let layout = target.written.layout
    buffer.reset(zeros: layout.fixedSize)
    buffer.store(layout.id.rawValue.littleEndian, at: 0)
    hasGarbage = false
  }

  /// Begins with a copy of a record that has the layout to be written.
  package mutating func begin(copying record: PageBytes) {
    buffer.reset(copying: record)
    hasGarbage = false
  }

  /// Begins with the values of a record of any layout.
  package mutating func begin(
    converting record: PageBytes, _ source: ResolvedLayout, except skipped: Int? = nil
  ) throws {
    begin()
    for index in source.slots.indices where index != skipped {
      try copy(index, from: record, source)
    }
  }

  /// Takes a property over from a record of any layout.
  package mutating func copy(
    _ index: Int, from record: PageBytes, _ source: ResolvedLayout
  ) throws {
    let slot = source.slots[index]
    guard slot.access != .detour, let field = target.written.fields[index] else {
      return try set(index, source.value(index, of: record, as: target.properties[index].type))
    }
    if slot.access == .present, !record.hasBit(Int(slot.presence)) { return setNull(index) }
    let offset = Int(slot.offset)
    switch field.type.slotSize {
    case 1: buffer.store(record.load(UInt8.self, at: offset), at: field.offset)
    case 2: buffer.store(record.load(UInt16.self, at: offset), at: field.offset)
    case 4: buffer.store(record.load(UInt32.self, at: offset), at: field.offset)
    case 16:
      buffer.store(record.load(UInt64.self, at: offset), at: field.offset)
      buffer.store(record.load(UInt64.self, at: offset + 8), at: field.offset + 8)
    default:
      if field.type.isVariable {
        guard let content = record.variable(at: offset) else { throw DamagedRecord() }
        let start = buffer.count
        buffer.append(content)
        point(field, start, content.count)
      } else {
        buffer.store(record.load(UInt64.self, at: offset), at: field.offset)
      }
    }
    mark(field, hasValue: true, isAssigned: source.isAssigned(index, of: record))
  }

  // MARK: Values by type

  private mutating func mark(_ field: RecordField, hasValue: Bool, isAssigned: Bool = true) {
    if let presence = field.presence {
      buffer.setBit(presence, hasValue, from: RecordLayout.bitsOffset)
    }
    if let assigned = field.assigned {
      buffer.setBit(assigned, isAssigned, from: RecordLayout.bitsOffset)
    }
  }

  private mutating func point(_ field: RecordField, _ start: Int, _ length: Int) {
    if buffer.bytes.load(UInt32.self, at: field.offset + 4) != 0 { hasGarbage = true }
    buffer.store(UInt32(start).littleEndian, at: field.offset)
    buffer.store(UInt32(length).littleEndian, at: field.offset + 4)
  }

  private func field(_ index: Int) -> RecordField {
    guard let field = target.written.fields[index] else {
      preconditionFailure("The written layout of '\(target.name)' lacks a property.")
    }
    return field
  }

  /// Makes a property nil.
  package mutating func setNull(_ index: Int) {
    mark(field(index), hasValue: false)
  }

  /// Stores a number or another value of fixed size.
  package mutating func set<Value: BitwiseCopyable>(_ index: Int, fixed value: Value) {
    let field = field(index)
    precondition(MemoryLayout<Value>.size == field.type.slotSize)
    buffer.store(value, at: field.offset)
    mark(field, hasValue: true)
  }

  /// Stores the lowest bits, as many as the slot has.
  package mutating func set(_ index: Int, bits: UInt64) {
    let field = field(index)
    switch field.type.slotSize {
    case 8: buffer.store(bits.littleEndian, at: field.offset)
    case 4: buffer.store(UInt32(truncatingIfNeeded: bits).littleEndian, at: field.offset)
    case 2: buffer.store(UInt16(truncatingIfNeeded: bits).littleEndian, at: field.offset)
    default: buffer.store(UInt8(truncatingIfNeeded: bits), at: field.offset)
    }
    mark(field, hasValue: true)
  }

  /// Stores text.
  package mutating func set(_ index: Int, _ text: String) throws {
    let field = field(index)
    let start = buffer.count
    let length = buffer.append(utf8: text)
    // What is refused has been appended all the same.
    if length > Self.maximumValueSize { hasGarbage = true }
    try checkSize(length, index)
    point(field, start, length)
    mark(field, hasValue: true)
  }

  /// Stores data.
  package mutating func set(_ index: Int, _ data: Data) throws {
    let field = field(index)
    try checkSize(data.count, index)
    let start = buffer.count
    buffer.append(data)
    point(field, start, data.count)
    mark(field, hasValue: true)
  }

  /// Stores a UUID.
  package mutating func set(_ index: Int, _ uuid: UUID) {
    let field = field(index)
    let words = uuid.words
    buffer.store(words.0.littleEndian, at: field.offset)
    buffer.store(words.1.littleEndian, at: field.offset + 8)
    mark(field, hasValue: true)
  }

  private func checkSize(_ count: Int, _ index: Int) throws {
    guard count <= Self.maximumValueSize else {
      throw StoreError.valueTooLarge(
        class: target.name, property: target.properties[index].name,
        limit: Self.maximumValueSize, got: count)
    }
  }

  /// Pads the record and signs it.
  ///
  /// - Returns: the record; valid until the encoder is used again.
  package mutating func finish(_ id: ObjectID) throws -> PageBytes {
    if hasGarbage {
      var other = RecordEncoder(target)
      try other.begin(converting: buffer.bytes, target.written)
      buffer.reset(copying: other.bytes)
      hasGarbage = false
    }
    buffer.padToMultipleOf8()
    let checksum = Checksum.record(
      buffer.bytes, hole: RecordLayout.checksumOffset, seed: target.checksumSeed(id))
    buffer.store(checksum.littleEndian, at: RecordLayout.checksumOffset)
    return buffer.bytes
  }
}

/// A record whose text lies outside of it.
struct DamagedRecord: Error {}

extension ResolvedClass {
  /// What makes a record's checksum one of this class and object, so that a
  /// record found in another's place shows.
  package func checksumSeed(_ id: ObjectID) -> UInt64 {
    id.rawValue ^ (UInt64(self.id.rawValue) << 32 | UInt64(self.id.rawValue))
  }
}
