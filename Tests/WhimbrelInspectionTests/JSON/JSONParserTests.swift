import Testing

@testable import WhimbrelInspection

struct JSONParserTests {
  @Test func `numbers keep their spelling and objects their order`() throws {
    let node = try JSONParser.parse(Array(#" {"b":[1.50,-0,18446744073709551615],"a":{}} "#.utf8))
    guard case .object(let members) = node.content else { throw JSONProblem(0, "no object") }
    #expect(members.map(\.name) == ["b", "a"])
    #expect(members.map(\.offset) == [2, 37])
    guard case .array(let elements) = members[0].value.content else {
      throw JSONProblem(0, "no array")
    }
    let spellings = elements.map { element in
      if case .number(let text) = element.content { text } else { "" }
    }
    #expect(spellings == ["1.50", "-0", "18446744073709551615"])
  }

  @Test(arguments: [
    (#""""#, ""), (#""\u0000\n\/\"""#, "\u{0}\n/\""), (#""\ud83d\ude00""#, "😀"),
    (#""\uD7FF\uE000""#, "\u{D7FF}\u{E000}"), (#""ä😀""#, "ä😀"),
  ])
  func `strings are unescaped`(json: String, text: String) throws {
    guard case .string(let found) = try JSONParser.parse(Array(json.utf8)).content else {
      throw JSONProblem(0, "no string")
    }
    #expect(found == text)
  }

  @Test(arguments: [
    "", " ", "{", "[", "[1", "[1,", "[1,]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}",
    "{1:1}",
    "[1 2]", "01", "-", "1.", ".5", "1e", "1e+", "+1", "0x1", "NaN", "nul", "nulls", "tru", "'a'",
    "\"",
    "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"",
    "\"\\ud800\\u0041\"",
    "\"a\tb\"", "1 1", "{}{}", "\u{FEFF}1",
  ])
  func `what is no JSON is an error inside of the line`(json: String) {
    do {
      _ = try JSONParser.parse(Array(json.utf8))
      Issue.record("It was read.")
    } catch {
      #expect((0...json.utf8.count).contains(error.offset))
    }
  }

  @Test(arguments: [
    [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
  ])
  func `a string that is no UTF-8 is an error`(bytes: [UInt8]) {
    #expect(throws: JSONProblem.self) { try JSONParser.parse(bytes) }
  }

  @Test func `nesting has a limit`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSONParser.parse(nested(256))
    #expect(throws: JSONProblem.self) { try JSONParser.parse(nested(257)) }
    #expect(throws: JSONProblem.self) { try JSONParser.parse(nested(1_000_000)) }
  }
}
