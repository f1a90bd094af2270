internal import WhimbrelLMDB

/// Adjacent elements of at most 64 bits. They are valid as long as the reader is.
@safe
package struct LeafBits {
  private let bytes: PageBytes
  private let width: Int
  private let lowerBound: Int
  private let upperBound: Int

  // Invariant: The bytes contain one element of the width for each position in the range.
  init(_ bytes: PageBytes, width: Int, _ range: Range<Int>) {
    self.bytes = bytes
    self.width = width
    lowerBound = range.lowerBound
    upperBound = range.upperBound
  }

  /// The bits of the element at a position, or nil if the position is not in the range.
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
  /// Returns the elements in the same leaf as the element at a position.
  ///
  /// - Complexity: O(log *n*).
  package func leaf(containing position: Int) throws -> Leaf {
    Leaf(self, try leafView(containing: position))
  }

  /// Returns all elements as bits, or nil if they are optional or do not have 8, 16, 32 or 64 bits.
  package func bits() throws -> [UInt64]? {
    var all: [UInt64] = []
    all.reserveCapacity(count)
    while all.count < count {
      let leaf = try leaf(containing: all.count)
      guard let bits = leaf.bits else { return nil }
      for position in all.count..<leaf.range.upperBound { all.append(bits[position] ?? 0) }
    }
    return all
  }

  /// Adjacent elements that are stored in one leaf, for fast sequential reads. A leaf is valid as
  /// long as the reader is.
  package struct Leaf {
    let reader: CollectionReader
    let view: CollectionTree<EditedNodes>.LeafView
    /// The size of an element in bytes, or zero if elements are not plain bits.
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

    /// The elements as bits, or nil if they are optional or do not have 8, 16, 32 or 64 bits.
    package var bits: LeafBits? { view.node.bits(bitWidth, from: view.start) }

    package func value(at position: Int) throws -> PropertyValue {
      try reader.coding.value(
        view.element(position - view.start), reader.property, reader.overflow)
    }

  }

  /// Some adjacent elements.
  package struct Elements {
    package fileprivate(set) var values: [PropertyValue] = []
    /// The names of the elements of a map. Other collections have none.
    package fileprivate(set) var names: [String] = []

    package init() {}
  }
}

extension CollectionReader.Leaf {
  /// Returns elements from a position on, up to the end of the leaf or a limit. Stops at a damaged
  /// element, and at one that is so long that it is stored elsewhere, unless it is the first.
  package func elements(from position: Int, limit: Int) -> CollectionReader.Elements {
    var elements = CollectionReader.Elements()
    let count = min(limit, range.upperBound - position)
    elements.values.reserveCapacity(count)
    if reader.coding.isMap { elements.names.reserveCapacity(count) }
    for position in position..<position + count {
      guard let bytes = try? view.element(position - view.start),
        let chunks = try? reader.coding.chunks(of: bytes).map({ _ in true }) ?? false,
        elements.values.isEmpty || !chunks, (try? add(bytes, to: &elements)) != nil
      else { break }
      if chunks { break }
    }
    return elements
  }

  /// Returns the element at a position.
  ///
  /// - Throws: ``DamagedRecord``.
  package func element(at position: Int) throws -> CollectionReader.Elements {
    var elements = CollectionReader.Elements()
    try add(view.element(position - view.start), to: &elements)
    return elements
  }

  /// An element that cannot be read: null, with an empty name in a map.
  package var unreadable: CollectionReader.Elements {
    var elements = CollectionReader.Elements()
    elements.values.append(.null)
    if reader.coding.isMap { elements.names.append("") }
    return elements
  }

  private func add(_ bytes: PageBytes, to elements: inout CollectionReader.Elements) throws {
    let name = reader.coding.isMap ? try reader.coding.nameBytes(bytes).text : nil
    elements.values.append(try reader.coding.value(bytes, reader.property, reader.overflow))
    if let name { elements.names.append(name) }
  }
}
