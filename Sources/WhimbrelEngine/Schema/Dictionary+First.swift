extension Dictionary {
  /// Creates a dictionary of pairs. Of several pairs with one key, the first one counts.
  package init(keepingFirst pairs: some Sequence<(Key, Value)>) {
    self.init(pairs, uniquingKeysWith: { first, _ in first })
  }
}
