package import WhimbrelLMDB

/// The elements of a list or a set that stands in a record as a whole and has no nil in it:
/// nearly all of them.
///
/// It is valid as long as the record is.
package struct InlineElements {
  private let leaf: CollectionNode?
  /// The byte in front of an element of any size, which says that it is there.
  private let markSize: Int

  /// How many elements there are.
  package var count: Int { leaf?.count ?? 0 }

  /// Finds the elements of a slot, or returns nil where a ``CollectionReader`` is needed.
  ///
  /// - Parameters:
  ///   - width: the size of an element, or 0 where they differ.
  /// - Throws: ``DamagedCollection``.
  package init?(_ record: PageBytes, at offset: Int, width: Int) throws {
    guard let bytes = record.variable(at: offset) else { return nil }
    markSize = width == 0 ? 1 : 0
    guard bytes.count > 0 else {
      leaf = nil
      return
    }
    let format = width == 0 ? ElementFormat.variable : .fixed(width: width)
    let node = try CollectionNode(bytes, number: 0, format: format)
    guard node.isLeaf else { return nil }
    leaf = node
    guard width == 0 else { return }
    for slot in 0..<node.count {
      let element = try node.element(slot)
      if element.count == 0 || element.load(UInt8.self, at: 0) != 1 { return nil }
    }
  }

  /// The bytes of an element: those that its slot would have, or its text or data.
  @inline(__always)
  package func contents(_ index: Int) throws -> PageBytes {
    precondition(index < count)
    guard let leaf else { throw ElementCoding.damaged }
    let element = try leaf.element(index)
    guard let contents = element.slice(at: markSize, count: element.count - markSize) else {
      throw ElementCoding.damaged
    }
    return contents
  }
}
