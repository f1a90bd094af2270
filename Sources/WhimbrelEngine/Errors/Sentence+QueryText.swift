extension Sentence {
  static func invalidQuery(_ error: QueryTextError) -> Sentence {
    Sentence("read the query", error.reason, excerpt: error.excerpt, error.hint)
  }
}
