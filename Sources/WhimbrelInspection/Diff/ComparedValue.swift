public import WhimbrelEngine

/// A value in a form in which those of two stores can be compared: what it links to stands there
/// by name, and embedded objects with all that is in them.
///
/// Two values are equal when they are the same to the bit: a NaN equals itself, and −0 is not 0,
/// as in a dump.
public indirect enum ComparedValue: Hashable, Sendable {
  /// A value that neither leads to an object nor has elements.
  case scalar(PropertyValue)
  /// A link to an object.
  case object(NamedObject)
  /// An embedded object, by its properties in the order declared.
  case embedded([Member])
  /// The elements of a list in their order.
  case list([ComparedValue])
  /// The elements of a set.
  case set([ComparedValue])
  /// The elements of a map, in the order of their names.
  case map([Member])
  /// What a property of any type holds, other than nil; its elements are of any type again.
  case any(ComparedValue)

  /// A value with a name.
  public struct Member: Hashable, Sendable {
    /// The name of the property, or of the element of a map.
    public let name: String
    /// The value.
    public let value: ComparedValue
  }

  /// Whether both are the same to the bit.
  public static func == (left: ComparedValue, right: ComparedValue) -> Bool {
    switch (left, right) {
    case (.scalar(let left), .scalar(let right)): left.isIdentical(to: right)
    case (.object(let left), .object(let right)): left == right
    case (.embedded(let left), .embedded(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.set(let left), .set(let right)):
      left.count == right.count && (left == right || Set(left) == Set(right))
    case (.map(let left), .map(let right)): left == right
    case (.any(let left), .any(let right)): left == right
    default: false
    }
  }

  /// Hashes the value: equal ones alike.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .scalar(let value): hasher.combine(value)
    case .object(let object): hasher.combine(object)
    case .embedded(let members), .map(let members): hasher.combine(members)
    case .list(let elements): hasher.combine(elements)
    // The order of a set of links is that of their IDs, which may differ.
    case .set(let elements): hasher.combine(elements.count)
    case .any(let value): hasher.combine(value)
    }
  }

  /// No value.
  static let null = ComparedValue.scalar(.null)
}
