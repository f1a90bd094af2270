internal import Foundation

/// Takes text apart into words, as full-text indexes have them.
///
/// A word is a range of letters and digits of any script; what stands between them counts
/// for nothing. Neither case counts nor marks: "Ångström" has the word "angstrom", "STRASSE"
/// and "Straße" have the same. A script without spaces has long words, of which a search
/// finds the beginnings.
///
/// Both are part of the file format: a word is folded so
/// 1. that it is decomposed canonically, and its nonspacing marks are left out,
/// 2. that each scalar becomes upper case, and then lower case.
package enum FullText {
  /// How many bytes of a word are kept in an index; of a longer one there is a hash besides,
  /// as in the keys of long strings.
  package static let wordLimit = 200

  /// What the keys of all objects with a word begin with.
  package static func key(of word: String) -> [UInt8] {
    var key: [UInt8] = []
    KeyEncoding.append(utf8: word.utf8, limit: wordLimit, to: &key)
    return key
  }

  /// The words of a text, folded, each once.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package static func words(of text: String) -> Set<String> { Set(wordList(of: text)) }

  /// The words of a text, folded, in their order.
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
