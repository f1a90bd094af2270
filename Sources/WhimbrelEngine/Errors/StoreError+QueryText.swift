extension StoreError {
  /// A query that was given as text cannot be read, or names what is not there.
  package static func invalidQuery(
    _ error: QueryTextError, class className: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidQuery, .invalidQuery(error),
      Context(
        class: error.names?.className ?? className, property: error.names?.property),
      underlying: error, file: file, line: line)
  }
}
