// The errors of queries: of conditions, of orders, typed and as text.

extension StoreError {
  /// Two values cannot be compared.
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

  /// Values of a type cannot be compared in a certain way.
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

  /// A path goes on behind a property that leads nowhere.
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

  /// A property by which objects were to link to a class does not.
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

  /// Both sides of a comparison have several values.
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

  /// A number was to be worked out of values that are none.
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

  /// Objects were to meet a condition, and a path leads to something else.
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

  /// A property that is searched for words has no full-text index.
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

  /// The sum of whole numbers has more than 64 bits.
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

  /// The values that a path leads to have no order, or there are several.
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

  /// A path by which objects are to be put in an order does not lead through properties.
  package static func notAnOrder(
    class className: String, isSorting: Bool, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .queryMismatch,
      Sentence(
        "\(action(isSorting)) of \(quoted(className))",
        "the path does not end at a property with a single value",
        "Lead the path through links to single objects, and end it at such a property."),
      Context(class: className), file: file, line: line)
  }

  /// A key path of a query leads to no stored property.
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

  /// A query asks for an object that is in no store, or in another.
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

  /// A sub-query is not of one collection; an empty name stands for the object itself.
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

  /// A path says twice how many of its values have to meet a condition.
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

  /// Something that only a property has is asked of a value that is worked out.
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

  /// A predicate has a part for which queries have no counterpart.
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

  /// An argument of a query in text is nothing that a query can have.
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

  /// A query that was given as text cannot be read, or names what is not there.
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
  /// The words of the error.
  var sentence: Sentence { Sentence("read the query", reason, excerpt: excerpt, hint) }
}
