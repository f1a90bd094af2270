/// The layout of elements in the leaves of a collection.
package enum ElementFormat: Hashable, Sendable {
  /// Every element takes the same number of bytes, at least one.
  case fixed(width: Int)
  /// An element takes any number of bytes, including zero.
  case variable

  /// The size of an element in bytes, or zero if sizes differ.
  var width: Int {
    switch self {
    case .fixed(let width): width
    case .variable: 0
    }
  }
}
