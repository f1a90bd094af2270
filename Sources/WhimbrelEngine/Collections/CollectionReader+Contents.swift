package import WhimbrelLMDB

extension CollectionReader {
  /// Calls `body` with the content of each element, and with its name in a map. The content is the
  /// bytes of a slot, or the bytes of text or data. The content of a nil element is nil.
  ///
  /// The bytes are valid until `body` returns. Elements of any type need decoding: use
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
