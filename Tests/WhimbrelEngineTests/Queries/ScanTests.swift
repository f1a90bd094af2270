import Foundation
import Testing

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Scans of whole classes, on one core and on several.
struct ScanTests {
  private static let item = ClassSchema(
    "Item", .key("number"), .required("score", .double), .required("float", .float),
    .optional("small", .int16), .required("text", .string), .optional("date", .date),
    .required("decimal", .decimal))
  private static let count = ObjectScanner.smallestForBlocks + 100

  /// Object IDs are the keys: close together at first, and then far apart.
  private func store(_ count: Int = count) throws -> TestStore {
    try TestStore([Self.item]) { session in
      for number in 0..<Int64(count) {
        try session.create(
          "Item",
          [
            "number": .int(number < 5_000 ? number - 2_000 : number * number * 10_000),
            "score": .double(1 / Double(number + 1)), "float": .float(Float(number % 100)),
            "small": number % 3 == 0 ? .null : .int(number % 50 - 10), "text": "t\(number % 10)",
            "date": number == 7 ? .date(Date(timeIntervalSinceReferenceDate: -5)) : .null,
            "decimal": .decimal(Decimal(number % 10) / 10),
          ])
      }
    }
  }

  private func expect(_ code: StoreError.Code, _ body: () throws -> Void) {
    let error = #expect(throws: StoreError.self) { try body() }
    #expect(error?.code == code)
  }

  private func condition(_ table: ClassTable) throws -> BoundCondition {
    try BoundCondition(
      .or([
        .compare(.property(QueryPath("small")), .greater, .constant(30), []),
        .compare(.property(QueryPath("text")), .endsWith, .constant("7"), []),
      ]), in: table)
  }

  /// What scans of a table give.
  private func answers(_ table: ClassTable) throws -> [PropertyValue] {
    let condition = try condition(table)
    let ids = try table.objectIDs(matching: condition)
    #expect(try Array(table.packedIDs(matching: condition)) == ids)
    var answers: [PropertyValue] = ids.map(PropertyValue.link)
    answers.append(.int(Int64(try table.count(matching: condition))))
    for name in ["score", "float", "small", "decimal"] {
      let path = try BoundPath(QueryPath(name), in: table)
      for aggregate in QueryAggregate.allCases {
        answers.append(try table.aggregate(aggregate, path, matching: nil))
        answers.append(try table.aggregate(aggregate, path, matching: condition))
      }
    }
    return answers
  }

  @Test func `one core and several agree to the bit, inside of a write too`() throws {
    let store = try store()
    let session = try store.session()
    let table = try session.table("Item")
    let several = try answers(table)
    #expect(several.count > 1_500)
    let oracle = try QueryOracle(session)
    let expected = oracle.objectIDs(
      "Item",
      matching: .or([
        .compare(.property(QueryPath("small")), .greater, .constant(30), []),
        .compare(.property(QueryPath("text")), .endsWith, .constant("7"), []),
      ]))
    #expect(try table.objectIDs(matching: condition(table)) == expected)
    try session.write {
      let one = try answers(table)
      #expect(one == several)
      try table.update(ObjectID(clusteredKey: 0)) { encoder in
        try encoder.set(table.resolved.requiredPosition(of: "text"), "7")
      }
      #expect(try table.count(matching: condition(table)) == expected.count + 1)
    }
  }

  @Test func `a session that shows an older commit goes on doing so`() throws {
    let store = try store()
    let session = try store.session()
    let table = try session.table("Item")
    let before = try answers(table)
    try store.write { other in
      let table = try other.table("Item")
      for id in try table.objectIDs().prefix(500) { try table.remove(id) }
    }
    #expect(try answers(table) == before)
    #expect(try session.refresh())
    #expect(try answers(table) != before)
  }

