import Foundation
import WhimbrelTestSupport

/// One way to damage a file, chosen by a seed.
enum FileDamage: String, CaseIterable {
  case bit, byte, word, block, zeros, swapped, foreign, older, meta, header, shorter, longer

  private static let pageSize = 4_096

  /// Returns the damaged bytes of a file.
  ///
  /// - Parameters:
  ///   - older: the bytes of the same store before its last write.
  ///   - foreign: the bytes of another store.
  static func damaged(
    _ bytes: [UInt8], older: [UInt8], foreign: [UInt8],
    _ random: inout WhimbrelTestSupport.SeededGenerator
  ) -> (bytes: [UInt8], kind: FileDamage) {
    var bytes = bytes
    let kind = allCases.randomElement(using: &random) ?? .bit
    let pages = bytes.count / pageSize
    let page = Int.random(in: 0..<pages, using: &random)
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch kind {
    case .bit: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case .byte: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case .word:
      for offset in 0..<8 where place + offset < bytes.count {
        bytes[place + offset] = UInt8.random(in: 0...255, using: &random)
      }
    case .block, .zeros:
      let start = place & ~511
      for offset in start..<min(start + 512, bytes.count) {
        bytes[offset] = kind == .zeros ? 0 : UInt8.random(in: 0...255, using: &random)
      }
    case .swapped:
      let other = Int.random(in: 0..<pages, using: &random)
      let (left, right) = (slice(bytes, page), slice(bytes, other))
      put(right, at: page, &bytes)
      put(left, at: other, &bytes)
    case .foreign: put(slice(foreign, page % (foreign.count / pageSize)), at: page, &bytes)
    case .older where page < older.count / pageSize: put(slice(older, page), at: page, &bytes)
    case .older: put([UInt8](repeating: 0, count: pageSize), at: page, &bytes)
    case .meta: bytes[place % (2 * pageSize)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case .header:
      // The header of a page, or the first nodes.
      bytes[page * pageSize + place % 64] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case .shorter: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
    case .longer:
      for _ in 0..<(page + 1) * 512 { bytes.append(UInt8.random(in: 0...255, using: &random)) }
    }
    return (bytes, kind)
  }

  private static func slice(_ bytes: [UInt8], _ page: Int) -> [UInt8] {
    Array(bytes[page * pageSize..<(page + 1) * pageSize])
  }

  private static func put(_ content: [UInt8], at page: Int, _ bytes: inout [UInt8]) {
    bytes.replaceSubrange(page * pageSize..<(page + 1) * pageSize, with: content)
  }
}
