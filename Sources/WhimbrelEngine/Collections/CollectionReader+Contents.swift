package import WhimbrelLMDB

extension CollectionReader {
  /// Calls `body` with the bytes of each element, and of its name in a map: those that the slot
  /// of such a value has, or its text or data; nil for an element that is nil.
  ///
  /// The bytes are valid until `body` returns. An element of any type has no such bytes: see
  /// ``forEach(_:)``.
  package func forEachContent(
    _ body: (_ name: PageBytes?, _ content: PageBytes?) throws -> Void
  ) throws {
    let (isMap, size) = (coding.isMap, coding.element.type.slotSize)
    let isFixed = !coding.element.type.isVariable
    try tree.forEach { bytes in
      let name = isMap ? try coding.nameBytes(bytes) : nil
      try coding.withContent(bytes, property, overflow) { content in
        if isFixed, let content, content.count != size { throw ElementCoding.damaged }
        try body(name, content)
      }
      return true
    }
  }
}
