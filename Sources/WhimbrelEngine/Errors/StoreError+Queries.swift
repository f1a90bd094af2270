// The errors of queries: conditions and sort orders, typed and as text.

extension StoreError {
  /// Returns the error for comparing two incompatible values.
  package static func notComparable(
    class className: String, property: String?, type: String, other: String, remedy: String,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      Sentence(
        "query \(place(className, property))",
        "\(quoted(type)) cannot be compared with \(quoted(other))", remedy),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for a comparison that the type of the values does not support.
  package static func wrongComparison(
    class className: String, property: String?, type: String, comparison: String,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      Sentence(
        "query \(place(className, property))",
        "values of type \(quoted(type)) cannot be compared with \(quoted(comparison))",
        "Compare them for equality, or choose a property of another type."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for a path that continues after a property that is not a link.
  package static func pathEnds(
    class className: String, property: String, type: String, next: String,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      Sentence(
        "query \(quoted(next)) of \(place(className, property))",
        "a value of type \(quoted(type)) has no properties", "End the path there, or follow a link."
      ),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for an inverse property that does not link to the class.
  package static func notAnInverse(
    class className: String, property: String, target: String,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      Sentence(
        "query the objects that link by \(place(className, property))",
        "the property does not link to \(quoted(target))",
        "Name a property that links to \(quoted(target))."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for a comparison with several values on both sides.
  package static func severalValues(
    class className: String, property: String?, other: String?, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    let names = [property, other].compactMap(\.self).map(quoted).joined(separator: " and ")
    return StoreError(
      .queryMismatch,
      Sentence(
        "query \(quoted(className))",
        "both sides of the comparison have several values" + (names.isEmpty ? "" : ", \(names)"),
        "Compare several values with a single one, or use a sub-query."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for a calculation with values that are not numbers.
  package static func notCalculable(
    class className: String, property: String?, type: String, verb: String,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      Sentence(
        "query \(place(className, property))",
        "\(quoted(verb)) does not work with values of type \(quoted(type))",
        "Choose a numeric property."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for a sub-query whose path does not lead to objects.
  package static func notObjects(
    class className: String, property: String?, type: String, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      Sentence(
        "query \(place(className, property))",
        "a sub-query needs objects, and the path leads to \(quoted(type))",
        "End the path at objects, or compare its values."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for a word search in a property without a full-text index.
  package static func noFullTextIndex(
    class className: String, property: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      Sentence(
        "search for words in \(place(className, property))", "it has no full-text index",
        "Mark the property with '@Indexed(.fullText)'."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for a sum of integers above 64 bits.
  package static func sumTooLarge(
    class className: String, property: String?, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .outOfRange,
      Sentence(
        "add up \(place(className, property))",
        "the sum does not fit into a 64-bit integer",
        "Add up fewer objects, or store the numbers as 'double'."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for sorting by a path whose values have no order, or with several values.
  package static func noOrder(
    class className: String, property: String, type: String, isSorting: Bool,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      Sentence(
        "\(action(isSorting)) by \(quoted("\(className).\(property)"))",
        "values of type \(quoted(type)) \(isSorting ? "have no order" : "cannot be compared")",
        "Choose a property with a single value, or end the path at one."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for sorting by a path that does not consist of properties.
  package static func notAnOrder(
    class className: String, isSorting: Bool, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      Sentence(
        "\(action(isSorting)) of \(quoted(className))",
        "the path does not end at a property with a single value",
        "Follow only links to single objects, and end the path at such a property."),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for a key path that does not lead to a stored property.
  package static func notQueryable(
    class className: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidQuery,
      Sentence(
        "query \(quoted(className))", "a key path does not lead to a stored property",
        "Use properties that the model stores, not computed ones or those marked '@Transient'."),
      Context(class: className), file: file,
      line: line)
  }

  /// Returns the error for querying an object of another store, or of none.
  package static func foreignObject(
    class className: String, of objectClass: String, isManaged: Bool, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidQuery,
      Sentence(
        "query \(quoted(className)) for an object of \(quoted(objectClass))",
        isManaged ? "the object belongs to another store" : "the object is not in a store",
        isManaged ? "Find the object in this store." : "Add the object to the store first."),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for a sub-query that is not about one collection. An empty name stands for
  /// the object itself.
  package static func severalCollections(
    class className: String, collections: [String], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let names = collections.map { $0.isEmpty ? "the object itself" : quoted($0) }
    let reason =
      names.isEmpty
      ? "no part of the condition is about a collection"
      : "the condition is about more than one thing"
    return StoreError(
      .invalidQuery,
      Sentence(
        "count elements in a query of \(quoted(className))", reason, items: names,
        "Make every part of the condition about the elements of one collection."),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for a path with more than one quantifier.
  package static func severalQuantifiers(
    class className: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidQuery,
      Sentence(
        "query \(quoted(className))", "a path uses 'all' or 'none' more than once",
        "Use one of them once, or count the elements that meet a condition."),
      Context(class: className), file: file,
      line: line)
  }

  /// Returns the error for a computed value where a property is required.
  package static func noPath(
    class className: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidQuery,
      Sentence(
        "query \(quoted(className))",
        "a computed value is used where a stored property is required",
        "Use a stored property there."),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for a condition with too many levels.
  package static func deepCondition(
    class className: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidQuery,
      Sentence(
        "query \(quoted(className))",
        "the condition is nested more than \(QueryCondition.depthLimit) levels deep",
        "Use 'in' for a choice of values, or split the query into several."),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for a part of a predicate that queries do not support.
  package static func untranslatablePredicate(
    class className: String, part: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .untranslatablePredicate,
      Sentence(
        "translate a predicate of \(quoted(className))",
        "queries do not support \(quoted(part))",
        "Leave it out, or use 'filter' on the results, which tests each object in Swift."),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for an argument of a textual query that properties cannot have.
  package static func invalidQueryArgument(
    class className: String, number: Int, got: String, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidQuery,
      Sentence(
        "query \(quoted(className))",
        "argument $\(number) is of the type \(quoted(got)), which properties cannot have",
        """
        Use values that properties may have, objects of the store, nil, or arrays of them.
        """),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for a textual query that is not valid, or that uses unknown names.
  package static func invalidQuery(
    _ error: QueryTextError, class className: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidQuery, error.sentence,
      Context(class: error.names?.className ?? className, property: error.names?.property),
      underlying: error, file: file, line: line)
  }

  private static func action(_ isSorting: Bool) -> String {
    isSorting ? "sort objects" : "find distinct objects"
  }
}

extension QueryTextError {
  var sentence: Sentence { Sentence("read the query", reason, excerpt: excerpt, hint) }
}
