// The errors of paths by which objects are to be put in an order, or told from each other.

extension StoreError {
  /// The values that a path leads to have no order, or there are several.
  package static func noOrder(
    class className: String, property: String, type: String, isSorting: Bool,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      .noOrder(class: className, property: property, type: type, isSorting: isSorting),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// A path by which objects are to be put in an order does not lead through properties.
  package static func notAnOrder(
    class className: String, isSorting: Bool, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch, .notAnOrder(class: className, isSorting: isSorting),
      Context(class: className),
      file: file, line: line)
  }
}
