// The errors of typed queries and predicates; Sentence+TypedQueries.swift words them.

extension StoreError {
  /// A key path of a query leads to no stored property.
  package static func notQueryable(
    class className: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidQuery, .notQueryable(class: className), Context(class: className), file: file,
      line: line)
  }

  /// A query asks for an object that is in no store, or in another.
  package static func foreignObject(
    class className: String, of objectClass: String, isManaged: Bool, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidQuery, .foreignObject(class: className, of: objectClass, isManaged: isManaged),
      Context(class: className), file: file, line: line)
  }

  /// A sub-query is not of one collection; an empty name stands for the object itself.
  package static func severalCollections(
    class className: String, collections: [String], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidQuery, .severalCollections(class: className, collections: collections),
      Context(class: className), file: file, line: line)
  }

  /// A path says twice how many of its values have to meet a condition.
  package static func severalQuantifiers(
    class className: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidQuery, .severalQuantifiers(class: className), Context(class: className), file: file,
      line: line)
  }

  /// Something that only a property has is asked of a value that is worked out.
  package static func noPath(
    class className: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidQuery, .noPath(class: className), Context(class: className), file: file, line: line)
  }

  /// A predicate has a part for which queries have no counterpart.
  package static func untranslatablePredicate(
    class className: String, part: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .untranslatablePredicate, .untranslatablePredicate(class: className, part: part),
      Context(class: className), file: file, line: line)
  }
}
