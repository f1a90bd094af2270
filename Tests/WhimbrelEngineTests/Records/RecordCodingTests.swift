import Foundation
import Testing

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

@Suite struct RecordCodingTests {
  private static let things: ResolvedClass? = classes(OpeningTestStore.schema)["Thing"]

  private static func classes(_ schema: StoreSchema) -> [String: ResolvedClass] {
    var classes: [String: ResolvedClass] = [:]
    for (index, schema) in schema.classes.enumerated() {
      let draft = ClassDraft(
        old: nil, declared: schema, id: ClassID(rawValue: UInt32(index + 1)))
      classes[schema.name] = ResolvedClass(draft.entry(isRewritten: false))
    }
    return classes
  }

  @Test func `every type comes back, as a value and as nil`() throws {
    let things = try #require(Self.things)
    var encoder = RecordEncoder(things)
    for number in 0..<60 {
      encoder.begin()
      for (position, property) in things.properties.enumerated() {
        let isNull = property.isOptional && (number + position) % 3 == 0
        try encoder.set(position, isNull ? .null : OpeningTestStore.value(property.type, number))
      }
      let record = try encoder.finish(ObjectID(rawValue: UInt64(number)))
      #expect(record.layoutID == things.written.layout.id)
      for (position, property) in things.properties.enumerated() {
        let isNull = property.isOptional && (number + position) % 3 == 0
        let expected = isNull ? .null : OpeningTestStore.value(property.type, number)
        let value = try things.written.value(position, of: record, encoder.overflow())
        #expect(value.isIdentical(to: expected), "\(property.name)")
      }
    }
  }

  @Test func `text as long as the old takes its place`() throws {
    let things = try #require(Self.things)
    let position = try things.requiredPosition(of: "a_string")
    let id = ObjectID(rawValue: 1)
    var once = RecordEncoder(things)
    var twice = RecordEncoder(things)
    once.begin()
    twice.begin()
    try once.set(position, "Größe")
    for text in ["1234567", "grösse", "Größe"] { try twice.set(position, text) }
    #expect(try once.finish(id).array == twice.finish(id).array)
  }

  @Test func `a slot that leads into the slots does not have them overwritten`() throws {
    let things = try #require(Self.things)
    let position = try things.requiredPosition(of: "a_string")
    let field = try #require(things.written.fields[position])
    let (layoutSize, id) = (things.written.layout.fixedSize, ObjectID(rawValue: 1))
    for start in [0, 8, layoutSize - 1, layoutSize + 10_000] {
      var encoder = RecordEncoder(things)
      encoder.begin()
      var damaged = ByteBuffer(encoder.bytes.array)
      damaged.store(UInt16(start).littleEndian, at: field.slot.offset)
      damaged.store(5 as UInt8, at: field.slot.offset + 2)
      encoder.begin(copying: damaged.bytes)
      try encoder.set(position, "zones")
      let record = try encoder.finish(id)
      #expect(things.layout(of: record) === things.written)
      #expect(try things.written.value(position, of: record, .none) == "zones")
    }
  }

