package import Foundation
internal import WhimbrelLMDB

/// A number in the checksums of a class, which makes the checksums of one store invalid in any
/// other.
///
/// Without it, a page of another store with the same classes and object IDs would pass for a page
/// of this store. Copies of a store keep its salts, so records can be copied unchanged.
///
/// A salt has 16 bits, few enough for ``Salvage`` to try all salts if the catalog is lost. One in
/// 65,535 other stores has the same salt.
package struct ChecksumSalt: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: UInt32

  /// The salt of classes that were added in formats before 6.
  package static let none = ChecksumSalt(rawValue: 0)
  /// The numbers that can be a salt.
  package static let all: Range<UInt32> = 0..<1 << 16

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates the salt of the classes that are added to a store. It is never ``none``.
  package init(of store: UUID) {
    let hash = PageBytes.with(Array(store.uuidString.utf8)) { Checksum.hash64($0) }
    self.init(rawValue: max(1, UInt32(truncatingIfNeeded: hash) & (Self.all.upperBound - 1)))
  }

  /// The salt as a part of a checksum's seed. The multiplication spreads its bits over all 64.
  package var seed: UInt64 { UInt64(rawValue) &* 0xD6E8_FEB8_6659_FD93 }
}
