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
    case null, bool, number, text, data, date, uuid, objectId, any, list, map
    case link(to: String)
  }

  /// Whether nothing is known of the values before they are read, or there is none.
  var isOpen: Bool { kind == .any || kind == .null }
}

extension QueryType.Kind {
  init(_ type: PropertyType) {
    self =
      switch type {
      case .bool: .bool
      case .int8, .int16, .int32, .int, .uint8, .uint16, .uint32, .float, .double, .decimal:
        .number
      case .string: .text
      case .data: .data
      case .date: .date
      case .uuid: .uuid
      case .objectId: .objectId
      case .any: .any
      case .link(let target): .link(to: target)
      case .list, .set: .list
      case .map: .map
      }
  }

  /// - Parameter className: gives the name of a class.
  init(_ value: PropertyValue, _ className: (ClassID) -> String?) {
    self =
      switch value {
      case .null: .null
      case .bool: .bool
      case .int, .float, .double, .decimal: .number
      case .string: .text
      case .data: .data
      case .date: .date
      case .uuid: .uuid
      case .objectId: .objectId
      case .link: .link(to: "")
      case .object(let reference): .link(to: className(reference.classID) ?? "")
      case .list: .list
      case .map: .map
      }
  }

  /// What values of this kind may be compared with, for messages.
  var remedy: String {
    switch self {
    case .bool: "Compare it with true or false."
    case .number: "Compare it with a number."
    case .text: "Compare it with text."
    case .data: "Compare it with data."
    case .date: "Compare it with a date."
    case .uuid: "Compare it with a UUID."
    case .objectId: "Compare it with an object identifier."
    case .link(let target): "Compare it with an object of '\(target)', or lead the path on."
    case .null, .any, .list, .map: "Compare values of the same type."
    }
  }
}
