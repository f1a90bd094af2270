public import Foundation
public import WhimbrelEngine

/// A `Codable` type that a property may have. It is stored as JSON.
///
/// A struct whose properties all have initial values needs no other code:
///
/// ```swift
/// struct Address: PersistableCodable {
///   var street = ""
///   var city = ""
/// }
///
/// @Model
/// final class Office {
///   var address: Address
///   var others: StoredList<Address>
/// }
/// ```
///
/// The store treats the value as opaque data: a query cannot look into it, a change of one of its
/// properties writes the whole value, and a migration does not know its properties. Data written by
/// earlier versions of the type must still decode: make new properties optional, or write
/// `init(from:)`. Use an embedded model for data that the store should know.
///
/// Numbers and dates are kept exactly, including infinities and NaN.
///
/// If a value throws an error when it is encoded, the write fails.
public protocol PersistableCodable: Codable, CustomPersistable where PersistedType == Data {
  /// Makes the value that a property has if its stored data does not decode: the
  /// ``CustomPersistable/placeholder``. The next write, refresh or opening throws an error for it.
  init()
}

extension PersistableCodable {
  /// Decodes a value from JSON. Returns nil if the JSON does not decode.
  public init?(persistedValue: Data) {
    guard let value = try? Self._$decoded(persistedValue) else { return nil }
    self = value
  }

  private static func _$decoded(_ json: Data) throws -> Self {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(Self.self, from: json)
  }

  /// Converts a value: a value of this type, its JSON data, or a dictionary or an array that is a
  /// JSON object.
  public static func _$converted(_ value: Any?, _ conversion: ValueConversion) throws -> Self {
    let given = conversion.unwrapped(value)
    if let value = given as? Self { return value }
    guard let given, !(given is Data), !(given is String), isJSON(given) else {
      if let error = conversion.outsideJSON(Self.self, given) { throw error }
      let data = try Data._$converted(value, conversion)
      guard let result = Self(persistedValue: data) else { throw conversion.unusable(Self.self) }
      return result
    }
    do {
      return try _$decoded(JSONSerialization.data(withJSONObject: given))
    } catch let error as DecodingError {
      throw conversion.undecodable(Self.self, error)
    }
  }

  /// The value as JSON with sorted keys. It is empty if the value cannot be encoded.
  public var persistableValue: Data { (try? _$json()) ?? Data() }

  /// The value that `init()` makes.
  public static var placeholder: Self { Self() }

  /// Returns the value as JSON with sorted keys.
  private func _$json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try encoder.encode(self)
  }

  /// Sets a property of a managed object.
  public static func _$store(_ value: Self, _ row: inout ModelRow, _ index: Int) {
    do {
      Data._$store(try value._$json(), &row, index)
    } catch {
      row.noteUnencodable(index, error)
    }
  }

  /// Encodes a value of an unmanaged object.
  public static func _$encode(
    _ value: Self, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    let json: Data
    do {
      json = try value._$json()
    } catch {
      throw encoder.unencodable(index, error)
    }
    try Data._$encode(json, into: &encoder, at: index)
  }

  /// Returns the stored value.
  public func _$elementValue(_ adder: ObjectAdder) throws -> PropertyValue {
    .data(try _$json())
  }
}

extension ValueConversion {
  fileprivate func undecodable(_ type: Any.Type, _ error: DecodingError) -> StoreError {
    StoreError.undecodableValue(
      class: className, property: property, type: String(describing: type),
      reason: error.reason, underlying: error)
  }

  /// Returns the error for a dictionary with a value that JSON does not have, such as a date, or
  /// nil if it is not a dictionary.
  fileprivate func outsideJSON(_ type: Any.Type, _ value: Any?) -> StoreError? {
    guard let values = value as? [String: Any] else { return nil }
    let key = values.filter { !isJSON([$0.value]) }.keys.min()
    guard let key else { return nil }
    let reason = "the value of '\(key)' is not a value of JSON"
    let context = DecodingError.Context(codingPath: [PropertyKey(key)], debugDescription: reason)
    return StoreError.undecodableValue(
      class: className, property: property, type: String(describing: type), reason: reason,
      underlying: DecodingError.dataCorrupted(context))
  }
}

/// Returns whether a value is a JSON object.
private func isJSON(_ value: Any) -> Bool {
  !hasOtherCollections(value) && JSONSerialization.isValidJSONObject(value)
}

/// Returns whether a value contains a collection that JSON does not have. `JSONSerialization` casts
/// such a collection to a class, which never ends on Linux if it is a `Set` with a `Decimal`.
private func hasOtherCollections(_ value: Any) -> Bool {
  switch flattened(value) {
  case let values as [String: Any]: values.values.contains(where: hasOtherCollections)
  case let values as [Any]: values.contains(where: hasOtherCollections)
  case let value: value is any SetAlgebra || value is [AnyHashable: Any]
  }
}

extension DecodingError {
  /// The reason for messages. It names keys, and does not show values.
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(let key, let context): "the key \(context.place(of: [key])) is missing"
    case .valueNotFound(_, let context): "the value of \(context.place()) is nil"
    case .typeMismatch(let type, let context): "the value of \(context.place()) is not '\(type)'"
    case .dataCorrupted(let context): "the value of \(context.place()) was rejected"
    @unknown default: "it was rejected"
    }
  }
}

extension DecodingError.Context {
  fileprivate func place(of keys: [any CodingKey] = []) -> String {
    let names = (codingPath + keys).map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
    return names.isEmpty ? "the dictionary" : "'\(names.joined(separator: "."))'"
  }
}

extension ModelRow {
  fileprivate func noteUnencodable(_ index: Int, _ error: any Error) {
    guard let table else { return }
    session?.note(
      StoreError.unencodableValue(
        class: table.name, property: table.resolved.properties[index].name, underlying: error))
  }
}

extension ObjectEncoder {
  fileprivate func unencodable(_ index: Int, _ error: any Error) -> StoreError {
    StoreError.unencodableValue(
      class: table.name, property: table.resolved.properties[index].name, underlying: error)
  }
}
