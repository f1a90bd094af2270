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
    return precomposed.utf8.lexicographicallyPrecedes(other.precomposed.utf8)
  }

  /// The text in Unicode's normal form C: it is the same for all texts that are equal.
  ///
  /// Foundation's normal form is not, where a scalar needs care.
  package var precomposed: String {
    guard unicodeScalars.contains(where: \.needsCare) else {
      return precomposedStringWithCanonicalMapping
    }
    var result = String.UnicodeScalarView()
    // The rest of the text, in parts without letters of Hangul: these combine with no others.
    var other = String.UnicodeScalarView()
    for scalar in decomposed {
      guard (0x1100...0x11FF).contains(scalar.value) else {
        other.append(scalar)
        continue
      }
      result.append(contentsOf: other.composed)
      other = String.UnicodeScalarView()
      if let syllable = result.last?.syllable(with: scalar) {
        result.removeLast()
        result.append(syllable)
      } else {
        result.append(scalar)
      }
    }
    result.append(contentsOf: other.composed)
    return String(result)
  }

  /// The scalars in Unicode's normal form D.
  private var decomposed: [Unicode.Scalar] {
    var simple = String.UnicodeScalarView()
    for scalar in unicodeScalars { simple.append(contentsOf: scalar.simpleParts ?? [scalar]) }
    var scalars = Array(String(simple).decomposedStringWithCanonicalMapping.unicodeScalars)
    var start = 0
    while start < scalars.count {
      let end = scalars[start...].firstIndex { !$0.isReordered } ?? scalars.count
      // The sort is stable, as the normal form requires.
      scalars[start..<end].sort {
        $0.properties.canonicalCombiningClass < $1.properties.canonicalCombiningClass
      }
      start = end + 1
    }
    return scalars
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

  static func example(using generator: inout some RandomNumberGenerator) -> String {
    func happens(onceIn count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
    if happens(onceIn: 12) { return "" }
    let count = happens(onceIn: 20) ? 200 : Int.random(in: 1...4, using: &generator)
    let words = (0..<count).compactMap { _ in exampleWords.randomElement(using: &generator) }
    return words.joined(separator: " ")
  }

  private static let exampleWords = [
    "Andorra", "heron", "Åland", "Ελλάδα", "Кыргызстан", "日本", "zone", "curlew", "🐦", "São Tomé",
    "e\u{301}", "marsh", "北京", "tide", "ñandú", "O'Higgins", "\"quoted\"", "two\nlines",
  ]
}

extension String.UnicodeScalarView {
  /// The decomposed scalars as Foundation composes them, or as they are if it makes another text.
  fileprivate var composed: Self {
    let text = String(self)
    let composed = text.precomposedStringWithCanonicalMapping
    return composed == text ? composed.unicodeScalars : self
  }
}

extension Unicode.Scalar {
  /// Whether the character is a control character: of Unicode's category `Cc`, which never grows.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Whether the character would control a terminal, break a line, or change the direction of the
  /// text around it.
  package var disturbsLine: Bool {
    isControl || value == 0x2028 || value == 0x2029 || (0x202A...0x202E).contains(value)
      || (0x2066...0x2069).contains(value)
  }

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

  /// Whether Foundation may give two normal forms to equal texts with this scalar.
  ///
  /// - It does not compose a Hangul syllable with the final consonant that follows it, and composes
  ///   one with U+11A7 and U+11C3, which no syllable ends with.
  /// - It composes a letter beyond U+FFFF like the one with the same last 16 bits: U+10041 like A.
  /// - It does not order the marks of a newer Unicode than its own, which Swift may know.
  /// - For `simpleParts`, see there.
  fileprivate var needsCare: Bool {
    if value < 0x340 { return false }
    if (0x11A7...0x11C3).contains(value) || simpleParts != nil { return true }
    if value > 0xFFFF, value & 0xFFFF < 0x3400 { return true }
    return isReordered && (properties.age ?? (0, 0)) >= (16, 0)
  }

  /// Whether the normal form orders the scalar, a mark, among those beside it.
  fileprivate var isReordered: Bool { properties.canonicalCombiningClass != .notReordered }

  /// The scalars that Foundation may not decompose this one into, or nil.
  ///
  /// If more than 31 marks follow each other, it does not decompose the first four. It does not know
  /// the letters of Unicode 16. Newer letters that decompose are to be added.
  fileprivate var simpleParts: [Unicode.Scalar]? {
    switch value {
    case 0x340: ["\u{300}"]
    case 0x341: ["\u{301}"]
    case 0x343: ["\u{313}"]
    case 0x344: ["\u{308}", "\u{301}"]
    case 0x105C9: ["\u{105D2}", "\u{307}"]
    case 0x105E4: ["\u{105DA}", "\u{307}"]
    case 0x11383: ["\u{11382}", "\u{113C9}"]
    case 0x11385: ["\u{11384}", "\u{113BB}"]
    case 0x1138E: ["\u{1138B}", "\u{113C2}"]
    case 0x11391: ["\u{11390}", "\u{113C9}"]
    case 0x113C5: ["\u{113C2}", "\u{113C2}"]
    case 0x113C7: ["\u{113C2}", "\u{113B8}"]
    case 0x113C8: ["\u{113C2}", "\u{113C9}"]
    case 0x16121: ["\u{1611E}", "\u{1611E}"]
    case 0x16122: ["\u{1611E}", "\u{16129}"]
    case 0x16123: ["\u{1611E}", "\u{1611F}"]
    case 0x16124: ["\u{16129}", "\u{1611F}"]
    case 0x16125: ["\u{1611E}", "\u{16120}"]
    case 0x16126: ["\u{1611E}", "\u{1611E}", "\u{1611F}"]
    case 0x16127: ["\u{1611E}", "\u{16129}", "\u{1611F}"]
    case 0x16128: ["\u{1611E}", "\u{1611E}", "\u{16120}"]
    case 0x16D68: ["\u{16D67}", "\u{16D67}"]
    case 0x16D69: ["\u{16D63}", "\u{16D67}"]
    case 0x16D6A: ["\u{16D63}", "\u{16D67}", "\u{16D67}"]
    default: nil
    }
  }

  /// Returns the Hangul syllable of this letter or syllable and the letter that follows it, or nil
  /// if they do not form one.
  fileprivate func syllable(with next: Unicode.Scalar) -> Unicode.Scalar? {
    let (first, second) = (Int(value), Int(next.value))
    switch (first, second) {
    case (0x1100...0x1112, 0x1161...0x1175):
      let number = (first - 0x1100) * 21 + second - 0x1161
      return Unicode.Scalar(UInt32(0xAC00 + number * 28))
    case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (first - 0xAC00) % 28 == 0:
      return Unicode.Scalar(UInt32(first + second - 0x11A7))
    default: return nil
    }
  }
}
