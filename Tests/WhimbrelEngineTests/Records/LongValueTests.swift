import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Values that stand in a record, and those that do not fit.
struct LongValueTests {
  private static func resolved(_ properties: [PropertySchema]) -> ResolvedClass {
    let schema = ClassSchema(name: "A", properties: properties)
    let draft = ClassDraft(old: nil, declared: schema, id: ClassID(rawValue: 1))
    return ResolvedClass(draft.entry(isRewritten: false))
  }

  private static func value(_ type: PropertyType, _ length: Int) -> PropertyValue {
    let text = String(repeating: "x", count: length)
    return switch type {
    case .data: .data(Data(text.utf8))
    // A byte that says what it is, and four with the length.
    case .any: .string(String(text.dropLast(5)))
    default: .string(text)
    }
  }

  @Test(arguments: [PropertyType.string, .data, .any])
  func `a thousand bytes stand in the record, and one more does not`(type: PropertyType) throws {
    let resolved = Self.resolved([PropertySchema(name: "a", type: type)])
    let slot = try #require(resolved.written.fields[0]).slot
    var encoder = RecordEncoder(resolved)
    for length in [1_000, 1_001, Overflow.chunkSize, Overflow.chunkSize + 1, 1_000, 1_001, 5] {
      encoder.begin()
      try encoder.set(0, Self.value(type, length))
      let record = try encoder.finish(ObjectID(rawValue: 1))
      let chunks = length > 1_000 ? (length - 1) / Overflow.chunkSize + 1 : 0
      #expect(record.isExternal(at: slot) == (chunks > 0))
      let numbers = try encoder.overflow().numbers(of: PropertyID(rawValue: 1))
      #expect(numbers == (0..<chunks).map { UInt32($0) })
      for number in numbers {
        let overflowEntry = try #require(
          try encoder.overflow().entry(PropertyID(rawValue: 1), number))
        #expect(overflowEntry.count <= 65_536 && overflowEntry.count % 8 == 0)
      }
      #expect(
        try resolved.written.value(0, of: record, encoder.overflow()) == Self.value(type, length))
    }
  }

  @Test func `a long value that a short one replaces is not written`() throws {
    let resolved = Self.resolved([.required("a", .string), .optional("b", .string)])
    var encoder = RecordEncoder(resolved)
    encoder.begin()
    let long = String(repeating: "x", count: 5_000)
    try encoder.set(0, long)
    try encoder.set(1, long)
    try encoder.set(0, "short")
    encoder.setNull(1)
    #expect(encoder.pending.isEmpty)
    let record = try encoder.finish(ObjectID(rawValue: 1))
    #expect(try resolved.written.value(0, of: record, .none) == "short")
    #expect(try resolved.written.value(1, of: record, .none) == .null)
  }

  @Test func `a record has room for a thousand properties of a thousand bytes`() throws {
    for type in [PropertyType.string, .data, .any, .list(of: ElementType(.int))] {
      let properties = (0..<1_000).map { PropertySchema(name: "p\($0)", type: type) }
      let resolved = Self.resolved(properties)
      var encoder = RecordEncoder(resolved)
      encoder.begin()
      func value(_ position: Int) -> PropertyValue {
        if case .list = type { return .list((0..<28).map { .int(Int64($0 + position)) }) }
        return Self.value(type, 1_000 - position % 7)
      }
      for position in 0..<1_000 { try encoder.set(position, value(position)) }
      let record = try encoder.finish(ObjectID(rawValue: 1))
      #expect(record.count <= 65_536)
      for position in 0..<1_000 {
        let found = try resolved.written.value(position, of: record, encoder.overflow())
        #expect(found == value(position))
      }
    }
  }

  @Test func `a class of a thousand of the widest properties can be stored`() throws {
    let properties = (0..<1_000).map { PropertySchema.optional("p\($0)", .decimal) }
    let store = try TestStore([ClassSchema(name: "A", properties: properties)]) { session in
      let values = (0..<1_000).map { ("p\($0)", PropertyValue.decimal(Decimal($0))) }
      try session.create("A", Dictionary(uniqueKeysWithValues: values))
    }
    #expect(try store.findings() == [])
    #expect(try store.contents().list("A").first?["p999"] == .decimal(999))
  }

  /// Every type, inside and outside, through a record that is copied and changed.
  @Test func `values of every type come back from records changed many times`() throws {
    let types =
      PropertyType.scalars
      + PropertyType.scalars.flatMap { type -> [PropertyType] in
        let element = ElementType(type, isOptional: true)
        return [.list(of: element), .set(of: element), .map(of: element)]
      }
    let resolved = Self.resolved(
      types.enumerated().map { PropertySchema(name: "p\($0)", type: $1) })
    var generator = SeededGenerator(seed: 41)
    var encoder = RecordEncoder(resolved)
    encoder.begin()
    var expected: [PropertyValue] = []
    for (position, type) in types.enumerated() {
      expected.append(Self.random(type, using: &generator))
      try encoder.set(position, expected[position])
    }
    for _ in 0..<400 {
      let position = Int.random(in: types.indices, using: &generator)
      expected[position] = Self.random(types[position], using: &generator)
      try encoder.set(position, expected[position])
      let record = try encoder.finish(ObjectID(rawValue: 1))
      #expect(record.count <= 65_536)
    }
    for (position, value) in expected.enumerated() {
      let found = try resolved.written.value(
        position, of: encoder.bytes, encoder.overflow())
      #expect(found.isIdentical(to: value), "\(types[position])")
    }
  }

  private static func random(
    _ type: PropertyType, using generator: inout SeededGenerator
  ) -> PropertyValue {
    guard let element = type.elementType else { return RandomValues.value(type, using: &generator) }
    let values = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
      generator.once(in: 5)
        ? PropertyValue.null : RandomValues.value(element.type, using: &generator)
    }
    switch type {
    case .set: return .list(values.sortedAsSet())
    case .map:
      return .map(
        Dictionary(values.enumerated().map { ("n\($0)", $1) }, uniquingKeysWith: { $1 }))
    default: return .list(values)
    }
  }
}
