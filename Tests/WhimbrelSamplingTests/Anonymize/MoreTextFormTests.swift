import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling
import WhimbrelTestSupport

/// Forms of texts that other programs read: JSON, addresses of machines, account numbers, and dates
/// as people write them.
struct MoreTextFormTests {
  private let texts = TextReplacement(SipHash.Key(5, 6))

  @Test(arguments: [
    #"{"name":"Bob","age":42,"ok":true,"no":null,"tags":["x y","Zoë"],"deep":{"a":[1.5,-2e3]}}"#,
    "[ \"Alice\" ,\n\t{ \"mail\" : \"bob@example.org\" } ]",
    #"["a\"b\\c\nd","\u00eb\ud83d\ude00x"]"#,
    #"{"id":"F47AC10B-58CC-4372-A567-0E02B2C3D479","day":"2024-02-29","n":0.05}"#, "{}", "[true]",
  ])
  func `JSON stays JSON with the same names and literals`(text: String) throws {
    let replaced = texts.replacement(of: text)
    let old = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let new = try JSONSerialization.jsonObject(with: Data(replaced.utf8))
    #expect(Self.shape(old) == Self.shape(new), "\(replaced)")
    #expect(replaced.count == text.count)
    for word in ["Bob", "Alice", "Zoë", "x y", "bob@example"] { #expect(!replaced.contains(word)) }
    #expect((replaced == text) == (text == "{}" || text == "[true]"))
  }

  /// Each identifier is a part of its own, and each part was looked for among all characters.
  @Test(.takesLong, .mustEnd)
  func `a text of twenty thousand identifiers takes no longer than its length`() {
    let identifiers = (0..<20_000).map { String(format: "%08x-1234-4abc-8def-0123456789ab", $0) }
    let text = identifiers.joined(separator: " ")
    let replaced = texts.replacement(of: text)
    #expect(replaced.count == text.count)
    let found = replaced.split(separator: " ")
    #expect(Set(found).count == identifiers.count)
    // The same in a text as alone.
    #expect(found.last.map(String.init) == identifiers.last.map(texts.replacement))
  }

  @Test func `a long text asks whether to stop`() {
    var asked = 0
    let texts = TextReplacement(
      SipHash.Key(5, 6),
      isCancelled: {
        asked += 1; return true
      })
    let codes = (0..<3_000).map { "A\($0)B-\($0 * 7)" }.joined(separator: " ")
    #expect(texts.replacement(of: codes) != codes)
    #expect(asked <= 1)
  }

  /// What has to stay of a value of JSON.
  private static func shape(_ value: Any) -> String {
    switch value {
    case let object as [String: Any]:
      return object.sorted { $0.key < $1.key }.map { "\($0.key):\(shape($0.value))" }.joined()
    case let array as [Any]: return "[\(array.map(shape).joined(separator: ","))]"
    case is NSNull: return "null"
    case let text as String: return "text \(text.count)"
    case let number as NSNumber:
      return CFBoolean.isBoolean(number) ? "\(number)" : "number"
    default: return "?"
    }
  }

  @Test func `a text in JSON becomes the same as it does alone`() {
    let name = texts.replacement(of: "Winterbottom")
    #expect(texts.replacement(of: #"{"name":"Winterbottom"}"#) == "{\"name\":\"\(name)\"}")
    let address = texts.replacement(of: "bob@example.org")
    #expect(texts.replacement(of: #"["bob@example.org"]"#) == "[\"\(address)\"]")
  }

  // The escape of a letter beyond U+FFFF has twelve characters, and the letter that replaces it in a
  // domain has six: the line feed became part of the JSON.
  @Test func `an escaped letter of a domain does not move the escapes behind it`() throws {
    let json = texts.replacement(of: #"["a@b.c\ud835\udfd8 hello\nworld"]"#)
    let array = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String]
    #expect(array == [texts.replacement(of: "a@b.c\u{1D7D8} hello\nworld")])
  }

  @Test func `different JSON stays different, and what is no JSON does not become any`() {
    var seen: Set<String> = []
    for letter in "abcdefghijklmnopqrstuvwxyz" {
      for text in [
        "[\"\(letter)\"]", "{\"\(letter)\":\"\(letter)\"}", "[\(letter)rue]", "[nul\(letter)]",
        "{\(letter)}",
      ] {
        let replaced = texts.replacement(of: text)
        #expect(seen.insert(replaced).inserted)
        func isJSON(_ text: String) -> Bool {
          (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
        }
        #expect(isJSON(text) == isJSON(replaced), "\(text) became \(replaced)")
      }
    }
  }

  @Test(arguments: [
    "192.168.1.17", "10.0.0.1", "8.8.8.8", "from 203.0.113.254:8080 to 198.51.100.7/24",
  ])
  func `an address of IPv4 stays one`(text: String) throws {
    let replaced = texts.replacement(of: text)
    #expect(replaced != text)
    let pattern = /\d+\.\d+\.\d+\.\d+/
    let (old, new) = (text.matches(of: pattern), replaced.matches(of: pattern))
    #expect(old.count == new.count)
    for (before, after) in zip(old, new) {
      #expect(before.output != after.output)
      for part in after.output.split(separator: ".") {
        #expect(UInt8(part) != nil && String(UInt8(part) ?? 0) == part, "\(replaced)")
      }
    }
    if text.contains(":8080") { #expect(replaced.contains(":8080") && replaced.hasSuffix("/24")) }
  }

  @Test(arguments: [
    "2001:db8::8a2e:370:7334", "fe80::1ff:fe23:4567:890a%eth0", "2001:0DB8:0:0:0:0:0:1",
    "::ffff:192.0.2.128", "[2001:db8::17]:443",
  ])
  func `an address of IPv6 stays one`(text: String) throws {
    let replaced = texts.replacement(of: text)
    #expect(replaced != text)
    let address = replaced.prefix { $0 != "%" }.replacing("[", with: "").replacing(
      "]:443", with: "")
    var bytes = in6_addr()
    #expect(unsafe inet_pton(AF_INET6, String(address), &bytes) == 1, "\(replaced)")
  }

  @Test(arguments: ["127.0.0.1", "0.0.0.0", "::1", "::", "255.255.255.255", "00:00:00:00:00:00"])
  func `addresses of no machine stay`(text: String) {
    #expect(texts.replacement(of: text) == text)
  }

  @Test(arguments: ["00:1a:2b:3c:4d:5e", "00-1A-2B-3C-4D-5E", "001a.2b3c.4d5e"])
  func `a MAC address stays one`(text: String) {
    let replaced = texts.replacement(of: text)
    #expect(replaced != text)
    for (old, new) in zip(text, replaced) {
      #expect(old.isHexDigit == new.isHexDigit && (old.isHexDigit || old == new), "\(replaced)")
    }
    #expect(Array(replaced)[1] == Array(text)[1])
    #expect(replaced.contains { $0.isUppercase } == text.contains { $0.isUppercase })
  }

  @Test(arguments: [
    "DE89370400440532013000", "GB82 WEST 1234 5698 7654 32", "NO9386011117947",
    "Pay to FR14 2004 1010 0505 0001 3M02 606 today", "MT84MALT011000012345MTLCAST001S",
  ])
  func `an IBAN stays one with the right check digits`(text: String) throws {
    let replaced = texts.replacement(of: text)
    let pattern = /[A-Z]{2}\d\d(?: ?[A-Z0-9])+/
    let (old, new) = (
      try #require(text.firstMatch(of: pattern)), try #require(replaced.firstMatch(of: pattern))
    )
    #expect(old.output != new.output)
    #expect(old.output.prefix(2) == new.output.prefix(2))
    #expect(Self.remainder(new.output) == 1, "\(replaced)")
    #expect(Self.remainder(old.output) == 1)
    for (before, after) in zip(old.output, new.output) {
      #expect(before.isNumber == after.isNumber && before.isLetter == after.isLetter)
    }
  }

  private static func remainder(_ number: Substring) -> Int {
    let characters = number.filter { $0 != " " }
    return (characters.dropFirst(4) + characters.prefix(4)).reduce(0) { sum, character in
      let value = Int(String(character), radix: 36) ?? 0
      return (sum * (value < 10 ? 10 : 100) + value) % 97
    }
  }

  @Test func `many IBANs stay different`() {
    let numbers = (0..<2_000).map { number -> String in
      let account = "37040044" + String(format: "%010d", number)
      let check = 98 - Self.remainder(Substring("DE00" + account))
      return "DE" + String(format: "%02d", check) + account
    }
    #expect(Set(numbers.map(texts.replacement)).count == numbers.count)
  }

  @Test(arguments: [
    ("31.12.2024", "dd.MM.yyyy"), ("5.1.2024", "d.M.yyyy"), ("12/31/2024", "MM/dd/yyyy"),
    ("31/12/2024", "dd/MM/yyyy"), ("05-11-2024", "dd-MM-yyyy"), ("29.02.2024", "dd.MM.yyyy"),
    ("2024/12/31", "yyyy/MM/dd"), ("20241130", "yyyyMMdd"), ("5 Nov 2024", "d MMM yyyy"),
    ("Nov 5, 2024", "MMM d, yyyy"), ("17. November 2024", "d. MMMM yyyy"),
    ("15.06.24", "dd.MM.yy"), ("5 Nov 2024 10:07:59 PM", "d MMM yyyy hh:mm:ss a"),
  ])
  func `a day stays one in its form`(text: String, format: String) throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.isLenient = false
    formatter.dateFormat = format
    let replaced = texts.replacement(of: text)
    #expect(replaced != text)
    let date = try #require(formatter.date(from: replaced), "\(text) became \(replaced)")
    #expect(formatter.string(from: date) == replaced)
  }

  @Test func `every day of some years stays one, whichever of both is first`() throws {
    var seen: Set<String> = []
    for number in 0..<1_200 {
      let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 86_400)
      let parts = Calendar(identifier: .gregorian).dateComponents(
        in: .gmt, from: date)
      let (day, month, year) = (parts.day ?? 1, parts.month ?? 1, parts.year ?? 2024)
      for text in ["\(day).\(month).\(year)", String(format: "%02d/%02d/%d", month, day, year)] {
        let replaced = texts.replacement(of: text)
        #expect(seen.insert(replaced).inserted, "\(text) became \(replaced)")
        let fields = replaced.split { $0 == "." || $0 == "/" }.compactMap { Int($0) }
        let isDotted = text.contains(".")
        let found = DateComponents(
          calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: fields[2],
          month: isDotted ? fields[1] : fields[0], day: isDotted ? fields[0] : fields[1])
        #expect(found.isValidDate, "\(text) became \(replaced)")
      }
    }
  }

  @Test func `a date of mail and the web stays one`() {
    let replaced = texts.replacement(of: "Tue, 05 Nov 2024 10:07:59 GMT")
    #expect(
      replaced.wholeMatch(of: /Tue, 0[1-9] Nov (19|20)\d\d [0-2]\d:[0-5]\d:[0-5]\d GMT/) != nil)
    let mail = texts.replacement(of: "Tue, 15 Nov 2024 10:07:59 +0100")
    #expect(mail.hasPrefix("Tue, ") && mail.hasSuffix(" +0100"))
  }