  @Test func `aggregates of a class are those of plain Swift`() throws {
    let store = try store(500)
    let session = try store.session()
    let table = try session.table("Item")
    func value(_ aggregate: QueryAggregate, _ name: String) throws -> PropertyValue {
      try table.aggregate(aggregate, BoundPath(QueryPath(name), in: table), matching: nil)
    }
    let scores = (0..<500).map { 1 / Double($0 + 1) }
    let small = (0..<500).filter { $0 % 3 != 0 }.map { $0 % 50 - 10 }
    #expect(try value(.sum, "score") == .double(scores.reduce(0, +)))
    #expect(try value(.minimum, "score") == .double(1 / 500))
    #expect(try value(.maximum, "float") == .float(99))
    #expect(try value(.sum, "small") == .int(Int64(small.reduce(0, +))))
    #expect(
      try value(.average, "small")
        == .double(Double(small.reduce(0, +)) / Double(small.count)))
    #expect(try value(.minimum, "date") == .date(Date(timeIntervalSinceReferenceDate: -5)))
    #expect(try value(.sum, "decimal") == .decimal(225))
    expect(.queryMismatch) { _ = try value(.sum, "text") }
    #expect(try value(.maximum, "text") == "t9")
  }

  @Test func `no objects have the sum 0 and no other aggregate`() throws {
    let store = try TestStore([Self.item])
    let session = try store.session()
    let table = try session.table("Item")
    func value(_ aggregate: QueryAggregate, _ name: String) throws -> PropertyValue {
      try table.aggregate(aggregate, BoundPath(QueryPath(name), in: table), matching: nil)
    }
    #expect(try value(.sum, "score") == .double(0))
    #expect(try value(.sum, "small") == .int(0))
    #expect(try value(.average, "small") == .null)
    #expect(try value(.maximum, "score") == .null)
  }

  @Test func `decimals near the least power of ten have an average`() throws {
    let schema = ClassSchema("Item", .required("decimal", .decimal))
    let store = try TestStore([schema]) { session in
      for text in ["-1e-91", "-5e-91"] {
        try session.create("Item", ["decimal": .decimal(try #require(Decimal(string: text)))])
      }
    }
    let session = try store.session()
    let table = try session.table("Item")
    let path = try BoundPath(QueryPath("decimal"), in: table)
    let average = try #require(Decimal(string: "-3e-91"))
    #expect(try table.aggregate(.average, path, matching: nil) == .decimal(average))
  }

  @Test func `NaN is no extreme, and a sum beyond 64 bits is an error`() throws {
    let schema = ClassSchema("Item", .required("int", .int), .required("double", .double))
    let store = try TestStore([schema]) { session in
      try session.create("Item", ["int": .int(.max), "double": .double(.nan)])
      try session.create("Item", ["int": 1, "double": 3.0])
    }
    let session = try store.session()
    let table = try session.table("Item")
    let (int, double) = (
      try BoundPath(QueryPath("int"), in: table), try BoundPath(QueryPath("double"), in: table)
    )
    expect(.outOfRange) { _ = try table.aggregate(.sum, int, matching: nil) }
    #expect(try table.aggregate(.average, int, matching: nil) == .double(0x1p62))
    #expect(try table.aggregate(.maximum, double, matching: nil) == .double(3))
    guard case .double(let sum) = try table.aggregate(.sum, double, matching: nil) else {
      Issue.record("no double")
      return
    }
    #expect(sum.isNaN)
  }

  @Test func `a damaged record is an error, on any core`() throws {
    let store = try store()
    let damages: [(inout [UInt8], Int) -> Void] = [
      { bytes, _ in bytes.removeLast(bytes.count - 8) }, { bytes, _ in bytes[0] = 0xEE },
      { bytes, slot in bytes[slot + 3] = 0x7F },
    ]
    for damage in damages {
      let session = try store.session()
      let table = try session.table("Item")
      let ids = try table.objectIDs()
      let id = ids[ids.count - 2]
      let original = try #require(try table.record(id)).array
      let slot = table.resolved.written.slots[
        try table.resolved.requiredPosition(of: "text")]
      func replace(_ bytes: [UInt8]) throws {
        try session.write {
          let view = try session.requireWriting("damage")
          try PageBytes.with(bytes) { bytes throws(LMDBError) in
            _ = try view.put(table.objects, id.rawValue, bytes)
          }
        }
      }
      var bytes = original
      damage(&bytes, Int(slot.offset))
      try replace(bytes)
      let condition = try condition(table)
      expect(.damaged) { _ = try table.objectIDs(matching: condition) }
      expect(.damaged) { _ = try table.count(matching: condition) }
      try replace(original)
      _ = try table.count(matching: condition)
    }
  }
}
