/// The type of an expression's values, and the property that they come from.
struct QueryType {
  var kind: Kind
  /// The class and the property that errors name.
  var className: String
  var property: String?
  /// The name of the type in messages.
  var name: String

  /// A kind of values that can be compared with each other.
  enum Kind: Hashable {
    case null, number, any, list, map
    /// Scalars that are not numbers.
    case scalar(PropertyType)
    case link(to: String)

    static let text = Kind.scalar(.string)
    static let data = Kind.scalar(.data)
    static let date = Kind.scalar(.date)
  }

  /// Whether the type is known only when values are read, or the value is nil.
  var isOpen: Bool { kind == .any || kind == .null }
}

extension QueryType.Kind {
  init(_ type: PropertyType) {
    self =
      switch type {
      case .any: .any
      case .link(let target): .link(to: target)
      case .list, .set: .list
      case .map: .map
      default: type.isNumber ? .number : .scalar(type)
      }
  }

  /// - Parameter className: A closure that returns the name of a class.
  init(_ value: PropertyValue, _ className: (ClassID) -> String?) {
    self =
      switch value {
      case .null: .null
      case .link: .link(to: "")
      case .object(let reference): .link(to: className(reference.classID) ?? "")
      case .list: .list
      case .map: .map
      default: value.scalar.map { Self(type(of: $0).propertyType) } ?? .null
      }
  }

  /// Advice for messages: what values of this kind can be compared with.
  var remedy: String {
    switch self {
    case .number: "Compare it with a number."
    case .scalar(let type): "Compare it with \(type.scalar?.comparand ?? "such a value")."
    case .link(let target): "Compare it with an object of '\(target)', or continue the path."
    case .null, .any, .list, .map: "Compare values of the same type."
    }
  }
}