  @Test(arguments: ["a1b2c3d", "0x1f", "0xDEADBEEF", "#ff8800", "9f86d081884c"])
  func `short hexadecimal digits stay such`(text: String) {
    let replaced = texts.replacement(of: text)
    #expect(replaced != text)
    let digits = replaced.hasPrefix("0x") ? replaced.dropFirst(2) : replaced.drop { $0 == "#" }
    #expect(digits.allSatisfy { $0.isHexDigit }, "\(replaced)")
    #expect(replaced.hasPrefix("0x") == text.hasPrefix("0x"))
  }

  /// Of a long list of codes one or the other always became a word of hexadecimal digits by chance,
  /// and the text was permuted without end.
  @Test(.takesLong, .mustEnd, arguments: ["KA1234567", "a1b2c3d", "#ff8800", "DE 12", "9:15"])
  func `a long list of codes ends`(code: String) {
    let text = (0..<2_000).map { "\(code) \($0)" }.joined(separator: ", ")
    let replaced = texts.replacement(of: text)
    #expect(replaced != text && replaced.count == text.count)
    #expect(replaced == texts.replacement(of: text))
  }

  @Test func `words that only look like it are letters`() {
    for text in [
      "decade", "facade", "#added to it", "May we?", "1.2.3", "10:20:30:40", "AB12 CDEF",
    ] {
      let replaced = texts.replacement(of: text)
      #expect(replaced != text && replaced.count == text.count, "\(text) became \(replaced)")
    }
  }

