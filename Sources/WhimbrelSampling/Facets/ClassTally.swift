internal import Foundation

/// A tally of the facets that the objects of a class show.
struct ClassTally {
  /// The number of objects that were read.
  private(set) var count = 0
  /// The facets that some object shows, without extremes and facets that need several objects.
  private(set) var shown: FacetBits
  /// The facets of the current object.
  private(set) var current: FacetBits
  /// The extremes by the number of their facet.
  private(set) var extremes: [Extreme?]
  private var object = ObjectNumber(0)

  init(_ facets: ClassFacets) {
    shown = FacetBits(count: facets.count)
    current = shown
    extremes = Array(repeating: nil, count: facets.count)
  }

  mutating func begin(_ object: ObjectNumber) {
    self.object = object
    current.removeAll()
  }

  /// Records that the current object shows a facet.
  mutating func show(_ number: Int) { current.insert(number) }

  /// Takes a value that may be an extreme. Of equal values the first counts.
  mutating func take(_ measure: Measure, least: Int, greatest: Int) {
    if extremes[least].map({ measure < $0.measure }) ?? true {
      extremes[least] = Extreme(measure: measure, object: object)
    }
    take(measure, greatest: greatest)
  }

  /// Takes a value that may be the greatest. Of equal values the first counts.
  mutating func take(_ measure: Measure, greatest: Int) {
    if extremes[greatest].map({ $0.measure < measure }) ?? true {
      extremes[greatest] = Extreme(measure: measure, object: object)
    }
  }

  mutating func end() {
    count += 1
    shown.formUnion(current)
  }
}

/// A value that is compared to find the extremes of a property.
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
    // Values of one property always have the same case.
    default: false
    }
  }
}

/// A smallest or largest value, and the first object that has it.
struct Extreme {
  let measure: Measure
  let object: ObjectNumber
}
