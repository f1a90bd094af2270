public import WhimbrelEngine

/// An object named so that the name is valid in both stores: by primary key, or by object ID if it
/// has none.
public struct NamedObject: Hashable, Sendable {
  /// The name of the class: the new name if the class was renamed.
  public let className: String
  /// The primary key, or nil if the object is named by its ID.
  public let key: PropertyValue?
  /// The object ID. It identifies the object only if there is no key.
  public let id: ObjectID

  /// Returns whether two names mean the same object.
  public static func == (left: NamedObject, right: NamedObject) -> Bool {
    guard left.className == right.className else { return false }
    switch (left.key, right.key) {
    case (let left?, let right?): return left.isIdentical(to: right)
    case (nil, nil): return left.id == right.id
    default: return false
    }
  }

  /// Hashes the name consistently with `==`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(className)
    if let key { hasher.combine(key) } else { hasher.combine(id) }
  }
}

extension NamedObject: CustomStringConvertible {
  /// The name of the object without its class, escaped: `Europe/Andorra` or `id:17`.
  ///
  /// A key that could be mistaken for something else, such as one with spaces, is in quotes.
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
