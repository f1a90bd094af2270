// What the errors of typed queries and predicates say.

extension Sentence {
  static func notQueryable(class className: String) -> Sentence {
    Sentence(
      "query \(quoted(className))", "a key path leads to no property that is stored",
      "Use properties that the model stores, not computed ones or those marked '@Transient'.")
  }

  static func foreignObject(
    class className: String, of objectClass: String, isManaged: Bool
  ) -> Sentence {
    Sentence(
      "query \(quoted(className)) for an object of \(quoted(objectClass))",
      isManaged ? "the object belongs to another store" : "the object is in no store",
      isManaged ? "Find the object in this store." : "Add the object to the store first.")
  }

  static func severalCollections(class className: String, collections: [String]) -> Sentence {
    let names = collections.map { $0.isEmpty ? "the object itself" : quoted($0) }
    let reason =
      names.isEmpty ? "no part of it is about a collection" : "it is about more than one thing"
    return Sentence(
      "count what meets a condition in a query of \(quoted(className))", reason, items: names,
      "Make every part of the condition one of the elements of the same collection.")
  }

  static func severalQuantifiers(class className: String) -> Sentence {
    Sentence(
      "query \(quoted(className))", "a path has more than one of 'all' and 'none'",
      "Use one of them, or count what meets a condition.")
  }

  static func noPath(class className: String) -> Sentence {
    Sentence(
      "query \(quoted(className))",
      "something that only properties have is asked of a value that is worked out",
      "Ask for it of a property.")
  }

  static func untranslatablePredicate(class className: String, part: String) -> Sentence {
    Sentence(
      "translate a predicate of \(quoted(className))",
      "a query has no counterpart for \(quoted(part))",
      "Leave it out, or use 'filter' on the results, which goes through the objects in Swift.")
  }
}
