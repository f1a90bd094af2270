internal import Foundation
internal import WhimbrelLMDB

extension String: Persistable, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .string }
  /// Reads a stored value, or returns nil if it has another type.
  @inlinable
  public init?(propertyValue: PropertyValue) {
    guard case .string(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value to store.
  @inlinable
  public var propertyValue: PropertyValue { .string(self) }
}

extension String: Scalar {
  static var name: String { "string" }
  static var comparand: String { "text" }
  static var canBePrimaryKey: Bool { true }

  /// The slot holds an offset and a length.
  static var slotSize: Int { 8 }
  static var marks: (any: UInt8, rank: Int) { (6, 7) }

  init(_ bytes: PageBytes, at offset: Int) {
    self = bytes.slice(at: offset, count: bytes.count - offset)?.text ?? ""
  }
  func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }
  func append(toKey key: inout some KeyBytes) { KeyEncoding.append(utf8: utf8, to: &key) }

  /// Returns the order by the UTF-8 of both texts in Unicode's normal form C.
  package func precedesInOrder(_ other: String) -> Bool {
    // `<` does not order all texts: some that are not in the normal form, such as U+0344, have no
    // order.
    if isPlain, other.isPlain { return self < other }
    return precomposedStringWithCanonicalMapping.utf8.lexicographicallyPrecedes(
      other.precomposedStringWithCanonicalMapping.utf8)
  }
  /// Returns the order by UTF-8, without normalization.
  func order(to other: String) -> ValueOrder? { ValueOrder(utf8: utf8, other.utf8) }
  func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Whether all characters are below U+0300, so that the text is in normal form C.
  private var isPlain: Bool {
    // Safe: the bytes of the string are used only inside the closure.
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

  /// The text as a literal in Swift.
  package var swiftLiteral: String {
    var literal = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\t": literal += "\\t"
      default:
        literal +=
          scalar.isPrinted ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return literal + "\""
  }
}

extension Unicode.Scalar {
  /// Whether the character is a control character: of Unicode's category `Cc`, which never grows.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Whether the character can stand in source code as it is, because it is visible.
  package var isPrinted: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    case .spaceSeparator: self == " "
    default: true
    }
  }
}
