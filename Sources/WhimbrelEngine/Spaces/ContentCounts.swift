/// Counts of the changes of a class's objects. While results that read the class are cached, they
/// tell whether the results are still right.
final class ContentCounts {
  /// How often objects were added or removed, or may have been.
  private var objects = 0
  /// How often objects were changed in properties that are not known.
  private var unknown = 0
  /// How often each property was changed in an object.
  private var properties: [Int]

  init(propertyCount: Int) {
    properties = Array(repeating: 0, count: propertyCount)
  }

  /// Counts an object that was added or removed, or a change of any kind.
  func didChangeObjects() { objects += 1 }

  /// Counts a change of an object.
  ///
  /// - Parameter position: The position of the property, or nil if it may be any.
  func didChange(_ position: Int?) {
    if let position { properties[position] += 1 } else { unknown += 1 }
  }

  /// Returns the number of changes that concern what reads some properties of all objects.
  func total(of positions: Set<Int>) -> Int {
    // The counts only grow: their sum is the same if all of them are.
    positions.isEmpty ? objects : positions.reduce(objects + unknown) { $0 + properties[$1] }
  }
}
