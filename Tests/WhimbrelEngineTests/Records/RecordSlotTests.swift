import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Compact slots, and records of formats before 8 beside them.
struct RecordSlotTests {
  private static func entry(_ properties: [PropertySchema]) -> CatalogClass {
    let schema = ClassSchema(name: "A", properties: properties)
    return ClassDraft(old: nil, declared: schema, id: ClassID(rawValue: 1))
      .entry(isRewritten: false)
  }

  private let id = ObjectID(rawValue: 1)

  @Test func `a whole number takes four bytes, or twelve`() throws {
    let resolved = ResolvedClass(Self.entry([.required("a", .int), .optional("b", .int)]))
    // Eight bytes of header, one of bits, and two slots.
    #expect(resolved.written.layout.fixedSize == 17)
    let least = Int64(Int32.min) + 65_536
    let numbers: [Int64] = [
      0, 1, -1, least, least - 1, least - 65_536, least - 65_537, Int64(Int32.max),
      Int64(Int32.max) + 1, .max, .min, 1 << 53, (1 << 53) + 1,
    ]
    var encoder = RecordEncoder(resolved)
    func size(_ number: Int64) -> Int { number >= least && number <= Int32.max ? 0 : 8 }
    for first in numbers {
      encoder.begin()
      for second in numbers {
        for (position, number) in [first, second].enumerated() {
          try encoder.set(position, .int(number))
        }
        let record = try encoder.finish(id)
        #expect(record.count == 17 + size(first) + size(second))
        #expect(try resolved.written.value(0, of: record, .none) == .int(first))
        #expect(try resolved.written.value(1, of: record, .none) == .int(second))
        try resolved.verify(record, id, .none)
      }
      encoder.setNull(1)
      let record = try encoder.finish(id)
      #expect(try resolved.written.value(0, of: record, .none) == .int(first))
      #expect(try resolved.written.value(1, of: record, .none) == .null)
    }
  }

  @Test(arguments: [0, 1, 254, 255, 256, 999, 1_000])
  func `text of up to 254 bytes takes three bytes more`(length: Int) throws {
    let resolved = ResolvedClass(Self.entry([.required("a", .string), .required("b", .data)]))
    #expect(resolved.written.layout.fixedSize == 14)
    let text = String(repeating: "x", count: length)
    var encoder = RecordEncoder(resolved)
    encoder.begin()
    for _ in 0..<3 {
      try encoder.set(1, .data(Data(text.utf8)))
      try encoder.set(0, .string("between"))
      try encoder.set(0, .string(text))
      let record = try encoder.finish(id)
      #expect(record.count == 14 + 2 * (length + (length < 255 ? 0 : 4)))
      #expect(try resolved.written.value(0, of: record, .none) == .string(text))
      #expect(try resolved.written.value(1, of: record, .none) == .data(Data(text.utf8)))
    }
  }

  @Test(.takesLong) func `slots of more than 16 KiB are wide`() throws {
    for (count, isCompact) in [(5_458, true), (5_459, false)] {
      let resolved = ResolvedClass(
        Self.entry((0..<count).map { .required("p\($0)", .string) }))
      #expect(resolved.written.layout.isCompact == isCompact)
      #expect(resolved.written.layout.isValid)
      var encoder = RecordEncoder(resolved)
      encoder.begin()
      let text = String(repeating: "x", count: 1_000)
      for position in 0..<count { try encoder.set(position, text) }
      let record = try encoder.finish(id)
      for position in stride(from: 0, to: count, by: 101) {
        let value = try resolved.written.value(position, of: record, encoder.overflow())
        #expect(value == .string(text))
      }
    }
  }

  @Test func `a layout comes back from its JSON`() throws {
    let types = PropertyType.scalars
    let entry = Self.entry(types.enumerated().map { .optional("p\($0)", $1) })
    let compact = try #require(entry.writtenLayout)
    for layout in [compact, compact.wide] {
      let json = try JSONEncoder().encode(layout)
      #expect(try JSONDecoder().decode(RecordLayout.self, from: json) == layout)
    }
    // As in files of formats before 8.
    let json = String(decoding: try JSONEncoder().encode(compact.wide), as: UTF8.self)
    #expect(!json.contains("size\""))
  }

  /// Values of all types, in records with wide slots and with compact ones.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `records of both forms have the same values`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let types = PropertyType.scalars + [.list(of: ElementType(.int)), .link(to: "A")]
    var entry = Self.entry(
      types.enumerated().flatMap { number, type -> [PropertySchema] in
        [.optional("o\(number)", type)]
          + (type.linkTarget == nil ? [.required("r\(number)", type)] : [])
      })
    let compact = try #require(entry.writtenLayout)
    let wide = compact.wide
    entry.layouts = [wide]
    entry.currentLayout = wide.id
    let old = ResolvedClass(entry)
    let next = RecordLayout(
      id: LayoutID(rawValue: wide.id.rawValue + 1), fields: compact.fields,
      fixedSize: compact.fixedSize)
    entry.layouts = [wide, next]
    entry.currentLayout = next.id
    let new = ResolvedClass(entry)

