import Foundation
import Testing
import WhimbrelEngine

/// Identifiers of 12 bytes.
struct ObjectIdTests {
  @Test func `an identifier is its 24 digits`() throws {
    let id = try #require(ObjectId("0040c1D2a3b4c5d6e7F80912"))
    #expect(id.description == "0040c1d2a3b4c5d6e7f80912")
    #expect(ObjectId(id.description) == id)
    #expect(try JSONDecoder().decode([ObjectId].self, from: JSONEncoder().encode([id])) == [id])
    #expect(ObjectId(high: 0, low: 0).description == String(repeating: "0", count: 24))
    #expect(ObjectId(high: .max, low: .max).description == String(repeating: "f", count: 24))
  }

  @Test(arguments: [
    "", "0", "0040c1d2a3b4c5d6e7f8091", "0040c1d2a3b4c5d6e7f809123", "0040c1d2a3b4c5d6e7f8091g",
    "+040c1d2a3b4c5d6e7f80912", "-040c1d2a3b4c5d6e7f80912", " 040c1d2a3b4c5d6e7f80912",
    "0040c1d2a3b4c5d6+7f80912", "００40c1d2a3b4c5d6e7f8", "\u{301}040c1d2a3b4c5d6e7f809",
  ])
  func `anything else is none`(text: String) {
    #expect(ObjectId(text) == nil)
    let json = Data("[\"\(text)\"]".utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([ObjectId].self, from: json) }
  }

  @Test func `new identifiers are all different, in order, and know their time`() {
    let before = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    let ids = (0..<10_000).map { _ in ObjectId.generate() }
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { $0.timestamp >= before && $0.timestamp <= Date() })
    #expect(ids.allSatisfy { $0.high & 0xFFFF_FFFF == ids[0].high & 0xFFFF_FFFF })
    #expect(ObjectId(high: 1 << 32, low: 0) < ObjectId(high: 1 << 32, low: 1))
    #expect(ObjectId(high: 1 << 32, low: 9) < ObjectId(high: 2 << 32, low: 1))
  }
}
