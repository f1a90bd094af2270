/// The way from an object to values: by properties, links and collections.
package struct QueryPath: Hashable, Sendable {
  /// Empty for the object itself.
  package var steps: [Step]
  /// Where there are several values, how many of them a comparison has to hold for.
  package var quantifier: Quantifier

  package enum Step: Hashable, Sendable {
    /// A property; of a collection it leads to all elements, of a map to all values.
    case property(String)
    /// The objects of a class that link here by a property.
    case inverse(class: String, property: String)
    /// The value that a map has for a name; nil where it has none.
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

  /// The path of properties with names.
  package init(_ names: String...) { self.init(names.map(Step.property)) }
}
