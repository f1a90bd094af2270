/// A collection of what a store shows. Its elements may change, and there may be none if a damaged
/// file keeps them from being read, while code has indexes of them.
///
/// Only an access checks an index. The standard library would also check it when it computes the
/// next one or a distance, and stop the program if damage has left fewer elements.
@_documentation(visibility: internal)
public protocol LiveElements: RandomAccessCollection where Index == Int, Indices == Range<Int> {}

extension LiveElements {
  /// Returns the next index.
  public func index(after position: Int) -> Int { position + 1 }

  /// Returns the previous index.
  public func index(before position: Int) -> Int { position - 1 }

  /// Returns the index at a distance from another.
  public func index(_ position: Int, offsetBy distance: Int) -> Int { position + distance }

  /// Returns the distance between two indexes.
  public func distance(from start: Int, to end: Int) -> Int { end - start }
}
