internal import WhimbrelEngine

/// A value is encoded as what it holds, without its kind: from JSON, a date or a UUID
/// comes back as a number or as text, as the encoder has written it.
///
/// An object is encoded with its properties if its class is `Codable`, and comes back as
/// a map.
extension AnyValue: Codable {
  /// Decodes `none`, a truth value, a number, text, a list or a map.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .none
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([AnyValue].self) {
      self = .list(value)
    } else {
      self = .map(try container.decode([String: AnyValue].self))
    }
  }

  /// Encodes what the value holds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .object(let object): try container.encode(EncodedValue(object))
    case .unknownObject(let className, _):
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "The store was opened without the class '\(className)'."))
    case .list(let values): try container.encode(values)
    case .map(let values): try container.encode(values)
    default:
      guard let value = scalar?.encodableScalar else { return try container.encodeNil() }
      try container.encode(value)
    }
  }
}
