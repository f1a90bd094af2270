internal import Foundation

/// The rules that split text into words for full-text indexes.
///
/// A word is a sequence of letters and digits of any script. All other characters separate words.
/// Case and marks are ignored: "Ångström" contains the word "angstrom", and "STRASSE" and "Straße"
/// contain the same word. A script without spaces has long words, which a search can find by their
/// beginnings.
///
/// Splitting and folding are part of the file format. To fold a word,
/// 1. decompose it canonically and remove its nonspacing marks,
/// 2. convert each scalar to upper case, and then to lower case.
package enum FullText {
  /// The limit on the bytes of a word in an index. A longer word is truncated and followed by a
  /// hash, as in the keys of long strings.
  package static let wordLimit = 200

  /// Returns the common prefix of the keys of all objects that contain a word.
  package static func key(of word: String) -> [UInt8] {
    var key: [UInt8] = []
    KeyEncoding.append(utf8: word.utf8, limit: wordLimit, to: &key)
    return key
  }

  /// Returns the folded words of a text, without duplicates.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package static func words(of text: String) -> Set<String> { Set(wordList(of: text)) }

  /// Returns the folded words of a text, in order.
  package static func wordList(of text: String) -> [String] {
    var words: [String] = []
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      appendWords(ascii: text.utf8, to: &words)
    } else {
      appendWords(of: text, to: &words)
    }
    return words
  }

  private static func appendWords(ascii bytes: String.UTF8View, to words: inout [String]) {
    var word: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        word.append(byte)
      default:
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        word.removeAll(keepingCapacity: true)
      }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
  }

  private static func appendWords(of text: String, to words: inout [String]) {
    var word = ""
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .nonspacingMark: continue
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .spacingMark:
        word += scalar.properties.uppercaseMapping.lowercased()
      default:
        if !word.isEmpty { words.append(word) }
        word = ""
      }
    }
    if !word.isEmpty { words.append(word) }
  }
}
