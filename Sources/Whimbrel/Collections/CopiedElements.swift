extension Sequence {
  /// Copies what the sequence gives into an array.
  ///
  /// The standard library's own copy of a collection stops the program when there are fewer elements
  /// than `count`. A damaged store may give fewer than it counts.
  @usableFromInline
  func copiedElements() -> ContiguousArray<Element> {
    var elements = ContiguousArray<Element>()
    for element in self { elements.append(element) }
    return elements
  }
}
