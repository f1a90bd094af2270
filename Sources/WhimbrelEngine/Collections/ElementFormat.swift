/// How the elements of a collection are laid out in its leaves.
package enum ElementFormat: Hashable, Sendable {
  /// Every element takes the same number of bytes, at least one.
  case fixed(width: Int)
  /// An element takes any number of bytes, also none.
  case variable

  /// The bytes of an element, or zero when they differ.
  var width: Int {
    switch self {
    case .fixed(let width): width
    case .variable: 0
    }
  }
}
