public import WhimbrelEngine

/// A value in a form that can be compared across stores: links are object names, and embedded
/// objects are included with all their properties.
///
/// Two values are equal if they are equal bit by bit, as in a dump: a NaN equals itself, and −0 is
/// not 0.
public indirect enum ComparedValue: Hashable, Sendable {
  /// A value without links or elements.
  case scalar(PropertyValue)
  case object(NamedObject)
  /// An embedded object with its properties in the declared order.
  case embedded([Member])
  /// The elements of a list, in order.
  case list([ComparedValue])
  /// The elements of a set.
  case set([ComparedValue])
  /// The elements of a map, sorted by name.
  case map([Member])
  /// A value of any type except nil. Its elements are of any type again.
  case any(ComparedValue)

  /// A named value.
  public struct Member: Hashable, Sendable {
    /// The name of the property or of the map element.
    public let name: String
    /// The value.
    public let value: ComparedValue

    /// Returns whether two members are equal bit by bit. Names that are only canonically equivalent
    /// are equal in Swift.
    public static func == (left: Member, right: Member) -> Bool {
      left.name.utf8.elementsEqual(right.name.utf8) && left.value == right.value
    }
  }

  /// Returns whether two values are equal bit by bit.
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

  /// Hashes the value consistently with `==`.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .scalar(let value): hasher.combine(value)
    case .object(let object): hasher.combine(object)
    case .embedded(let members), .map(let members): hasher.combine(members)
    case .list(let elements): hasher.combine(elements)
    // Sets of links are sorted by object ID. The IDs may differ between the stores, so the order
    // cannot enter the hash.
    case .set(let elements): hasher.combine(elements.count)
    case .any(let value): hasher.combine(value)
    }
  }

  static let null = ComparedValue.scalar(.null)
}
