internal import Foundation

/// What is known so far of the facets that objects of a class show.
struct ClassTally {
  /// How many objects were looked at.
  private(set) var count = 0
  /// What any object shows, the extremes and what takes several objects not included.
  private(set) var shown: FacetBits
  /// What the object shows that is being looked at.
  private(set) var current: FacetBits
  /// By the number of the facet.
  private(set) var extremes: [Extreme?]
  private var object = ObjectNumber(0)

  init(_ facets: ClassFacets) {
    shown = FacetBits(count: facets.count)
    current = shown
    extremes = Array(repeating: nil, count: facets.count)
  }

  /// Begins with the next object.
  mutating func begin(_ object: ObjectNumber) {
    self.object = object
    current.removeAll()
  }

  /// Takes down that the object shows a facet.
  mutating func show(_ number: Int) { current.insert(number) }

  /// Takes down a value that may be an extreme; of equal ones the first is.
  mutating func take(_ measure: Measure, least: Int, greatest: Int) {
    if extremes[least].map({ measure < $0.measure }) ?? true {
      extremes[least] = Extreme(measure: measure, object: object)
    }
    take(measure, greatest: greatest)
  }

  /// Takes down a value that may be the greatest; of equal ones the first is.
  mutating func take(_ measure: Measure, greatest: Int) {
    if extremes[greatest].map({ $0.measure < measure }) ?? true {
      extremes[greatest] = Extreme(measure: measure, object: object)
    }
  }

  /// Ends with the object.
  mutating func end() {
    count += 1
    shown.formUnion(current)
  }
}

/// What is compared to find the extremes of a property.
enum Measure: Hashable, Comparable, Sendable {
  /// A whole number, or a length in bytes.
  case whole(Int64)
  case number(Double)
  case decimal(Decimal)

  static func < (left: Measure, right: Measure) -> Bool {
    switch (left, right) {
    case (.whole(let left), .whole(let right)): left < right
    case (.number(let left), .number(let right)): left < right
    case (.decimal(let left), .decimal(let right)): left < right
    // A property has one type.
    default: false
    }
  }
}

/// A value that no other exceeds, and the first object that has it.
struct Extreme {
  let measure: Measure
  let object: ObjectNumber
}
