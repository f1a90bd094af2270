import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// How values of any type are kept.
struct AnyCodingTests {
  private func read(_ bytes: [UInt8]) throws -> PropertyValue {
    try PageBytes.with(bytes) { try AnyCoding.value($0) }
  }

  static let examples: [PropertyValue] = [
    .null, .bool(true), .int(.min), .int(.max), .float(-0.0), .float(.nan), .double(.infinity),
    .double(.leastNonzeroMagnitude), .string(""), .string("e\u{301}\u{0}☂"), .data(Data([0, 255])),
    .date(.distantPast), .uuid(UUID()), .decimal(.nan), .decimal(Decimal(string: "-1e-127") ?? 0),
    .objectId(ObjectId(high: .max, low: 1)),
    .object(ObjectReference(classID: ClassID(rawValue: 7), id: ObjectID(rawValue: .max))),
    .list([]), .map([:]), .list([.null, .list([.int(1)]), .map(["": .null])]),
    .map(["a": .int(1), "b\u{0}": .map(["c": .list([.string("x")])])]),
  ]

  @Test(arguments: examples)
  func `a value comes back to the bit`(value: PropertyValue) throws {
    let bytes = try #require(AnyCoding.bytes(value))
    #expect(try read(bytes).isIdentical(to: value))
    var byteCount = 0
    #expect(AnyCoding.measure(value, &byteCount) == nil)
    #expect(byteCount == bytes.count)
  }

  @Test func `random values come back, the same value as the same bytes`() throws {
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<500 {
      let value = RandomValues.value(.any, using: &generator)
      let bytes = try #require(AnyCoding.bytes(value))
      let found = try read(bytes)
      #expect(found.isIdentical(to: value))
      #expect(AnyCoding.bytes(found) == bytes)
    }
  }

  private func nested(_ depth: Int, _ wrap: (PropertyValue) -> PropertyValue) -> PropertyValue {
    (0..<depth).reduce(.int(1)) { value, _ in wrap(value) }
  }

  @Test func `a hundred levels are kept, and no more`() throws {
    for wrap in [{ .list([$0]) }, { .map(["a": $0]) }] as [(PropertyValue) -> PropertyValue] {
      let deepest = nested(100, wrap)
      let bytes = try #require(AnyCoding.bytes(deepest))
      #expect(try read(bytes) == deepest)
      #expect(AnyCoding.problem(of: deepest) == nil)
      #expect(AnyCoding.bytes(nested(101, wrap)) == nil)
      #expect(AnyCoding.problem(of: nested(101, wrap)) == .tooDeep)
    }
    // An empty list is a level too.
    #expect(AnyCoding.problem(of: nested(99) { .list([$0, .list([])]) }) == nil)
    #expect(AnyCoding.problem(of: .list([.link(ObjectID(rawValue: 1))])) == .link)
  }

  /// A list of blocks of 64 MiB, which share their memory.
  private func blocks(_ count: Int) -> PropertyValue {
    .list(Array(repeating: .data(Data(count: 1 << 26)), count: count))
  }

  // Lengths have 4 bytes: 4 GiB stopped the program, and in a collection the sum did, too.
  @Test func `a value of 2 GiB is too large, alone and in parts`() throws {
    #expect(AnyCoding.problem(of: blocks(31)) == nil)
    #expect(AnyCoding.problem(of: blocks(32)) == .tooLarge(5 + 32 * (5 + 1 << 26)))
    #expect(
      AnyCoding.problem(of: .map(["a": blocks(16), "bc": blocks(16)]))
        == .tooLarge(5 + 4 + 1 + 4 + 2 + 2 * (5 + 16 * (5 + 1 << 26))))
    let store = try TestStore([
      ClassSchema("Box", .init(name: "any", type: .any), .list("all", .any), .map("named", .any))
    ])
    let session = try store.session()
    let large = blocks(65)
    let attempts: [[String: PropertyValue]] = [
      ["any": large], ["all": .list([large])], ["named": .map(["a": large])],
    ]
    for values in attempts {
      let error = storeError { try session.write { _ = try session.create("Box", values) } }
      #expect(error?.code == .valueTooLarge && error?.context.count == 5 + 65 * (5 + 1 << 26))
    }
    let problem = DefaultCheck(PropertySchema(name: "any", type: .any)).problem(of: large)
    #expect(problem?.hasPrefix("takes 4362076490 bytes") == true)
  }

  @Test func `nesting that only the bytes claim is an error`() {
    var bytes: [UInt8] = []
    for _ in 0..<100_000 { bytes += [12, 1, 0, 0, 0] }
    #expect(throws: DamagedRecord.self) { try read(bytes) }
    #expect(throws: DamagedRecord.self) { try read([12, 255, 255, 255, 255]) }
    #expect(throws: DamagedRecord.self) { try read([13, 255, 255, 255, 255]) }
    #expect(throws: DamagedRecord.self) { try read([6, 255, 255, 255, 255, 1]) }
    #expect(throws: DamagedRecord.self) { try read([14]) }
    #expect(throws: DamagedRecord.self) { try read([0, 0]) }
  }

  @Test func `damaged bytes are an error or a value`() throws {
    var generator = SeededGenerator(seed: 22)
    for value in Self.examples {
      let healthy = try #require(AnyCoding.bytes(value))
      for length in 0..<healthy.count { _ = try? read(Array(healthy.prefix(length))) }
      for offset in healthy.indices {
        for bit in 0..<8 {
          var bytes = healthy
          bytes[offset] ^= 1 << bit
          _ = try? read(bytes)
        }
      }
    }
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...40, using: &generator)
      _ = try? read(
        (0..<count).map { _ in
          UInt8.random(in: 0...15, using: &generator) * (generator.once(in: 6) ? 17 : 1)
        })
    }
  }

  @Test func `no bytes are nil`() throws {
    #expect(try read([]) == .null)
  }
}
