internal import Foundation
internal import WhimbrelLMDB

extension String: Persistable, PersistableAsOptional {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .string }
  /// Reads a stored value, or returns nil when it is one of another type.
  @inlinable
  public init?(propertyValue: PropertyValue) {
    guard case .string(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value as it is stored.
  @inlinable
  public var propertyValue: PropertyValue { .string(self) }
}

extension String: Scalar {
  static var name: String { "string" }
  static var comparand: String { "text" }
  static var canBePrimaryKey: Bool { true }

  /// An offset and a length.
  static var slotSize: Int { 8 }
  static var marks: (any: UInt8, rank: Int) { (6, 7) }

  init(_ bytes: PageBytes, at offset: Int) {
    self = bytes.slice(at: offset, count: bytes.count - offset)?.text ?? ""
  }
  func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }
  func append(toKey key: inout some KeyBytes) { KeyEncoding.append(utf8: utf8, to: &key) }

  /// The order of the UTF-8 of both in Unicode's normal form C.
  package func precedesInOrder(_ other: String) -> Bool {
    // Not `<` for all: it gives some texts that are not in the form, such as U+0344, no
    // order.
    if isPlain, other.isPlain { return self < other }
    return precomposedStringWithCanonicalMapping.utf8.lexicographicallyPrecedes(
      other.precomposedStringWithCanonicalMapping.utf8)
  }
  /// The order of the UTF-8 as it is.
  func order(to other: String) -> ValueOrder? { ValueOrder(utf8: utf8, other.utf8) }
  func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Whether no character is U+0300 or above, so that the text is in normal form C.
  private var isPlain: Bool {
    // Safe: the bytes of the string, inside of the closure.
    let isPlain = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe bytes.allSatisfy { $0 < 0xCC }
    }
    return isPlain ?? utf8.allSatisfy { $0 < 0xCC }
  }

  var text: String { self }
  var printed: String { PrintedValue.text(self) }
  var explained: String { count > 40 ? "'\(prefix(40))…'" : "'\(self)'" }
  var queryLiteral: String? { QueryPrinter.quoted(self, "'") }

  init(json decoder: any Decoder) throws { try self.init(from: decoder) }
  func encodeJSON(to encoder: any Encoder) throws { try encode(to: encoder) }
}
