import Testing
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("한국", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("ｆｕｌｌ", 8), ("ﾊﾝ", 2), ("👍", 2), ("👍🏽", 2),
    ("👩‍👩‍👧‍👦", 2), ("🇨🇭", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("a\u{200B}b", 2), ("क्ष", 2),
    ("מזל", 3), ("𠀀", 2), ("\u{AD}", 1),
  ])
  func `a terminal shows text this wide`(text: String, width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abcd", 1, "…"), ("abcd", 0, ""), ("", 0, ""),
    ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 1, "…"),
    ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("e\u{301}e\u{301}", 2, "e\u{301}e\u{301}"),
    ("👩‍👩‍👧‍👦👍", 3, "👩‍👩‍👧‍👦…"),
  ])
  func `text is cut between characters`(text: String, columns: Int, cut: String) {
    #expect(DisplayWidth.cut(text, to: columns) == cut)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `cut text fits, and is whole where it fits`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = ["a", "é", "e\u{301}", "日", "👩‍👩‍👧", "\u{200B}", "한", "\u{301}", " "]
    for _ in 0..<100 {
      let text = (0..<Int.random(in: 0...12, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let columns = Int.random(in: 0...14, using: &random)
      let cut = DisplayWidth.cut(text, to: columns)
      #expect(DisplayWidth.of(cut) <= columns)
      #expect((cut == text) == (DisplayWidth.of(text) <= columns))
    }
  }
}

struct TextTableTests {
  @Test func `columns are aligned as a terminal shows them`() {
    let table = TextTable(
      [["日本", "1", "x"], ["e\u{301}", "20", ""], ["", "3"]], indent: 1, rightAligned: [1])
    #expect(table.description == " 日本   1  x\n e\u{301}     20\n        3\n")
  }

  @Test func `headings look different where there are colours`() {
    let plain = TextTable([["1"]], rightAligned: [0], heading: ["number"])
    #expect(plain.description == "number\n     1\n")
    let coloured = TextTable(
      [["1"]], rightAligned: [0], heading: ["number"], styling: .coloured)
    #expect(coloured.description == "\u{1B}[1mnumber\u{1B}[0m\n     1\n")
  }
}

struct PlainTextTests {
  @Test func `the beginning of a text has no control characters and no endless letters`() {
    #expect(PlainText.beginning(of: "abc", limit: 3) == "abc")
    #expect(PlainText.beginning(of: "abcd", limit: 3) == "abc…")
    #expect(PlainText.beginning(of: "a\n\u{1B}[2J\u{9B}", limit: 9) == #"a\n\u{1B}[2J\u{009B}"#)
    let endless = "x" + String(repeating: "\u{301}", count: 10_000)
    #expect(PlainText.beginning(of: endless + "y", limit: 9) == "\u{FFFD}y")
    #expect(PlainText.beginning(of: "\u{202E}", limit: 1) == #"\u{202E}"#)
  }

  @Test func `JSON for a terminal says the same`() throws {
    let json = "{\"a\u{9B}\u{202E}\":\n\"é\u{7F}\"}"
    #expect(PlainText.escapedJSON(json) == "{\"a\\u009B\\u202E\":\n\"é\\u007F\"}")
  }
}
