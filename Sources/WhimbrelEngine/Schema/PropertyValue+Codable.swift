import Foundation

/// A value is coded as an object with one key, which states the kind of the value: `{"int":5}`,
/// `{"string":"x"}`, `{"double":4.5}`, `{"date":804556800}` (seconds since 2001-01-01 00:00 UTC),
/// `{"data":"AAEC"}` (base 64), `{"uuid":"…"}`, `{"decimal":"1.50"}`, `{"objectId":"…"}`,
/// `{"link":17}`, `{"object":{"classID":1,"id":17}}`, `{"list":[{"int":5}]}`,
/// `{"map":{"a":{"int":5}}}`, `{"null":true}`.
///
/// Numbers are coded without loss. Numbers that JSON cannot write are text: `"-0"`, `"inf"`,
/// `"-inf"`, `"nan"`, and any other NaN with its bits: `"nan:7ff8000000000001"`. Integers beyond
/// 2⁵³ can be read from text. They are written as text if the encoder has
/// ``CodingUserInfoKey/writesLongIntegersAsText``.
extension PropertyValue: Codable {
  /// The kinds that are not scalars.
  private static let otherKinds = ["null", "link", "object", "list", "map"]

  /// Reads a value.
  ///
  /// - Throws: `DecodingError` if there is not exactly one key that names a kind of value, or if
  ///   the value is not of that kind.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SchemaKey.self)
    let keys = container.allKeys.filter { key in
      Self.otherKinds.contains(key.stringValue) || Scalars.kind(named: key.stringValue) != nil
    }
    guard let key = keys.first, keys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "A value has one key that names its kind, such as 'int'."))
    }
    func scalar<Value: Scalar>(_ type: Value.Type) throws -> PropertyValue {
      try container.decode(CodedScalar<Value>.self, forKey: key).value.propertyValue
    }
    switch key.stringValue {
    case "link":
      self = .link(ObjectID(rawValue: try container.decode(UInt64.self, forKey: key)))
    case "object": self = .object(try container.decode(ObjectReference.self, forKey: key))
    case "list": self = .list(try container.decode([PropertyValue].self, forKey: key))
    case "map": self = .map(try container.decode([String: PropertyValue].self, forKey: key))
    case let name:
      if let kind = Scalars.kind(named: name) {
        self = try scalar(kind)
        return
      }
      guard try container.decode(Bool.self, forKey: key) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "The value of 'null' is always true.")
      }
      self = .null
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SchemaKey.self)
    func encode(_ value: some Scalar) throws {
      try container.encode(CodedScalar(value: value), forKey: SchemaKey(stringValue: kind))
    }
    switch self {
    case .link(let id): try container.encode(id.rawValue, forKey: "link")
    case .object(let reference): try container.encode(reference, forKey: "object")
    case .list(let elements): try container.encode(elements, forKey: "list")
    case .map(let elements): try container.encode(elements, forKey: "map")
    default:
      guard let scalar else { return try container.encode(true, forKey: "null") }
      try encode(scalar)
    }
  }
}
