import Testing
import WhimbrelEngine

/// The words of texts, and what searches find.
struct FullTextTests {
  @Test(arguments: [
    ("", []), (" .,!", []), ("Swan Lake", ["swan", "lake"]), ("don't_stop", ["don", "t", "stop"]),
    ("a1-b2 3", ["a1", "b2", "3"]), ("Ångström ÅNGSTRÖM", ["angstrom", "angstrom"]),
    ("A\u{30A}ngstro\u{308}m", ["angstrom"]), ("Straße STRASSE", ["strasse", "strasse"]),
    ("ΟΔΟΣ οδός", ["οδοσ", "οδοσ"]), ("Ёлка, елка", ["елка", "елка"]),
    ("swan\u{0}lake", ["swan", "lake"]), ("白鳥の湖", ["白鳥の湖"]), ("ﬁn", ["fin"]),
    ("İstanbul ISTANBUL", ["istanbul", "istanbul"]), ("🦢swan🦆", ["swan"]),
    ("कि", ["क\u{93F}"]), ("٣ three", ["٣", "three"]),
  ])
  func `a text is split into folded words`(text: String, words: [String]) {
    #expect(FullText.wordList(of: text) == words)
    #expect(FullText.words(of: text) == Set(words))
  }

  @Test(arguments: [
    ("swan", "A Swan, on a lake", true), ("swan lake", "lake of the swan", true),
    ("swan lake", "lake", false), ("swan OR lake", "lake", true), ("swan OR lake", "duck", false),
    ("swan -lake", "swan", true), ("swan -lake", "swan lake", false),
    ("swan NOT lake", "swan", true), ("swan NOT lake", "swan lake", false),
    ("NOT -swan", "swan", true), ("swa*", "SWANS", true), ("swa*", "wasswan", false),
    ("swan", "swans", false), ("-duc* lake", "ducks on the lake", false),
    ("-duc* lake", "lake", true), ("swan lake OR duck", "duck", true),
    ("swan lake OR duck", "swan", false), ("duck OR swan lake", "swan lake", true),
    ("swan AND lake", "lake swan", true), ("swan and lake", "lake swan", false),
    ("swan or lake", "swan", false), ("-duck", "swan", true), ("-duck", "duck", false),
    ("", "swan", false), ("!? - *", "swan", false), ("OR", "or", false), ("NOT", "not", false),
    ("OR swan OR", "swan", true), ("snow-white", "white snow", true),
    ("snow-white", "white", false), ("-snow-white white", "white", true),
    ("-snow-white white", "white snow", false), ("snow-whi*", "white snow", true),
    ("ÉCLUSE", "e\u{301}cluse", true), ("\"swan lake\"", "lake swan", true),
  ])
  func `a search matches texts by their words`(search: String, text: String, isFound: Bool) {
    #expect(FullTextSearch(parsing: search).matches(text) == isFound)
  }
}
