// The errors of conditions and paths that do not fit the properties they name.

extension StoreError {
  /// Two values cannot be compared.
  package static func notComparable(
    class className: String, property: String?, type: String, other: String, remedy: String,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      .notComparable(
        class: className, property: property, type: type, other: other, remedy: remedy),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// A comparison is none for values of a type.
  package static func wrongComparison(
    class className: String, property: String?, type: String, comparison: String,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      .wrongComparison(
        class: className, property: property, type: type, comparison: comparison),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// A path goes on behind a property that leads nowhere.
  package static func pathEnds(
    class className: String, property: String, type: String, next: String,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      .pathEnds(class: className, property: property, type: type, next: next),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// A property by which objects were to link to a class does not.
  package static func notAnInverse(
    class className: String, property: String, target: String,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch, .notAnInverse(class: className, property: property, target: target),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// Both sides of a comparison have several values.
  package static func severalValues(
    class className: String, property: String?, other: String?, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      .severalValues(class: className, property: property, other: other),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// A number was to be worked out of values that are none.
  package static func notCalculable(
    class className: String, property: String?, type: String, verb: String,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      .notCalculable(class: className, property: property, type: type, verb: verb),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// Objects were to meet a condition, and a path leads to something else.
  package static func notObjects(
    class className: String, property: String?, type: String, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch, .notObjects(class: className, property: property, type: type),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// Words were to be searched where there is no full-text index.
  package static func noFullTextIndex(
    class className: String, property: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch, .noFullTextIndex(class: className, property: property),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// The sum of whole numbers has more than 64 bits.
  package static func sumTooLarge(
    class className: String, property: String?, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .outOfRange, .sumTooLarge(class: className, property: property),
      Context(class: className, property: property),
      file: file, line: line)
  }
}
