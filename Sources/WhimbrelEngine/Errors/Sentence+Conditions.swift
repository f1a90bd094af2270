extension Sentence {
  /// A property with its class, or the class alone.
  private static func place(_ className: String, _ property: String?) -> String {
    quoted(property.map { "\(className).\($0)" } ?? className)
  }

  static func notComparable(
    class className: String, property: String?, type: String, other: String, remedy: String
  ) -> Sentence {
    Sentence(
      "query \(place(className, property))",
      "\(quoted(type)) cannot be compared with \(quoted(other))", remedy)
  }

  static func wrongComparison(
    class className: String, property: String?, type: String, comparison: String
  ) -> Sentence {
    Sentence(
      "query \(place(className, property))",
      "values of type \(quoted(type)) cannot be compared by \(quoted(comparison))",
      "Ask whether they are equal, or choose a property of another type.")
  }

  static func pathEnds(
    class className: String, property: String, type: String, next: String
  ) -> Sentence {
    Sentence(
      "query \(quoted(next)) behind \(place(className, property))",
      "\(quoted(type)) leads no further", "End the path there, or lead it through links.")
  }

  static func notAnInverse(
    class className: String, property: String, target: String
  ) -> Sentence {
    Sentence(
      "query the objects that link by \(place(className, property))",
      "it does not lead to \(quoted(target))", "Name a link to \(quoted(target)).")
  }

  static func severalValues(
    class className: String, property: String?, other: String?
  ) -> Sentence {
    let names = [property, other].compactMap(\.self).map(quoted).joined(separator: " and ")
    return Sentence(
      "query \(quoted(className))",
      "both sides have several values" + (names.isEmpty ? "" : ", \(names)"),
      "Compare several values with a single one, or use a sub-query.")
  }

  static func notCalculable(
    class className: String, property: String?, type: String, verb: String
  ) -> Sentence {
    Sentence(
      "query \(place(className, property))",
      "\(quoted(verb)) does not work with values of type \(quoted(type))",
      "Choose a property of numbers.")
  }

  static func notObjects(class className: String, property: String?, type: String) -> Sentence {
    Sentence(
      "query \(place(className, property))",
      "a sub-query needs objects, and the path leads to \(quoted(type))",
      "Lead the path to objects, or compare its values.")
  }

  static func noFullTextIndex(class className: String, property: String) -> Sentence {
    Sentence(
      "search for words in \(place(className, property))", "it has no full-text index",
      "Declare the property '@Indexed(.fullText)'.")
  }

  static func sumTooLarge(class className: String, property: String?) -> Sentence {
    Sentence(
      "add up \(place(className, property))",
      "the sum does not fit into a whole number of 64 bits",
      "Add up fewer objects, or store the numbers as 'double'.")
  }
}
