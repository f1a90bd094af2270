/// Objects of a store that may change while they are gone through.
///
/// What takes all of them goes through them, rather than from position to position: it
/// gets those that there are when it begins, less those that are deleted on the way.
@_documentation(visibility: internal)
public protocol LiveObjects: RandomAccessCollection where Index == Int {}

extension LiveObjects {
  /// The results of calling a closure with each object.
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

  /// The objects as an array's storage: what `Array(objects)` calls. One that cannot be
  /// read is not there, though it is counted.
  public func _copyToContiguousArray() -> ContiguousArray<Element> { copiedElements() }
}
