extension StoreError {
  /// An argument of a query in text is nothing that a query can have.
  package static func invalidQueryArgument(
    class className: String, number: Int, got: String, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidQuery, .invalidQueryArgument(class: className, number: number, got: got),
      Context(class: className), file: file, line: line)
  }
}

extension Sentence {
  static func invalidQueryArgument(
    class className: String, number: Int, got: String
  ) -> Sentence {
    Sentence(
      "query \(quoted(className))",
      "argument $\(number) is of the type \(quoted(got)), which no property has",
      """
      Use values that properties may have, objects of the store, nil, or arrays of them.
      """)
  }
}
