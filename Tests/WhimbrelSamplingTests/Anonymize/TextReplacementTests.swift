import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling
import WhimbrelTestSupport

struct TextReplacementTests {
  private let texts = TextReplacement(SipHash.Key(1, 2))

  /// What stays of a text: each character as its kind.
  private func pattern(_ text: String) -> String {
    String(
      text.map { character in
        if character.isASCII, character.isNumber { return "9" }
        if character.isUppercase { return "A" }
        return character.isLetter ? "a" : character
      })
  }

  @Test func `a text keeps its pattern, and the same key gives the same`() {
    let text = "Zoë O'Brien-MacLeod, 12 High St. (2nd floor)"
    let replaced = texts.replacement(of: text)
    #expect(pattern(replaced) == pattern(text))
    #expect(replaced.utf8.count == text.utf8.count)
    #expect(replaced == TextReplacement(SipHash.Key(1, 2)).replacement(of: text))
    #expect(replaced != TextReplacement(SipHash.Key(1, 3)).replacement(of: text))
    for word in text.split(separator: " ") where word.contains(where: \.isLetter) {
      #expect(!replaced.contains(word))
    }
  }

  /// Stores that were replaced with a key agree with those of later versions of the library.
  @Test func `what texts become stays the same from version to version`() throws {
    let key = try AnonymizationKey(text: "the key of this test")
    let texts = TextReplacement(key)
    #expect(texts.replacement(of: "Europe/Andorra") == "Europe/Bxhpwsr")
    #expect(texts.replacement(of: "bob@example.org") == "gaq@pfcncb.test")
    #expect(
      texts.replacement(of: "6740c1d2a3b4c5d6e7f80912")
        == "0887e3bdae95b9668f521661")
  }

  @Test(arguments: ["", "0", "000", " \n\t", "...", "true", "false", "€ — ©", "\u{0}\u{301}"])
  func `a text without letters and digits stays, and so do zeros and truth values`(text: String) {
    #expect(texts.replacement(of: text) == text)
  }

  /// Scalars that belong together, and how many characters a word of each has.
  @Test(arguments: [
    "straße", "ÉCOLE", "Ελλάδα", "Москва", "Հայաստան", "ירושלים", "القاهرة", "दिल्ली",
    "নমস্কার", "ประเทศไทย", "서울특별시", "さくら", "カタカナ", "東京都", "საქართველო",
    "👩‍👩‍👧‍👦🇩🇪👍🏽😀", "e\u{301}a\u{308}", "ＡＢＣａｂｃ", "١٢٣", "नमस्ते दुनिया", "ﾃｽﾄ", "𝒜𝒷",
  ])
  func `each script stays, with its marks and emoji`(text: String) {
    let replaced = texts.replacement(of: text)
    #expect(replaced != text)
    #expect(replaced.count == text.count)
    #expect(replaced.utf8.count == text.utf8.count)
    #expect(replaced.utf16.count == text.utf16.count)
    for (old, new) in zip(text.unicodeScalars, replaced.unicodeScalars) {
      #expect(old.properties.generalCategory == new.properties.generalCategory)
      #expect(old.value >> 13 == new.value >> 13 || old.value >= 0x3400)
      #expect(old.properties.isEmojiPresentation == new.properties.isEmojiPresentation)
    }
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `texts of any characters keep their length and their shape`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pool = Array("aZé9 0-./:@%+T日한ก्\u{301}👍🏽क😀xyzABC123".unicodeScalars)
    var view = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      if Bool.random(using: &random), let scalar = pool.randomElement(using: &random) {
        view.append(scalar)
      } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) {
        view.append(scalar)
      }
    }
    let text = String(view)
    let replaced = texts.replacement(of: text)
    #expect(replaced.unicodeScalars.count == text.unicodeScalars.count, "seed \(seed)")
    if !text.contains("@") { #expect(replaced.utf8.count == text.utf8.count, "seed \(seed)") }
    #expect(texts.replacement(of: text) == replaced)
  }

  /// All short texts of a few characters: as many results as there are texts.
  @Test(arguments: ["ab0", "a-0@.", "1059", "/:%3a", "Tt2-:"])
  func `different texts become different texts`(characters: String) {
    var all: [String] = [""]
    var last = all
    for _ in 1...4 {
      last = last.flatMap { text in characters.map { text + String($0) } }
      all += last
    }
    #expect(Set(all.map(texts.replacement)).count == all.count)
  }

  @Test func `all numbers of up to three digits become all numbers of as many`() {
    for digits in 1...3 {
      let least = digits == 1 ? 0 : (1..<digits).reduce(1) { product, _ in product * 10 }
      let numbers = least..<least * 10 + (digits == 1 ? 10 : 0)
      let replaced = Set(numbers.compactMap { Int(texts.replacement(of: String($0))) })
      #expect(replaced == Set(numbers))
    }
  }

  @Test(arguments: ["007", "0.05", "-12.50", "+49 171 0012", "1,234.56", "v2.10.3"])
  func `numbers keep sign, point and leading zeros`(text: String) {
    let replaced = texts.replacement(of: text)
    #expect(pattern(replaced) == pattern(text))
    #expect(replaced != text)
    var isInNumber = false
    for (old, new) in zip(text, replaced) {
      // A zero is a leading one, or one behind other digits.
      if !isInNumber { #expect((old == "0") == (new == "0")) }
      isInNumber = new.isNumber && (isInNumber || new != "0")
    }
  }

  @Test(arguments: [
    "9223372036854775807", "9223372036854775808", "9223372036854775799", "1000000000000000000",
    "18446744073709551615", "18446744073709551616", "12345678901234567890",
    "-9223372036854775807", "-9223372036854775808", "-9223372036854775809", "-18446744073709551616",
  ])
  func `a number stays one of its type`(text: String) {
    let replaced = texts.replacement(of: text)
    #expect((Int64(replaced) == nil) == (Int64(text) == nil))
    #expect((UInt64(replaced) == nil) == (UInt64(text) == nil))
    #expect(replaced.count == text.count)
  }

  @Test(arguments: ["1e5", "-2.5E-10", "6.02e23"])
  func `a number with an exponent stays one of its size`(text: String) throws {
    let (old, new) = (try #require(Double(text)), try #require(Double(texts.replacement(of: text))))
    #expect(old != new)
    #expect((0.1...10).contains(new / old))
  }
}
