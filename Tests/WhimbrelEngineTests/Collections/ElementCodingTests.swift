import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// How elements of collections are kept.
struct ElementCodingTests {
  private let property = PropertyID(rawValue: 1)

  /// The bytes of an element, and the chunks that it has.
  private func encode(
    _ value: PropertyValue, _ coding: ElementCoding, name: String? = nil
  ) throws -> (bytes: [UInt8], nodes: MemoryNodes) {
    var tree = CollectionTree(MemoryNodes(), coding.format)
    let bytes = try coding.bytes(value, name: name, in: &tree)
    var nodes = tree.nodes
    // The root, which has no elements yet.
    nodes.remove(0)
    return (bytes, nodes)
  }

  private func decode(
    _ bytes: [UInt8], _ coding: ElementCoding, _ nodes: MemoryNodes
  ) throws -> PropertyValue {
    try PageBytes.with(bytes) { try coding.value($0, property, Overflow(nodes)) }
  }

  @Test(arguments: PropertyType.scalars + [.link(to: "A")])
  func `every type comes back, in lists and in maps, as a value and as nil`(
    type: PropertyType
  ) throws {
    var generator = SeededGenerator(seed: 31)
    for isMap in [false, true] {
      for isOptional in [false, true] {
        let coding = ElementCoding(ElementType(type, isOptional: isOptional), isMap: isMap)
        for round in 0..<40 {
          var value = RandomValues.value(type, using: &generator)
          if case .link = type { value = .link(ObjectID(rawValue: UInt64(round) << 50 | 3)) }
          if isOptional, round % 4 == 0 { value = .null }
          let name = isMap ? String(repeating: "ñ", count: round) : nil
          let (bytes, nodes) = try encode(value, coding, name: name)
          #expect(try decode(bytes, coding, nodes).isIdentical(to: value), "\(value)")
          if case .fixed(let width) = coding.format { #expect(bytes.count == width) }
          if let name {
            let found = try PageBytes.with(bytes) { try coding.nameBytes($0).text }
            #expect(found == name)
          }
        }
      }
    }
  }

  @Test(arguments: [0, 1, 512, 513, Overflow.chunkSize, Overflow.chunkSize + 1, 200_000])
  func `long elements have chunks of their own`(length: Int) throws {
    let coding = ElementCoding(ElementType(.data), isMap: false)
    let value = PropertyValue.data(Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }))
    let (bytes, nodes) = try encode(value, coding)
    #expect(nodes.count == (length > 512 ? (length - 1) / Overflow.chunkSize + 1 : 0))
    #expect(bytes.count == (length > 512 ? 9 : 1 + length))
    #expect(try decode(bytes, coding, nodes) == value)
    let place = try PageBytes.with(bytes) { try coding.chunks(of: $0) }
    #expect(place?.length == (length > 512 ? length : nil))
    guard length > 512 else { return }
    // A chunk that is missing, or of another length.
    var damaged = nodes
    damaged.remove(UInt32(nodes.count))
    #expect(throws: DamagedRecord.self) { try decode(bytes, coding, damaged) }
    damaged.put(UInt32(nodes.count), [UInt8](repeating: 0, count: 24))
    #expect(throws: DamagedRecord.self) { try decode(bytes, coding, damaged) }
  }

  @Test func `damaged elements are errors or values`() throws {
    var generator = SeededGenerator(seed: 32)
    for type in PropertyType.scalars + [.link(to: "A")] {
      for isMap in [false, true] {
        let coding = ElementCoding(ElementType(type, isOptional: true), isMap: isMap)
        let value = RandomValues.value(type, using: &generator)
        let (healthy, nodes) = try encode(value, coding, name: isMap ? "name" : nil)
        for length in 0...min(healthy.count, 60) {
          let cut = Array(healthy.prefix(length))
          _ = try? decode(cut, coding, nodes)
          _ = try? PageBytes.with(cut) { try coding.chunks(of: $0) }
        }
        for offset in healthy.indices.prefix(60) {
          var bytes = healthy
          bytes[offset] ^= UInt8.random(in: 1...255, using: &generator)
          _ = try? decode(bytes, coding, nodes)
          _ = try? PageBytes.with(bytes) { try coding.chunks(of: $0) }
        }
      }
    }
  }
}
