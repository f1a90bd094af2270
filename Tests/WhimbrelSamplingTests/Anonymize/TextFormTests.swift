import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelSampling

/// Texts that are read: what can be read of one can be read of what it becomes.
struct TextFormTests {
  private let texts = TextReplacement(SipHash.Key(3, 4))

  @Test(arguments: [
    ("bob@example.org", ".test"), ("Alice.Smith+news@mail.example.co.uk", ".test"),
    ("a@b.de", ".zz"), ("x@ab.de", ".zz"), ("x@abc.de", ".zz"), ("x@abcdef.de", ".test"),
    ("o'neil_7@my-company.com", ".test"),
  ])
  func `an e-mail address becomes one of a domain that nobody has`(text: String, end: String) {
    let replaced = texts.replacement(of: text)
    #expect(replaced.hasSuffix(end))
    #expect(replaced.count == text.count)
    #expect(replaced.firstIndex(of: "@") == text.firstIndex(of: "@"))
    let pattern = /[A-Za-z0-9.+_'-]+@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?\.[a-z]{2,}/
    #expect(replaced.wholeMatch(of: pattern) != nil)
    #expect(!replaced.contains(".."))
  }

  @Test func `an address is the same in any text, and a domain in any address`() {
    let address = texts.replacement(of: "bob@example.org")
    let text = texts.replacement(of: "Bob Brown <bob@example.org>, the second.")
    #expect(text.contains("<\(address)>"))
    let other = texts.replacement(of: "alice@Example.org")
    #expect(
      address.lowercased().split(separator: "@")[1] == other.lowercased().split(separator: "@")[1])
  }

  @Test func `addresses of many short domains stay different`() {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let domains = letters.flatMap { first in letters.map { "\(first)\($0).org" } }
    let addresses = domains.flatMap { ["bob@\($0)", "eve@\($0)"] }
    #expect(Set(addresses.map(texts.replacement)).count == addresses.count)
  }

  /// In Debian's index somebody is `georgesk@debian.org` and, once, `georgesk@debian.Org`: both
  /// became the same, and a store with unique addresses could not be made.
  @Test(arguments: ["georgesk@debian.org", "x@gmx.de", "mail@a.b.c.de"])
  func `an address in other case becomes the same in other case`(address: String) {
    let replaced = Self.inAllCases(address).map { texts.replacement(of: $0) }
    #expect(Set(replaced).count == replaced.count)
    #expect(Set(replaced.map { $0.lowercased() }).count == 1)
  }

  @Test(arguments: ["me@shop.email", "me@a.com", "me@b.museum", "me@x.info"])
  func `addresses that differ in case only stay different`(address: String) {
    let replaced = Self.inAllCases(address).map { texts.replacement(of: $0) }
    #expect(Set(replaced).count == replaced.count)
  }

  /// An address with each letter of its domain's last label, and the one before, in both cases.
  private static func inAllCases(_ address: String) -> [String] {
    let letters = address.indices.filter { address[$0].isLetter }.suffix(6)
      .filter { $0 > address.firstIndex(of: "@") ?? $0 }
    return (0..<1 << letters.count).map { bits in
      var characters = Array(address)
      for (number, index) in letters.enumerated() where bits >> number & 1 == 1 {
        let place = address.distance(from: address.startIndex, to: index)
        characters[place] = Character(characters[place].uppercased())
      }
      return String(characters)
    }
  }

  @Test func `what only looks like an address is letters`() {
    for text in ["@home", "a@b", "user@host.", "a@.de", "a@b..de", "@swift.org", "a@b.c0m"] {
      let replaced = texts.replacement(of: text)
      #expect(!replaced.contains(".test") && !replaced.contains(".zz"))
      #expect(replaced != text)
    }
  }

