extension StoredList: ExpressibleByArrayLiteral {
  /// Makes an unmanaged list of a literal.
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension StoredList: Equatable {
  /// Whether both have the same elements in the same order, be they managed or not.
  ///
  /// Objects are the same as for `==`; NaN is the same as NaN.
  ///
  /// - Complexity: O(*n*).
  public static func == (lhs: StoredList, rhs: StoredList) -> Bool {
    if lhs === rhs || lhs.storage.isSame(as: rhs.storage) { return true }
    return lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { $0.isSameElement(as: $1) }
  }
}

extension StoredList: CustomStringConvertible, CustomDebugStringConvertible {
  /// The first hundred elements.
  public var description: String {
    isInvalidated ? "[invalidated list]" : "[\(describe(self) { "\($0)" })]"
  }

  /// The type, and the first hundred elements.
  public var debugDescription: String {
    let elements = isInvalidated ? "invalidated" : describe(self) { String(reflecting: $0) }
    return "StoredList<\(Element.self)>([\(elements)])"
  }
}

/// The first hundred elements of a collection, and how many more there are.
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
  /// Decodes an unmanaged list of an array.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try [Element](from: decoder))
  }
}
