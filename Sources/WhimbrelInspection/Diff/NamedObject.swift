public import WhimbrelEngine

/// An object under the name that it has in both of two stores: its primary key, or its object ID
/// where it has none.
public struct NamedObject: Hashable, Sendable {
  /// The name of the class; the new one if it was renamed.
  public let className: String
  /// The primary key, or nil when the object is told by its ID.
  public let key: PropertyValue?
  /// The object ID. It tells objects apart only where there is no key.
  public let id: ObjectID

  /// Whether both are names of one object.
  public static func == (left: NamedObject, right: NamedObject) -> Bool {
    guard left.className == right.className else { return false }
    switch (left.key, right.key) {
    case (let left?, let right?): return left.isIdentical(to: right)
    case (nil, nil): return left.id == right.id
    default: return false
    }
  }

  /// Hashes what tells objects apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(className)
    if let key { hasher.combine(key) } else { hasher.combine(id) }
  }
}

extension NamedObject: CustomStringConvertible {
  /// The name of the object without its class, safe to show: `Europe/Andorra`, or `id:17`.
  ///
  /// A key that is not plainly a name, as one with spaces, stands in quotes.
  public var description: String {
    switch key {
    case .string(let text)?:
      let isPlain =
        !text.isEmpty && !text.hasPrefix("id:")
        && !text.contains { $0.isWhitespace || $0 == "\"" || $0 == "," }
      return isPlain ? PlainText.escaped(text) : ComparedValue.scalar(.string(text)).text
    case let key?: return ComparedValue.scalar(key).text
    case nil: return ClassTable.name(of: id)
    }
  }
}
