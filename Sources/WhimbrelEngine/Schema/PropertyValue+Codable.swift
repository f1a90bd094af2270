import Foundation

/// A value is coded as an object with one key, the kind of the value, so that
/// nothing about it has to be guessed: `{"int":5}`, `{"string":"x"}`,
/// `{"double":4.5}`, `{"date":804556800}` (seconds since 2001-01-01 00:00 UTC),
/// `{"data":"AAEC"}` (base 64), `{"uuid":"…"}`, `{"link":17}`, `{"null":true}`.
///
/// Numbers come back to the bit. Those that JSON has no number for are text:
/// `"-0"`, `"inf"`, `"-inf"`, `"nan"`, and with its bits any other NaN:
/// `"nan:7ff8000000000001"`.
extension PropertyValue: Codable {
  private enum CodingKeys: String, CodingKey {
    case null, bool, int, float, double, string, data, date, uuid, link
  }

  /// Reads a value.
  ///
  /// - Throws: `DecodingError` when there is not exactly one key that names a
  ///   kind of value, or when the value is not of that kind.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard let key = container.allKeys.first, container.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "A value has one key that names its kind, such as 'int'."))
    }
    func corrupted(_ reason: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: container, debugDescription: reason)
    }
    switch key {
    case .null:
      guard try container.decode(Bool.self, forKey: key) else {
        throw corrupted("The value of 'null' is always true.")
      }
      self = .null
    case .bool: self = .bool(try container.decode(Bool.self, forKey: key))
    case .int: self = .int(try container.decode(Int64.self, forKey: key))
    case .float: self = .float(try container.decode(CodedNumber<Float>.self, forKey: key).value)
    case .double: self = .double(try container.decode(CodedNumber<Double>.self, forKey: key).value)
    case .string: self = .string(try container.decode(String.self, forKey: key))
    case .data:
      guard let data = Data(base64Encoded: try container.decode(String.self, forKey: key)) else {
        throw corrupted("The text is not in base 64.")
      }
      self = .data(data)
    case .date:
      let seconds = try container.decode(CodedNumber<Double>.self, forKey: key).value
      self = .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .uuid:
      guard let uuid = UUID(uuidString: try container.decode(String.self, forKey: key)) else {
        throw corrupted("The text is not a UUID.")
      }
      self = .uuid(uuid)
    case .link:
      self = .link(ObjectID(rawValue: try container.decode(UInt64.self, forKey: key)))
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .null: try container.encode(true, forKey: .null)
    case .bool(let bool): try container.encode(bool, forKey: .bool)
    case .int(let number): try container.encode(number, forKey: .int)
    case .float(let number): try container.encode(CodedNumber(value: number), forKey: .float)
    case .double(let number): try container.encode(CodedNumber(value: number), forKey: .double)
    case .string(let text): try container.encode(text, forKey: .string)
    case .data(let data): try container.encode(data.base64EncodedString(), forKey: .data)
    case .date(let date):
      let seconds = CodedNumber(value: date.timeIntervalSinceReferenceDate)
      try container.encode(seconds, forKey: .date)
    case .uuid(let uuid): try container.encode(uuid.uuidString, forKey: .uuid)
    case .link(let id): try container.encode(id.rawValue, forKey: .link)
    }
  }
}

extension PropertyValue {
  /// Whether both are the same to the bit: unlike `==`, this finds a NaN equal
  /// to itself, tells −0 from 0, and tells texts apart that only look the same.
  package func isIdentical(to other: PropertyValue) -> Bool {
    switch (self, other) {
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.date(let left), .date(let right)):
      left.timeIntervalSinceReferenceDate.bitPattern
        == right.timeIntervalSinceReferenceDate.bitPattern
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    default: self == other
    }
  }
}
