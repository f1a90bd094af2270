import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// What an eight-byte block is overwritten with.
enum DamagePattern: Int, CaseIterable {
  case zeros, ones, random, otherBlock, plusOne, minusOne
  case oneBit, oneHalfWord, smallHalfWord, swappedHalves

  func apply(
    to block: ArraySlice<UInt8>, of bytes: [UInt8], using random: inout SeededGenerator
  ) -> [UInt8] {
    var block = Array(block)
    let half = random.number(0..<4) * 2
    switch self {
    case .zeros: return [UInt8](repeating: 0, count: 8)
    case .ones: return [UInt8](repeating: 0xFF, count: 8)
    case .random: return random.bytes(8)
    case .otherBlock:
      let other = random.number(0..<bytes.count / 8) * 8
      return Array(bytes[other..<other + 8])
    case .plusOne: return integerKey(Self.number(block) &+ 1)
    case .minusOne: return integerKey(Self.number(block) &- 1)
    case .oneBit: block[random.number(0..<8)] ^= 1 << UInt8(random.number(0..<8))
    case .oneHalfWord: block.replaceSubrange(half..<half + 2, with: random.bytes(2))
    case .smallHalfWord: block.replaceSubrange(half..<half + 2, with: [random.bytes(1)[0], 0])
    case .swappedHalves: block.swapAt(half, (half + 2) % 8)
    }
    return block
  }

  private static func number(_ block: [UInt8]) -> UInt64 {
    block.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

@Suite struct DamagedFileTests {
  private static let variants: ClosedRange<UInt64> = 1...TestRun.count(1, long: 3)
  private static let patterns: [DamagePattern] =
    TestRun.isLong ? DamagePattern.allCases : [.otherBlock, .smallHalfWord]

  @Test(.takesLong, arguments: variants, patterns)
  func `a file with any eight wrong bytes passes the check or is refused`(
    variant: UInt64, pattern: DamagePattern
  ) throws {
    let damage = try DamageCase(variant: variant)
    let seed = variant << 8 | UInt64(pattern.rawValue)
    var random = SeededGenerator(seed: seed)
    for offset in stride(from: 0, to: damage.bytes.count - 7, by: 8) {
      let block = damage.bytes[offset..<offset + 8]
      let part = pattern.apply(to: block, of: damage.bytes, using: &random)
      try damage.tryDamage(at: offset, part, "seed \(seed), \(pattern), offset \(offset)")
    }
    #expect(damage.tally.refused > 10)
    #expect(damage.tally.passed > 10, "wrong bytes of values are not for this check")
  }

  @Test(arguments: variants)
  func `a file that ends anywhere passes the check or is refused`(variant: UInt64) throws {
    let damage = try DamageCase(variant: variant)
    for page in 0..<damage.bytes.count / damage.pageSize {
      for extra in [0, 8, 151, damage.pageSize - 1] {
        try damage.tryTruncation(to: page * damage.pageSize + extra)
      }
    }
    #expect(damage.tally.refused > 20)
  }

  @Test(arguments: variants)
  func `a page that is a copy of another passes the check or is refused`(variant: UInt64) throws {
    let damage = try DamageCase(variant: variant)
    let (bytes, size) = (damage.bytes, damage.pageSize)
    for target in 0..<bytes.count / size {
      for source in 0..<bytes.count / size where source != target {
        var copy = Array(bytes[source * size..<(source + 1) * size])
        // With its number put right, nothing but the tree tells it is wrong.
        copy.replaceSubrange(0..<8, with: integerKey(UInt64(target)))
        try damage.tryDamage(at: target * size, copy, "page \(source) copied to \(target)")
      }
    }
    #expect(damage.tally.refused > 100)
  }

  @Test(arguments: variants)
  func `a file with several wrong places passes the check or is refused`(variant: UInt64) throws {
    let damage = try DamageCase(variant: variant)
    for seed in 0..<UInt64(TestRun.isLong ? 20_000 : 500) {
      var random = SeededGenerator(seed: variant << 32 | seed)
      var damaged = damage.bytes
      for _ in 0..<random.number(2..<6) {
        // Mostly the headers and offsets of pages, where most can go wrong.
        let page = random.number(0..<damaged.count / damage.pageSize) * damage.pageSize
        let offset = page + random.number(0..<(random.chance(70) ? 80 : damage.pageSize)) & ~1
        damaged.replaceSubrange(offset..<offset + 2, with: [random.bytes(1)[0], 0])
      }
      try damage.tryDamages(damaged, "variant \(variant), seed \(seed)")
    }
    #expect(damage.tally.refused > 100)
  }
}
