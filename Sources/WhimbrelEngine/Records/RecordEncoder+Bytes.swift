package import Foundation
package import WhimbrelLMDB

extension RecordEncoder {
  /// Stores data.
  package mutating func set(_ index: Int, _ data: Data) throws {
    try checkSize(data.count, index)
    if data.count > Self.inlineLimit { return setOutside(index, Array(data)) }
    let start = buffer.count
    buffer.append(data)
    point(index, start, data.count)
    mark(place(index), hasValue: true)
  }

  /// Stores text or data, given its bytes. Those of text are UTF-8; who gives them has seen to
  /// that.
  package mutating func set(_ index: Int, contents: PageBytes) throws {
    try checkSize(contents.count, index)
    if contents.count > Self.inlineLimit { return setOutside(index, contents.array) }
    let start = buffer.count
    buffer.append(contents)
    point(index, start, contents.count)
    mark(place(index), hasValue: true)
  }

  /// Stores a list whose elements have one size and are not optional, given their bytes, if it
  /// is small enough for the record.
  ///
  /// - Parameter width: how many bytes an element has.
  /// - Returns: whether it is; otherwise nothing is stored.
  package mutating func set(_ index: Int, elements: PageBytes, width: Int) -> Bool {
    if elements.count == 0 {
      set(index, collection: MemoryNodes())
      return true
    }
    let size = (CollectionNode.headerSize + elements.count + 7) & ~7
    guard size <= Self.inlineCollectionLimit else { return false }
    // A leaf that is the root of its tree, and the only node: see `CollectionNode`.
    let start = buffer.count
    buffer.appendZeros(size)
    buffer.store(CollectionNode.Kind.fixedLeaf.rawValue, at: start + 4)
    buffer.store(UInt16(width).littleEndian, at: start + 6)
    buffer.store(UInt32(elements.count / width).littleEndian, at: start + 8)
    buffer.store(UInt32(1).littleEndian, at: start + 12)
    buffer.overwrite(
      at: start + CollectionNode.headerSize, from: elements, at: 0, count: elements.count)
    point(index, start, size)
    mark(place(index), hasValue: true)
    return true
  }
}
