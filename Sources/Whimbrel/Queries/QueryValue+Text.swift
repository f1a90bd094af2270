internal import WhimbrelEngine

extension QueryValue where Value: QueryMember, Value._$Kind: QueryKind.Textual {
  /// The condition that the text has this one somewhere in it.
  public func contains(_ text: String, options: TextOptions = []) -> QueryValue<Bool> {
    compared(.contains, text, options)
  }

  /// The condition that the text begins with this one.
  public func starts(with text: String, options: TextOptions = []) -> QueryValue<Bool> {
    compared(.beginsWith, text, options)
  }

  /// The condition that the text ends with this one.
  public func ends(with text: String, options: TextOptions = []) -> QueryValue<Bool> {
    compared(.endsWith, text, options)
  }

  /// The condition that the text is like a pattern, in which `*` stands for any characters, `?`
  /// for one, and `\` takes the character behind it as it is.
  public func like(_ pattern: String, options: TextOptions = []) -> QueryValue<Bool> {
    compared(.like, pattern, options)
  }

  /// The condition that the text is like a pattern, whether letters are upper or lower case or
  /// only as they are.
  public func like(_ pattern: String, caseInsensitive: Bool) -> QueryValue<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// The condition that the text is this one but for what does not count.
  public func equals(_ text: String?, options: TextOptions = []) -> QueryValue<Bool> {
    compared(.equal, text, options)
  }

  /// The condition that the text is not this one, also but for what does not count.
  public func notEquals(_ text: String?, options: TextOptions = []) -> QueryValue<Bool> {
    compared(.notEqual, text, options)
  }

  private func compared(
    _ comparison: QueryComparison, _ text: String?, _ options: TextOptions
  ) -> QueryValue<Bool> {
    QueryValue<Bool>(part.compared(comparison, part.constant(text), options))
  }

  /// The condition that the text is one of these but for what does not count.
  public func `in`(_ texts: some Sequence<String>, options: TextOptions) -> QueryValue<Bool> {
    QueryValue<Bool>(part.isIn(texts.map(PropertyValue.string), options))
  }

  /// The condition that the text has the words that a search asks for.
  ///
  /// The property needs a full-text index: mark it with `@Indexed(.fullText)`.
  ///
  /// ```swift
  /// store.objects(Article.self).where { $0.body.search("swan -lake") }
  /// ```
  public func search(_ words: String) -> QueryValue<Bool> {
    QueryValue<Bool>(part.made(.condition(.hasWords(part.path, search: words))))
  }
}

// MARK: - With the text of another property

extension QueryValue where Value: QueryMember, Value._$Kind: QueryKind.Textual {
  /// The condition that the text has another somewhere in it.
  public func contains<Other: QueryMember>(
    _ text: QueryValue<Other>, options: TextOptions = []
  ) -> QueryValue<Bool> where Other._$Kind == QueryKind.Text {
    QueryValue<Bool>(part.compared(.contains, text.part, options))
  }

  /// The condition that the text begins with another.
  public func starts<Other: QueryMember>(
    with text: QueryValue<Other>, options: TextOptions = []
  ) -> QueryValue<Bool> where Other._$Kind == QueryKind.Text {
    QueryValue<Bool>(part.compared(.beginsWith, text.part, options))
  }

  /// The condition that the text ends with another.
  public func ends<Other: QueryMember>(
    with text: QueryValue<Other>, options: TextOptions = []
  ) -> QueryValue<Bool> where Other._$Kind == QueryKind.Text {
    QueryValue<Bool>(part.compared(.endsWith, text.part, options))
  }

  /// The condition that the text is another but for what does not count.
  public func equals<Other: QueryMember>(
    _ text: QueryValue<Other>, options: TextOptions = []
  ) -> QueryValue<Bool> where Other._$Kind == QueryKind.Text {
    QueryValue<Bool>(part.compared(.equal, text.part, options))
  }
}
