internal import WhimbrelEngine

extension QueryValue where Value: QueryMember, Value._$Kind: QueryKind.Textual {
  /// Returns the condition that the text contains another text.
  public func contains(_ text: String, options: TextOptions = []) -> QueryValue<Bool> {
    compared(.contains, text, options)
  }

  /// Returns the condition that the text begins with another text.
  public func starts(with text: String, options: TextOptions = []) -> QueryValue<Bool> {
    compared(.beginsWith, text, options)
  }

  /// Returns the condition that the text ends with another text.
  public func ends(with text: String, options: TextOptions = []) -> QueryValue<Bool> {
    compared(.endsWith, text, options)
  }

  /// Unavailable. Gives the name of the condition in the compiler's message.
  @available(*, unavailable, renamed: "starts(with:)")
  public func hasPrefix(_ text: String) -> QueryValue<Bool> { starts(with: text) }

  /// Unavailable. Gives the name of the condition in the compiler's message.
  @available(*, unavailable, renamed: "ends(with:)")
  public func hasSuffix(_ text: String) -> QueryValue<Bool> { ends(with: text) }

  /// Returns the condition that the text matches a pattern. In the pattern, `*` stands for any
  /// characters, `?` stands for one Unicode scalar, and `\` escapes the next one. An emoji or a
  /// letter with an accent may consist of several scalars.
  ///
  /// If the options ignore case, `?` stands for one scalar of the folded text. There, `ß` is `ss`, so
  /// `Straße` matches `stra??e` and not `stra?e`.
  public func like(_ pattern: String, options: TextOptions = []) -> QueryValue<Bool> {
    compared(.like, pattern, options)
  }

  /// Returns the condition that the text matches a pattern, with or without regard to case.
  public func like(_ pattern: String, caseInsensitive: Bool) -> QueryValue<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Returns the condition that the text equals another text. The options say which differences to
  /// ignore.
  public func equals(_ text: String?, options: TextOptions = []) -> QueryValue<Bool> {
    compared(.equal, text, options)
  }

  /// Returns the condition that the text does not equal another text. The options say which
  /// differences to ignore.
  public func notEquals(_ text: String?, options: TextOptions = []) -> QueryValue<Bool> {
    compared(.notEqual, text, options)
  }

  private func compared(
    _ comparison: QueryComparison, _ text: String?, _ options: TextOptions
  ) -> QueryValue<Bool> {
    QueryValue<Bool>(part.compared(comparison, part.constant(text), options))
  }

  /// Returns the condition that the text is one of these. The options say which differences to
  /// ignore.
  public func `in`(_ texts: some Sequence<String>, options: TextOptions) -> QueryValue<Bool> {
    QueryValue<Bool>(part.isIn(texts.map(PropertyValue.string), options))
  }

  /// Returns the condition that the text contains the words of a search.
  ///
  /// The property needs a full-text index: mark it with `@Indexed(.fullText)`. The index finds
  /// objects by their own words. For a path through links, the query reads the texts.
  ///
  /// ```swift
  /// store.objects(Article.self).where { $0.body.search("swan -lake") }
  /// ```
  public func search(_ words: String) -> QueryValue<Bool> {
    QueryValue<Bool>(part.made(.condition(.hasWords(part.path, search: words))))
  }
}

extension QueryValue where Value: QueryMember, Value._$Kind == QueryKind.Text {
  /// The condition that the text is empty. A nil text is not empty.
  public var isEmpty: QueryValue<Bool> { equals("") }
}

// MARK: - With the text of another property

extension QueryValue where Value: QueryMember, Value._$Kind: QueryKind.Textual {
  /// Returns the condition that the text contains another text.
  public func contains<Other: QueryMember>(
    _ text: QueryValue<Other>, options: TextOptions = []
  ) -> QueryValue<Bool> where Other._$Kind == QueryKind.Text {
    QueryValue<Bool>(part.compared(.contains, text.part, options))
  }

  /// Returns the condition that the text begins with another text.
  public func starts<Other: QueryMember>(
    with text: QueryValue<Other>, options: TextOptions = []
  ) -> QueryValue<Bool> where Other._$Kind == QueryKind.Text {
    QueryValue<Bool>(part.compared(.beginsWith, text.part, options))
  }

  /// Returns the condition that the text ends with another text.
  public func ends<Other: QueryMember>(
    with text: QueryValue<Other>, options: TextOptions = []
  ) -> QueryValue<Bool> where Other._$Kind == QueryKind.Text {
    QueryValue<Bool>(part.compared(.endsWith, text.part, options))
  }

  /// Returns the condition that the text equals another text. The options say which differences to
  /// ignore.
  public func equals<Other: QueryMember>(
    _ text: QueryValue<Other>, options: TextOptions = []
  ) -> QueryValue<Bool> where Other._$Kind == QueryKind.Text {
    QueryValue<Bool>(part.compared(.equal, text.part, options))
  }
}
