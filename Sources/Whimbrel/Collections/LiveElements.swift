/// A collection of what a store shows. Its elements may change, and there may be none if a damaged
/// file keeps them from being read, while code has indexes of them.
///
/// Operations that read every element use the iterator and not indexes. The iterator visits the
/// elements that exist when it is made, and skips objects that are deleted meanwhile.
///
/// Only an access checks an index. The standard library would also check it when it computes the
/// next one or a distance, and stop the program if damage has left fewer elements.
@_documentation(visibility: internal)
public protocol LiveElements: RandomAccessCollection where Index == Int, Indices == Range<Int> {}

extension LiveElements {
  /// Returns the results of calling a closure with each element.
  ///
  /// - Complexity: O(*n*).
  @inlinable
  public func map<Result, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    var results: [Result] = []
    var iterator = makeIterator()
    while let element = iterator.next() { results.append(try transform(element)) }
    return results
  }

  /// Returns the elements as an array's storage: what `Array(elements)` calls. One that cannot be
  /// read is not there, though it is counted.
  @inlinable
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    // The standard library's own copy of a collection stops the program when there are fewer
    // elements than `count`.
    var elements = ContiguousArray<Element>()
    for element in self { elements.append(element) }
    return elements
  }

  /// Zero, because a loop may visit fewer elements than `count`: see ``LiveElements``. The standard
  /// library stops the program when there are fewer than this number, in `array += elements` and
  /// `Array(zip(elements, others))`.
  public var underestimatedCount: Int { 0 }

  /// Returns the next index.
  public func index(after position: Int) -> Int { position + 1 }

  /// Returns the previous index.
  public func index(before position: Int) -> Int { position - 1 }

  /// Returns the index at a distance from another.
  public func index(_ position: Int, offsetBy distance: Int) -> Int { position + distance }

  /// Returns the distance between two indexes.
  public func distance(from start: Int, to end: Int) -> Int { end - start }
}
