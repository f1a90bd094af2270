/// A collection of objects of a store. It may change during iteration.
///
/// Operations that read every element use the iterator and not indexes. The iterator visits the
/// objects that exist when it is made, and skips those that are deleted meanwhile.
@_documentation(visibility: internal)
public protocol LiveObjects: RandomAccessCollection where Index == Int {}

extension LiveObjects {
  /// Returns the results of calling a closure with each object.
  ///
  /// - Complexity: O(*n*).
  public func map<Result, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    var results: [Result] = []
    var iterator = makeIterator()
    while let element = iterator.next() { results.append(try transform(element)) }
    return results
  }

  /// Returns the objects as an array's storage: what `Array(objects)` calls. One that cannot be
  /// read is not there, though it is counted.
  public func _copyToContiguousArray() -> ContiguousArray<Element> { copiedElements() }
}
