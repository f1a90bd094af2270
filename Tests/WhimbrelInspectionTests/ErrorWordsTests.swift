import Testing
import WhimbrelInspection

struct ErrorWordsTests {
  /// It stood in double quotes, where a shell replaces '$HOME' and the like.
  @Test func `a path in a hint is one word for a shell`() {
    #expect(ErrorWords.argument("a/b.whimbrel") == "a/b.whimbrel")
    #expect(ErrorWords.argument("it's my.whimbrel") == #""it's my.whimbrel""#)
    #expect(ErrorWords.argument("my $HOME's.whimbrel") == #"'my $HOME'\''s.whimbrel'"#)
    // An accent after a dollar sign makes another character of it, but not another byte.
    #expect(ErrorWords.argument("a $\u{301}b") == "'a $\u{301}b'")
    #expect(ErrorWords.argument(nil) == "<store>")
  }
}