  @Test func `text replaced many times leaves no garbage`() throws {
    let things = try #require(Self.things)
    let position = try things.requiredPosition(of: "a_string")
    let other = try things.requiredPosition(of: "o_string")
    var encoder = RecordEncoder(things)
    encoder.begin()
    try encoder.set(other, "stays")
    for round in 0..<200 { try encoder.set(position, String(repeating: "x", count: round)) }
    let id = ObjectID(rawValue: 1)
    let size = try encoder.finish(id).count
    #expect(size == things.written.layout.fixedSize + 199 + 5)
    #expect(
      try things.written.value(position, of: encoder.bytes, .none)
        == .string(String(repeating: "x", count: 199)))
    // Once more, from a copy of what is stored.
    for round in 0..<50 {
      let copy = ByteBuffer(encoder.bytes.array)
      encoder.begin(copying: copy.bytes)
      try encoder.set(position, "short \(round % 10)")
      #expect(try encoder.finish(id).count == things.written.layout.fixedSize + 7 + 5)
      #expect(try things.written.value(other, of: encoder.bytes, .none) == "stays")
    }
    try encoder.set(position, "")
    encoder.setNull(other)
    #expect(try encoder.finish(id).count == things.written.layout.fixedSize)
  }

  @Test func `text that lies outside of its record is an error and no trap`() throws {
    let things = try #require(Self.things)
    let position = try things.requiredPosition(of: "a_string")
    let offset = try #require(things.written.fields[position]).slot.offset
    var encoder = RecordEncoder(things)
    encoder.begin()
    try encoder.set(position, "some text")
    let healthy = try encoder.finish(ObjectID(rawValue: 1)).array
    // With 255, the length itself lies outside, or is more than the record has.
    for (start, length) in [
      (UInt16(healthy.count), UInt8(1)), (.max, 0), (.max, 1), (.max, .max),
      (UInt16(healthy.count - 3), .max), (UInt16(healthy.count - 4), .max),
    ] {
      var buffer = ByteBuffer(healthy)
      buffer.store(start.littleEndian, at: offset)
      buffer.store(length, at: offset + 2)
      #expect(throws: DamagedRecord.self) {
        try things.written.value(position, of: buffer.bytes, .none)
      }
      var other = RecordEncoder(things)
      #expect(throws: DamagedRecord.self) {
        try other.begin(converting: buffer.bytes, things.written, .none)
      }
    }
  }

  @Test func `values that do not fit are errors, and leave the record alone`() throws {
    let things = try #require(Self.things)
    var encoder = RecordEncoder(things)
    encoder.begin()
    let before = encoder.bytes.array
    let cases: [(String, PropertyValue, StoreError.Code)] = [
      ("a_int8", .int(128), .outOfRange), ("a_uint8", .int(-1), .outOfRange),
      ("a_uint32", .int(1 << 32), .outOfRange), ("a_int", .string("1"), .wrongType),
      ("a_string", .int(1), .wrongType), ("a_bool", .int(1), .wrongType),
      ("a_int", .null, .missingValue), ("a_uuid", .data(Data()), .wrongType),
      ("other", .int(1), .wrongType),
    ]
    for (name, value, code) in cases {
      let position = try things.requiredPosition(of: name)
      let error = #expect(throws: StoreError.self) { try encoder.set(position, value) }
      #expect(error?.code == code, "\(name)")
      #expect(encoder.bytes.array == before)
    }
    let tooLong = Data(count: RecordEncoder.maximumValueSize + 1)
    let position = try things.requiredPosition(of: "a_data")
    let error = #expect(throws: StoreError.self) { try encoder.set(position, .data(tooLong)) }
    #expect(error?.code == .valueTooLarge)
  }

  /// A property that is widened, made optional, required or added is read from
  /// records of the layout before that, and copied into the new one.
  @Test func `records of an older layout are read as the new shape`() throws {
    let old = ClassSchema(
      name: "A",
      properties: [
        PropertySchema(name: "small", type: .int8), PropertySchema(name: "real", type: .float),
        PropertySchema(name: "maybe", type: .string, isOptional: true),
        PropertySchema(name: "sure", type: .uint16), PropertySchema(name: "gone", type: .uuid),
      ])
    let new = ClassSchema(
      name: "A",
      properties: [
        PropertySchema(name: "added", type: .int, defaultValue: .value(42)),
        PropertySchema(name: "sure", type: .uint16, isOptional: true),
        PropertySchema(name: "small", type: .int),
        PropertySchema(name: "real", type: .double),
        PropertySchema(name: "maybe", type: .string, defaultValue: .value("none")),
      ])
    let first = ClassDraft(old: nil, declared: old, id: ClassID(rawValue: 1))
      .entry(isRewritten: false)
    let draft = ClassDraft(old: first, declared: new, id: ClassID(rawValue: 1))
    #expect(!draft.requiresRewrite)
    let before = ResolvedClass(first)
    let after = ResolvedClass(draft.entry(isRewritten: false))
    for text in ["text", nil] as [String?] {
      var encoder = RecordEncoder(before)
      encoder.begin()
      try encoder.set(0, .int(-7))
      try encoder.set(1, .float(0.1))
      try encoder.set(2, text.map(PropertyValue.string) ?? .null)
      try encoder.set(3, .int(65_535))
      let record = try encoder.finish(ObjectID(rawValue: 1))
      let layout = try #require(after.layouts[Int(record.layoutID.rawValue)])
      let expected: [PropertyValue] = [
        .int(42), .int(65_535), .int(-7), .double(Double(Float(0.1))), .string(text ?? "none"),
      ]
      var converted = RecordEncoder(after)
      try converted.begin(converting: record, layout, .none)
      for position in after.properties.indices {
        #expect(try layout.value(position, of: record, .none) == expected[position])
        let value = try after.written.value(position, of: converted.bytes, .none)
        #expect(value == expected[position])
      }
    }
  }
}
