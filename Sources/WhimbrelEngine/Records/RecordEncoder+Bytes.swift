package import Foundation
package import WhimbrelLMDB

extension RecordEncoder {
  package mutating func set(_ index: Int, _ text: String) throws {
    try PageBytes.with(text) { bytes in try set(index, contents: bytes) }
  }

  package mutating func set(_ index: Int, _ data: Data) throws {
    // Safe: the data outlives the closure, and only its bytes are kept.
    try unsafe data.withUnsafeBytes { bytes in
      try set(index, contents: unsafe PageBytes(bytes))
    }
  }

  /// Stores the bytes of text or data. The caller guarantees that the bytes of text are UTF-8.
  package mutating func set(_ index: Int, contents: PageBytes) throws {
    if contents.count > Self.inlineLimit {
      try checkSize(contents.count, index)
      return setOverflow(index, contents.array)
    }
    let place = place(index)
    if !buffer.bytes.isEmptyPointer(place.slot) {
      if let start = placeOfEqualLength(place.slot, contents.count) {
        buffer.overwrite(at: start, from: contents, at: 0, count: contents.count)
        return mark(place, hasValue: true)
      }
      forgetValue(index, place.slot)
    }
    point(place.slot, toNext: contents.count)
    buffer.append(contents)
    mark(place, hasValue: true)
  }

  /// Stores a list from the bytes of its elements, if it is small enough for the record. The
  /// elements must have a fixed size and must not be optional.
  ///
  /// - Parameter width: The size of an element in bytes.
  /// - Returns: True if the list was stored. If false, nothing was stored.
  package mutating func set(_ index: Int, elements: PageBytes, width: Int) -> Bool {
    if elements.count == 0 {
      set(index, collection: MemoryNodes())
      return true
    }
    let size = (CollectionNode.headerSize + elements.count + 7) & ~7
    guard size <= Self.inlineCollectionLimit else { return false }
    // Writes a leaf that is the root and the only node of its tree: see `CollectionNode`.
    point(index, toNext: size)
    let start = buffer.count
    buffer.appendZeros(size)
    buffer.store(CollectionNode.Kind.fixedLeaf.rawValue, at: start + 4)
    buffer.store(UInt16(width).littleEndian, at: start + 6)
    buffer.store(UInt32(elements.count / width).littleEndian, at: start + 8)
    buffer.store(UInt32(1).littleEndian, at: start + 12)
    buffer.overwrite(
      at: start + CollectionNode.headerSize, from: elements, at: 0, count: elements.count)
    mark(place(index), hasValue: true)
    return true
  }
}
