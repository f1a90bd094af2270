public import Foundation
package import WhimbrelLMDB

extension UUID: Persistable, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .uuid }
  /// Reads a stored value, or returns nil if it has another type.
  public init?(propertyValue: PropertyValue) {
    guard case .uuid(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value to store.
  public var propertyValue: PropertyValue { .uuid(self) }
}

extension UUID: Scalar {
  static var name: String { "uuid" }
  static var comparand: String { "a UUID" }
  static var queryWord: (word: String, example: String)? {
    ("uuid", "uuid(F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6)")
  }
  static var canBePrimaryKey: Bool { true }

  static var slotSize: Int { 16 }
  static var marks: (any: UInt8, rank: Int) { (8, 9) }

  @inline(__always)
  init(_ bytes: PageBytes, at offset: Int) { self = bytes.uuid(at: offset) }
  func append(to bytes: inout [UInt8]) {
    bytes.append(littleEndian: words.0)
    bytes.append(littleEndian: words.1)
  }
  func append(toKey key: inout some KeyBytes) { KeyEncoding.append(self, to: &key) }

  func precedesInOrder(_ other: UUID) -> Bool { bigEndianWords < other.bigEndianWords }
  func order(to other: UUID) -> ValueOrder? {
    ValueOrder(bigEndianWords.0, other.bigEndianWords.0)
      .then(ValueOrder(bigEndianWords.1, other.bigEndianWords.1))
  }

  static var becomesText: Bool { true }
  var text: String { uuidString }
  init?(exactText: String) { self.init(uuidString: exactText) }
  static var textForm: String? { "a UUID" }
  static var swiftGenerator: String? { "UUID()" }
  var swiftLiteral: String { "UUID(uuidString: \"\(uuidString)\")!" }

  static func example(using generator: inout some RandomNumberGenerator) -> UUID {
    // The version and the variant of random UUIDs.
    let (high, low) = (generator.next() & ~0xF0_0000_0000_0000, generator.next() & ~0xC0)
    return UUID(words: high | 0x40_0000_0000_0000, low | 0x80)
  }

  /// The bytes as two big-endian numbers.
  var bigEndianWords: (UInt64, UInt64) { (words.0.byteSwapped, words.1.byteSwapped) }
}

// MARK: - Records

extension PageBytes {
  package func uuid(at offset: Int) -> UUID {
    UUID(
      words: UInt64(littleEndian: load(UInt64.self, at: offset)),
      UInt64(littleEndian: load(UInt64.self, at: offset + 8)))
  }
}

extension RecordEncoder {
  package mutating func set(_ index: Int, _ uuid: UUID) {
    let place = place(index)
    let words = uuid.words
    buffer.store(words.0.littleEndian, at: place.slot.offset)
    buffer.store(words.1.littleEndian, at: place.slot.offset + 8)
    mark(place, hasValue: true)
  }
}

extension UUID {
  /// Makes a UUID from its first and its last eight bytes, each as a little-endian number.
  package init(words high: UInt64, _ low: UInt64) {
    func bytes(_ word: UInt64) -> (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) {
      func byte(_ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (8 * index)) }
      return (byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7))
    }
    let (a, b) = (bytes(high), bytes(low))
    self.init(
      uuid: (a.0, a.1, a.2, a.3, a.4, a.5, a.6, a.7, b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7))
  }

  /// The first and the last eight bytes, each as a little-endian number.
  package var words: (UInt64, UInt64) {
    let u = uuid
    func word(_ bytes: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)) -> UInt64 {
      let low = UInt64(bytes.0) | UInt64(bytes.1) << 8 | UInt64(bytes.2) << 16
      let middle = UInt64(bytes.3) << 24 | UInt64(bytes.4) << 32 | UInt64(bytes.5) << 40
      return low | middle | UInt64(bytes.6) << 48 | UInt64(bytes.7) << 56
    }
    return (
      word((u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7)),
      word((u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15))
    )
  }
}
