package import WhimbrelLMDB

/// The elements of a list or a set that is stored entirely in its record and contains no nil. This
/// is the fast path for nearly all collections.
///
/// It is valid as long as the record is.
package struct InlineElements {
  private let leaf: CollectionNode?
  /// The size of the byte in front of each element if sizes differ. The byte states that there is a
  /// value.
  private let markSize: Int

  package var count: Int { leaf?.count ?? 0 }

  /// Finds the elements of a slot, or returns nil if a ``CollectionReader`` is needed.
  ///
  /// - Parameter width: The size of an element in bytes, or 0 if sizes differ.
  /// - Throws: ``DamagedRecord``.
  package init?(_ record: PageBytes, at slot: RecordSlot, width: Int) throws {
    guard let bytes = record.variable(at: slot) else { return nil }
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

  /// Returns the content of an element: the bytes of a slot, or the bytes of text or data.
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

  /// Returns the value of an element of a type.
  func value(_ index: Int, as type: PropertyType) throws -> PropertyValue {
    try ElementCoding.value(ofContent: contents(index), type)
  }
}
