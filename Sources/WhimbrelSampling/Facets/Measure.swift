internal import Foundation

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
