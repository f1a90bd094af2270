/// A path from an object to values, through properties, links and collections.
package struct QueryPath: Hashable, Sendable {
  /// The steps. They are empty if the path is the object itself.
  package var steps: [Step]
  /// The rule for how many of several values must satisfy a comparison.
  package var quantifier: Quantifier

  package enum Step: Hashable, Sendable {
    /// A property. A list or set leads to all of its elements, and a map to all of its values.
    case property(String)
    /// The objects of a class that link to the object through a property.
    case inverse(class: String, property: String)
    /// The value of a map for a name, or nil if it does not have the name.
    case name(String)
    /// The names of a map.
    case names
  }

  package enum Quantifier: String, CaseIterable, Hashable, Sendable {
    case any, all, none
  }

  package init(_ steps: [Step] = [], _ quantifier: Quantifier = .any) {
    self.steps = steps
    self.quantifier = quantifier
  }

  package init(_ names: String...) { self.init(names.map(Step.property)) }
}
