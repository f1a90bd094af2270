extension Sentence {
  private static func action(_ isSorting: Bool) -> String {
    isSorting ? "sort" : "find different values"
  }

  static func noOrder(
    class className: String, property: String, type: String, isSorting: Bool
  ) -> Sentence {
    Sentence(
      "\(action(isSorting)) by \(quoted("\(className).\(property)"))",
      "values of type \(quoted(type)) \(isSorting ? "have no order" : "cannot be told apart")",
      "Choose a property with a single value, or lead the path to one.")
  }

  static func notAnOrder(class className: String, isSorting: Bool) -> Sentence {
    Sentence(
      "\(action(isSorting)) objects of \(quoted(className))",
      "the path does not end at a property of a single value",
      "Name a property, and in front of it only links to single objects.")
  }
}
