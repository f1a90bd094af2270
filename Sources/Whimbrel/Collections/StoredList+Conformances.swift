extension StoredList: ExpressibleByArrayLiteral {
  /// Makes an unmanaged list from a literal.
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension StoredList: Equatable {
  /// Returns whether both lists have the same elements in the same order. Either list may be
  /// managed or unmanaged.
  ///
  /// Objects are compared with `==`. NaN equals NaN.
  ///
  /// - Complexity: O(*n*).
  public static func == (lhs: StoredList, rhs: StoredList) -> Bool {
    if lhs === rhs || lhs.storage.isSame(as: rhs.storage) { return true }
    return lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { $0.isSameElement(as: $1) }
  }
}

extension StoredList: CustomStringConvertible, CustomDebugStringConvertible {
  /// The first hundred elements as text.
  public var description: String {
    isInvalidated ? "[invalidated list]" : "[\(describe(self) { "\($0)" })]"
  }

  /// The type, and the first hundred elements as text.
  public var debugDescription: String {
    let elements = isInvalidated ? "invalidated" : describe(self) { String(reflecting: $0) }
    return "StoredList<\(Element.self)>([\(elements)])"
  }
}

/// Returns the first hundred elements of a collection as text, and the number of the others.
func describe<Elements: Collection>(
  _ elements: Elements, _ text: (Elements.Element) -> String
) -> String {
  let limit = 100
  let shown = elements.prefix(limit).map(text).joined(separator: ", ")
  let rest = elements.count - limit
  return rest > 0 ? "\(shown), … \(rest) more" : shown
}

extension StoredList: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension StoredList: Decodable where Element: Decodable {
  /// Decodes an unmanaged list from an array.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try [Element](from: decoder))
  }
}
