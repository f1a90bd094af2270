public import Foundation
public import WhimbrelEngine

/// A value of any type that a property may have, for properties whose type is not known in advance.
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
/// A property of this type is never optional. It starts as ``none``, which means that it has no
/// value. It cannot be the primary key and cannot be indexed. Lists and maps are plain values here:
/// to change one, set the property to a new value. They may be nested at most 100 levels deep.
///
/// Objects inside of a value are links. Unmanaged objects are added together with the object that
/// holds the value, or when the property is set. When an object is deleted, ``none`` takes its
/// place. A value cannot contain embedded objects.
///
/// Values of different kinds are never equal, even if they are the same number. −0 equals 0, all
/// NaNs are equal, and so are texts that are canonically equivalent in Unicode.
public indirect enum AnyValue {
  /// The absence of a value.
  case none
  /// A Boolean value.
  case bool(Bool)
  /// An integer.
  case int(Int)
  /// A 32-bit floating-point number.
  case float(Float)
  /// A 64-bit floating-point number.
  case double(Double)
  /// A decimal number.
  case decimal(Decimal)
  /// Text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A point in time.
  case date(Date)
  /// A universally unique identifier.
  case uuid(UUID)
  /// A 12-byte object ID.
  case objectId(ObjectId)
  /// A link to an object.
  case object(any Model)
  /// A link to an object of a class that has no model in the configuration of the store. It can be
  /// compared, and can be stored again in a store of the same file.
  ///
  /// In an old object of a migration, a link to a class that no link of the frozen declaration
  /// leads to. It becomes the new object when it is set, also as a link:
  /// `try new.setValue(old.value, forKey: "zone")`.
  ///
  /// In a rule of an ``OnlineMigration``, a link to any object: a rule sees only one object.
  case unknownObject(className: String, ObjectReference)
  /// A list of values.
  case list([AnyValue])
  /// A map from names to values.
  case map([String: AnyValue])
}

@available(*, unavailable)
extension AnyValue: Sendable {}

extension AnyValue: Hashable {
  /// Returns whether both values have the same kind and are equal. Objects are equal if they are
  /// the same object.
  public static func == (lhs: AnyValue, rhs: AnyValue) -> Bool {
    switch (lhs, rhs) {
    case (.object(let left), .object(let right)): left.isSameAny(as: right)
    case (.list(let left), .list(let right)): left == right
    case (.map(let left), .map(let right)): left == right
    case (.object, _), (_, .object), (.list, _), (_, .list), (.map, _), (_, .map): false
    default: lhs.propertyValue.isSameElement(as: rhs.propertyValue)
    }
  }

  /// Hashes the value. The hash of an object changes when the object is added to a store.
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
  /// Returns whether an object of any class is the same object as this one.
  fileprivate func isSameAny(as other: any Model) -> Bool {
    (other as? Self).map(isSameObject) ?? false
  }
}

extension AnyValue: CustomStringConvertible {
  /// A short description: an object as its primary key, and long values shortened.
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
  /// Makes a value from a stored scalar. Returns nil for other stored values.
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

  /// The stored value if it is a scalar, otherwise nil.
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