    var values = entry.properties.map { property in
      property.isOptional && random.once(in: 3)
        ? .null : Self.random(property.type, using: &random)
    }
    var encoder = RecordEncoder(old)
    encoder.begin()
    for (position, value) in values.enumerated() { try encoder.set(position, value) }
    let record = ByteBuffer(try encoder.finish(id).array)
    #expect(record.count % 8 == 0)
    let overflow = encoder.overflow()
    let layout = try #require(new.layout(of: record.bytes))
    #expect(layout.layout == wide)
    try expect(values, of: record.bytes, layout, overflow)

    // Copied one by one, in one go, and changed.
    var converted = RecordEncoder(new)
    try converted.begin(converting: record.bytes, layout, overflow)
    let oneByOne = try converted.finish(id)
    #expect(oneByOne.count < record.count)
    try expect(values, of: oneByOne, new.written, converted.overflow(over: overflow))
    let transfer = try RecordTransfer(from: layout, Array(values.indices), &converted)
    try converted.begin(taking: transfer.view, record.bytes) { encoder, index in
      try encoder.copy(index, from: record.bytes, layout, overflow, .copied)
    }
    for _ in 0..<20 {
      let position = Int.random(in: values.indices, using: &random)
      values[position] = Self.random(entry.properties[position].type, using: &random)
      try converted.set(position, values[position])
    }
    let copy = ByteBuffer(try converted.finish(id).array)
    try expect(values, of: copy.bytes, new.written, converted.overflow(over: overflow))
  }

  private func expect(
    _ values: [PropertyValue], of record: PageBytes, _ layout: ResolvedLayout, _ overflow: Overflow
  ) throws {
    for (position, value) in values.enumerated() {
      let found = try layout.value(position, of: record, overflow)
      #expect(found.isIdentical(to: value), "\(position)")
      if let plain = layout.plainValue(position, of: record) {
        #expect(plain.isIdentical(to: value), "\(position)")
      }
    }
  }

  private static func random(
    _ type: PropertyType, using random: inout SeededGenerator
  ) -> PropertyValue {
    switch type {
    case .list: .list((0..<Int.random(in: 0...40, using: &random)).map { .int(Int64($0)) })
    case .link: .link(ObjectID(rawValue: UInt64.random(in: 1...9, using: &random)))
    case .int where random.once(in: 2): .int(Int64.random(in: -9...9, using: &random))
    case .string where random.once(in: 4): .string(String(repeating: "x", count: 1_200))
    default: RandomValues.value(type, using: &random)
    }
  }

  /// A record with any bytes behind its slots, or in them, and the right checksum.
  @Test(.takesLong, arguments: 1...400 as ClosedRange<UInt64>)
  func `a record whose slots hold anything does not stop the program`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let resolved = ResolvedClass(
      Self.entry(
        [.int, .string, .data, .any, .list(of: ElementType(.int)), .int, .string].enumerated()
          .map { .required("p\($0)", $1) }))
    let size = [20, 60, 300, 70_000].randomElement(using: &random)!
    let fixedSize = resolved.written.layout.fixedSize
    var record = ByteBuffer(
      (0..<fixedSize + size).map { _ in
        random.once(in: 3) ? 0xFF : UInt8.random(in: 0...255, using: &random)
      })
    record.store(resolved.written.layout.id.rawValue.littleEndian, at: 0)
    for position in resolved.properties.indices {
      _ = try? resolved.written.value(position, of: record.bytes, .none)
      _ = resolved.written.plainValue(position, of: record.bytes)
    }
    try? resolved.verify(record.bytes, id, .none)
    var encoder = RecordEncoder(resolved)
    encoder.begin(copying: record.bytes)
    for position in resolved.properties.indices where random.once(in: 2) {
      try encoder.set(position, Self.random(resolved.properties[position].type, using: &random))
    }
    do {
      #expect(try encoder.finish(id).count <= 65_535)
    } catch is DamagedRecord {}
    try? encoder.begin(converting: record.bytes, resolved.written, .none)
    _ = try? encoder.finish(id)
  }
}

extension RecordLayout {
  /// The layout with the slots of formats before 8.
  fileprivate var wide: RecordLayout {
    let bits = fields.flatMap { [$0.presence, $0.assigned].compactMap(\.self) }
    var offset = Self.bitsOffset + (bits.count + 63) / 64 * 8
    let fields = fields.sorted { $0.type.slotSize > $1.type.slotSize }.map { field in
      defer { offset += field.type.slotSize }
      return RecordField(
        property: field.property, type: field.type,
        slot: RecordSlot(offset: offset, size: field.type.slotSize), presence: field.presence,
        assigned: field.assigned)
    }
    return RecordLayout(id: id, fields: fields, fixedSize: (offset + 7) & ~7)
  }
}
