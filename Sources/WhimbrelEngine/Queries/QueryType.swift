/// What kind of values an expression of a condition has, and which property they come from.
struct QueryType {
  var kind: Kind
  /// The class and the property that errors name.
  var className: String
  var property: String?
  /// How messages call the type.
  var name: String

  /// Values of one kind can be compared.
  enum Kind: Hashable {
    case null, number, any, list, map
    /// Scalars that are not numbers.
    case scalar(PropertyType)
    case link(to: String)

    static let text = Kind.scalar(.string)
    static let data = Kind.scalar(.data)
    static let date = Kind.scalar(.date)
  }

  /// Whether nothing is known of the values before they are read, or there is none.
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

  /// - Parameter className: gives the name of a class.
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

  /// What values of this kind may be compared with, for messages.
  var remedy: String {
    switch self {
    case .number: "Compare it with a number."
    case .scalar(let type): "Compare it with \(type.scalar?.comparand ?? "such a value")."
    case .link(let target): "Compare it with an object of '\(target)', or lead the path on."
    case .null, .any, .list, .map: "Compare values of the same type."
    }
  }
}