  @Test(arguments: [
    "https://www.example.org/people/Zo%C3%AB%20Brown?id=17&q=x#top", "ftp://host/a/b/c.txt",
    "https://user:secret@example.org:8080/", "mailto:bob@example.org", "tel:+49-171-5550123",
    "https://example.org/%D0%9C%D0%BE%D1%81%D0%BA%D0%B2%D0%B0/%e2%82%ac",
  ])
  func `a URL keeps its scheme, its path and its escapes`(text: String) throws {
    let replaced = texts.replacement(of: text)
    let (old, new) = (try #require(URL(string: text)), try #require(URL(string: replaced)))
    #expect(old.scheme == new.scheme)
    #expect(old.pathComponents.count == new.pathComponents.count)
    #expect(text.removingPercentEncoding?.count == replaced.removingPercentEncoding?.count)
    #expect(replaced != text)
    for word in ["www.example", "people", "Brown", "secret", "host", "bob", "5550123"] {
      #expect(!replaced.contains(word))
    }
  }

  // The word was taken for a part of the scheme, and stayed.
  @Test(arguments: [
    "Ask Winter.https://example.org/%C3%BC", "Jo-Winter-http://example.org", "Winterhttps://a.de",
    "winter7https://a.de", "https://a.de?q=Winterhttps://b.de",
  ])
  func `a word directly before a URL is replaced`(text: String) {
    let replaced = texts.replacement(of: text)
    #expect(!replaced.lowercased().contains("winter"))
    #expect(replaced.count == text.count)
    #expect(replaced.contains(text.contains("https://") ? "https://" : "http://"))
    #expect(texts.replacement(of: text) == replaced)
  }

  // Each word was searched for the end of a scheme up to the end of the text.
  @Test(.mustEnd, arguments: ["a.", "a-"])
  func `many words that dots or hyphens join take a time linear in their number`(word: String) {
    let replaced = texts.replacement(of: String(repeating: word, count: 60_000) + "://x")
    #expect(replaced.utf8.count == 120_004)
    #expect(replaced.hasSuffix("://\(replaced.suffix(1))"))
  }

  @Test(arguments: [
    "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "F47AC10B-58CC-4372-A567-0E02B2C3D479",
    "01890a5d-ac96-774b-bcce-b302099a8057",
  ])
  func `a UUID becomes one of the same version and variant`(text: String) throws {
    let replaced = texts.replacement(of: text)
    let (old, new) = (Array(text), Array(replaced))
    #expect(UUID(uuidString: replaced) != nil)
    #expect(old[14] == new[14] && old[19] == new[19])
    #expect(replaced == (text == text.lowercased() ? replaced.lowercased() : replaced.uppercased()))
    #expect(texts.replacement(of: text.uppercased()) == replaced.uppercased())
    #expect(texts.replacement(of: "id:\(text.lowercased());").contains(replaced.lowercased()))
    // Not even a range of it stays.
    #expect(zip(old, new).count { $0 == $1 && $0 != "-" } < 12)
  }

  @Test func `the UUIDs of only zeros and of only ones stay`() {
    for digit in ["0", "f"] {
      let text = [8, 4, 4, 4, 12].map { String(repeating: digit, count: $0) }.joined(separator: "-")
      #expect(texts.replacement(of: text) == text)
    }
  }

  @Test(arguments: ["6740c1d2a3b4c5d6e7f80912", "D41D8CD98F00B204E9800998ECF8427E"])
  func `hexadecimal digits stay such`(text: String) {
    let replaced = texts.replacement(of: text)
    #expect(replaced != text)
    #expect(replaced.allSatisfy { $0.isHexDigit })
    #expect(replaced.contains { $0.isUppercase } == text.contains { $0.isUppercase })
  }

  @Test func `every day becomes another day of the calendar`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    func day(_ text: String) -> Date? {
      try? Date(text, strategy: .iso8601.year().month().day())
    }
    let first = try #require(day("2003-12-01"))
    var seen: Set<String> = []
    for offset in 0..<800 {
      let text = first.addingTimeInterval(Double(offset) * 86_400)
        .formatted(.iso8601.year().month().day())
      let replaced = texts.replacement(of: text)
      let parsed = try #require(day(replaced), "\(text) became \(replaced)")
      #expect(parsed.formatted(.iso8601.year().month().day()) == replaced)
      #expect(replaced != text)
      seen.insert(replaced)
    }
    #expect(seen.count == 800)
  }

  @Test(arguments: ["2025-05-01T12:30:00Z", "2025-05-01T12:30:59+02:00"])
  func `a date with a time stays one`(text: String) throws {
    let replaced = texts.replacement(of: text)
    #expect(replaced != text)
    #expect(throws: Never.self) { try Date(replaced, strategy: .iso8601) }
    #expect(replaced.hasSuffix(String(text.dropFirst(19))))
  }

  @Test func `what is no day, no time and no place does not become one by rule`() {
    // Digits for digits: what they become may be a day by chance, but the form is another.
    for text in ["2025-02-30", "2025-13-01", "24:00", "12:60:00"] {
      #expect(texts.replacement(of: text).count == text.count)
    }
    for text in ["+4260+00131", "+4230+00160", "+9130+00131", "+4230-18130"] {
      let replaced = texts.replacement(of: text)
      #expect(replaced != text)
      #expect(!Self.isPlace(replaced))
    }
  }

  @Test(arguments: [
    "+4230+00131", "-345950-0583330", "+9000+18000", "+0000+00000", "+895959-1795959",
  ])
  func `a place of ISO 6709 stays one`(text: String) {
    let replaced = texts.replacement(of: text)
    #expect(Self.isPlace(text))
    #expect(Self.isPlace(replaced))
    #expect((replaced == text) == (text == "+9000+18000"))
  }

  /// Whether a text is `±DDMM±DDDMM` or `±DDMMSS±DDDMMSS` of a place on the globe.
  static func isPlace(_ text: String) -> Bool {
    let pattern = /[+-](\d\d)(\d\d)(\d\d)?[+-](\d\d\d)(\d\d)(\d\d)?/
    guard let match = text.wholeMatch(of: pattern) else { return false }
    let parts = [match.1, match.2, match.3 ?? "0", match.4, match.5, match.6 ?? "0"]
    let numbers = parts.compactMap { Int($0) }
    let latitude = numbers[0] * 3_600 + numbers[1] * 60 + numbers[2]
    let longitude = numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]
    return [1, 2, 4, 5].allSatisfy { numbers[$0] < 60 } && latitude <= 90 * 3_600
      && longitude <= 180 * 3_600
  }
}
