internal import Foundation
internal import WhimbrelEngine

/// A value is encoded as its content, without its kind. A date or a UUID therefore decodes from
/// JSON as the number or text that the encoder wrote. A property list keeps dates and data.
///
/// An object is encoded with its properties if its class is `Codable`, and decodes as a map.
extension AnyValue: Codable {
  /// Decodes `none`, a Boolean value, a number, text, a list or a map, and from a property list also
  /// a date or data. A number with digits that a `Double` would lose becomes a `Decimal`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .none
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = Self.decimal(in: container, beyond: value).map(AnyValue.decimal) ?? .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([AnyValue].self) {
      self = .list(value)
    } else {
      do {
        self = .map(try container.decode([String: AnyValue].self))
      } catch {
        // Last, because a JSON decoder makes dates and data of numbers and texts.
        if let value = try? container.decode(Date.self) {
          self = .date(value)
        } else if let value = try? container.decode(Data.self) {
          self = .data(value)
        } else {
          throw error
        }
      }
    }
  }

  /// Returns the number in a container as a decimal, or nil if a `Double` has all its digits or a
  /// decimal does not have its magnitude.
  private static func decimal(
    in container: any SingleValueDecodingContainer, beyond value: Double
  ) -> Decimal? {
    guard let decimal = try? container.decode(Decimal.self) else { return nil }
    // The text of a `Double` has as few digits as tell it from all others.
    let hasAllDigits = Decimal(string: "\(value)") == decimal
    return hasAllDigits || Double("\(decimal)") != value ? nil : decimal
  }

  /// Encodes the content of the value.
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
