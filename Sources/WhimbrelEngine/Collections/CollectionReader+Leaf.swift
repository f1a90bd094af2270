internal import WhimbrelLMDB

/// Neighbouring elements of at most 64 bits; valid as long as what read them.
@safe
package struct LeafBits {
  private let bytes: PageBytes
  private let width: Int
  private let lowerBound: Int
  private let upperBound: Int

  // Invariant: the bytes are those of as many elements of the width.
  init(_ bytes: PageBytes, width: Int, _ range: Range<Int>) {
    self.bytes = bytes
    self.width = width
    lowerBound = range.lowerBound
    upperBound = range.upperBound
  }

  /// The bits of the element at a position, or nil when it is not among these.
  package subscript(position: Int) -> UInt64? {
    guard position >= lowerBound, position < upperBound else { return nil }
    let offset = (position - lowerBound) * width
    switch width {
    case 8: return UInt64(littleEndian: bytes.load(UInt64.self, at: offset))
    case 4: return UInt64(UInt32(littleEndian: bytes.load(UInt32.self, at: offset)))
    case 2: return UInt64(UInt16(littleEndian: bytes.load(UInt16.self, at: offset)))
    default: return UInt64(bytes.load(UInt8.self, at: offset))
    }
  }
}

extension CollectionReader {
  /// The elements that are stored beside the one at a position.
  ///
  /// - Complexity: O(log *n*).
  package func leaf(containing position: Int) throws -> Leaf {
    Leaf(self, try tree.leaf(containing: position))
  }

  /// Neighbouring elements that are stored together, for whoever goes from one to
  /// the next. It is valid as long as the reader is.
  package struct Leaf {
    private let reader: CollectionReader
    private let view: CollectionTree<EditedNodes>.LeafView
    /// The bytes of an element, or zero when there is more to it than bits.
    private let bitWidth: Int
    /// The positions of the elements.
    package let range: Range<Int>

    init(_ reader: CollectionReader, _ view: CollectionTree<EditedNodes>.LeafView) {
      self.reader = reader
      self.view = view
      range = view.start..<view.start + view.count
      let width = reader.coding.format.width
      bitWidth = !reader.coding.element.isOptional && width <= 8 ? width : 0
    }

    /// The elements as bits, or nil when they are optional or not of 8, 16, 32 or 64.
    package var bits: LeafBits? {
      // Invariant: all elements of one width lie inside of the node's bytes.
      let bytes = view.node.bytes
      let length = range.count * bitWidth
      guard bitWidth.nonzeroBitCount == 1,
        let elements = bytes.slice(at: CollectionNode.headerSize, count: length)
      else { return nil }
      return LeafBits(elements, width: bitWidth, range)
    }

    /// The element at a position.
    package func value(at position: Int) throws -> PropertyValue {
      try reader.coding.value(
        view.element(position - view.start), reader.property, reader.overflow)
    }

    /// The name of an element of a map.
    package func name(at position: Int) throws -> String {
      try reader.coding.nameBytes(view.element(position - view.start)).text
    }
  }
}
