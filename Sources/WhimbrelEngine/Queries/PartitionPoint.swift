extension RandomAccessCollection {
  /// Returns the index of the first element of the second half, or the end index.
  ///
  /// - Parameter isInSecondHalf: A closure that returns false for the elements of the first half
  ///   and true for those of the second. All elements of the first half must precede those of the
  ///   second.
  /// - Complexity: O(log *n*) calls.
  @inlinable
  package func partitionPoint(
    where isInSecondHalf: (Element) throws -> Bool
  ) rethrows -> Index {
    var (first, remaining) = (startIndex, count)
    while remaining > 0 {
      let half = remaining / 2
      let middle = index(first, offsetBy: half)
      if try isInSecondHalf(self[middle]) {
        remaining = half
      } else {
        (first, remaining) = (index(after: middle), remaining - half - 1)
      }
    }
    return first
  }
}
