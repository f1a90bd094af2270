public import Foundation
public import WhimbrelEngine

/// A value of any type that a property may have: what a property holds whose type is not
/// known beforehand.
///
/// ```swift
/// @Model
/// final class Setting {
///   @PrimaryKey var name: String
///   var value: AnyValue
/// }
///
/// setting.value = 5
/// setting.value = ["radius": 2.5, "zones": .list([.object(tokyo)])]
/// let radius = setting.value.mapValue?["radius"]?.doubleValue
/// ```
///
/// No value is ``none``, so that such a property is never optional, and starts with
/// ``none``. It can be neither the primary key nor indexed. Lists and maps are values
/// here: to change one, set the property to another. They may be nested 100 levels deep.
///
/// Objects inside of a value are links: those that are in no store are added with the
/// object that has the value, or when the property is set, and when an object is
/// deleted, ``none`` takes its place. Embedded objects cannot be in one.
///
/// Values of different kinds are never equal, even when they are the same number; −0 is
/// 0, all NaNs are one, and so are texts that Unicode calls equivalent.
public indirect enum AnyValue {
  /// No value.
  case none
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number.
  case int(Int)
  /// A number of 32 bits.
  case float(Float)
  /// A number of 64 bits.
  case double(Double)
  /// A decimal number.
  case decimal(Decimal)
  /// Text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// An instant.
  case date(Date)
  /// A universally unique identifier.
  case uuid(UUID)
  /// An identifier of 12 bytes.
  case objectId(ObjectId)
  /// A link to an object.
  case object(any Model)
  /// A link to an object of a class that the store was opened without: it can be
  /// compared, and stored again in a store of the same file.
  case unknownObject(className: String, ObjectReference)
  /// Values in an order.
  case list([AnyValue])
  /// Values by names.
  case map([String: AnyValue])
}

@available(*, unavailable)
extension AnyValue: Sendable {}

extension AnyValue: Hashable {
  /// Whether both are of one kind and the same value; for objects, whether they are the
  /// same object.
  public static func == (lhs: AnyValue, rhs: AnyValue) -> Bool {
    switch (lhs, rhs) {
    case (.object(let left), .object(let right)): left.isSameAny(as: right)
    case (.list(let left), .list(let right)): left == right
    case (.map(let left), .map(let right)): left == right
    case (.object, _), (_, .object), (.list, _), (_, .list), (.map, _), (_, .map): false
    default: lhs.propertyValue.isSameElement(as: rhs.propertyValue)
    }
  }

  /// Hashes the value. That of an object changes when the object is added to a store.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .object(let object): object.hash(into: &hasher)
    case .unknownObject(_, let reference): hasher.combine(reference)
    case .list(let values): hasher.combine(values)
    case .map(let values): hasher.combine(values)
    default: scalar?.hashScalar(into: &hasher)
    }
  }
}

extension Model {
  /// Whether an object of whatever class is this one.
  fileprivate func isSameAny(as other: any Model) -> Bool {
    (other as? Self).map(isSameObject) ?? false
  }
}

extension AnyValue: CustomStringConvertible {
  /// The value in short: objects by their primary keys, and long values shortened.
  public var description: String {
    switch self {
    case .none: "none"
    case .object(let object): object.printedName
    case .unknownObject(let className, let reference): "\(className)(object \(reference.id))"
    case .list(let values):
      PrintedValue.elements(
        values.prefix(PrintedValue.elementLimit).map(\.description), of: values.count)
    case .map(let values):
      PrintedValue.entries(
        values.sorted { $0.key < $1.key }.prefix(PrintedValue.elementLimit)
          .map { ($0.key, $0.value.description) }, of: values.count)
    default: propertyValue.printed()
    }
  }
}

// MARK: - Scalars

extension AnyValue {
  /// Makes a value of a stored scalar, or returns nil when it is something else.
  init?(scalar value: PropertyValue) {
    switch value {
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(Int(value))
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value)
    case .decimal(let value): self = .decimal(value)
    case .string(let value): self = .string(value)
    case .data(let value): self = .data(value)
    case .date(let value): self = .date(value)
    case .uuid(let value): self = .uuid(value)
    case .objectId(let value): self = .objectId(value)
    case .null, .link, .object, .list, .map: return nil
    }
  }

  /// The value as it is stored, if it is a scalar.
  var scalar: PropertyValue? {
    switch self {
    case .bool(let value): .bool(value)
    case .int(let value): .int(Int64(value))
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    case .date(let value): .date(value)
    case .uuid(let value): .uuid(value)
    case .objectId(let value): .objectId(value)
    case .none, .object, .unknownObject, .list, .map: Optional.none
    }
  }
}