  @Test func `a time zone keeps its area`() {
    let replaced = texts.replacement(of: "America/Argentina/Buenos_Aires")
    #expect(replaced.wholeMatch(of: /America\/[A-Z][a-z]{8}\/[A-Z][a-z]{5}_[A-Z][a-z]{4}/) != nil)
    #expect(!replaced.contains("Argentina"))
  }

  @Test(.takesLong) func `random texts of these forms stay different, and keep their length`() {
    var random = SeededGenerator(seed: 7)
    let pieces = [
      "{", "}", "[", "]", "\"", ":", ",", ".", "/", "-", " ", "1", "12", "2024", "Nov", "::", "ff",
      "DE", "0x", "#", "a1b2c3d", "true", "Europe/", "PM", "255", "\\u00eb", "\\",
    ]
    var seen: [String: String] = [:]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 1...7, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      let replaced = texts.replacement(of: text)
      #expect(replaced.unicodeScalars.count == text.unicodeScalars.count)
      #expect(
        seen[replaced] == nil || seen[replaced] == text, "\(text) and \(seen[replaced] ?? "")")
      seen[replaced] = text
    }
  }
}

/// Tells truth values from numbers, which Foundation has one class for.
private enum CFBoolean {
  static func isBoolean(_ number: NSNumber) -> Bool {
    let text = "\(number)"
    return text == "true" || text == "false"
  }
}
