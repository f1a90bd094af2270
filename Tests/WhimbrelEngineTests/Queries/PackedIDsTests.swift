import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine

/// IDs that are kept as the distances between them.
@Suite struct PackedIDsTests {
  private func packed(_ ids: [UInt64]) -> [UInt64] {
    var packed = PackedIDs()
    for id in ids { packed.append(ObjectID(rawValue: id)) }
    return packed.map(\.rawValue)
  }

  @Test func `the first and the last ID come back`() {
    #expect(packed([]) == [])
    #expect(packed([0]) == [0])
    #expect(packed([.max]) == [.max])
    #expect(packed([0, .max]) == [0, .max])
    #expect(packed([0, 1, .max - 1, .max]) == [0, 1, .max - 1, .max])
  }

  @Test func `distances of any length come back`() {
    let powers = (1..<64).map { UInt64(1) << $0 }
    let distances = Set(powers + powers.map { $0 - 1 } + powers.map { $0 + 1 }).sorted()
    #expect(packed(distances) == distances)
    for distance in distances { #expect(packed([3, 3 + distance]) == [3, 3 + distance]) }
  }

  @Test(arguments: UInt64(1)...5)
  func `random IDs come back`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let ids = (0..<1_000).map { _ in
      UInt64.random(in: 0...UInt64.max >> UInt64.random(in: 0..<60, using: &random), using: &random)
    }
    #expect(packed(ids.sorted()) == ids.sorted())
  }
}
