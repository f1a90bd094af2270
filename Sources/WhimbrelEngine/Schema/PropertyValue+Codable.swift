import Foundation

/// A value is coded as an object with one key, the kind of the value, so that
/// nothing about it has to be guessed: `{"int":5}`, `{"string":"x"}`,
/// `{"double":4.5}`, `{"date":804556800}` (seconds since 2001-01-01 00:00 UTC),
/// `{"data":"AAEC"}` (base 64), `{"uuid":"…"}`, `{"decimal":"1.50"}`,
/// `{"objectId":"…"}`, `{"link":17}`, `{"object":{"classID":1,"id":17}}`,
/// `{"list":[{"int":5}]}`, `{"map":{"a":{"int":5}}}`, `{"null":true}`.
///
/// Numbers come back to the bit. Those that JSON has no number for are text:
/// `"-0"`, `"inf"`, `"-inf"`, `"nan"`, and with its bits any other NaN:
/// `"nan:7ff8000000000001"`. Whole numbers beyond 2⁵³ may be text, and are with an encoder that has ``CodingUserInfoKey/writesLongIntegersAsText``.
extension PropertyValue: Codable {
  private enum CodingKeys: String, CodingKey {
    case null, bool, int, float, double, string, data, date, uuid, decimal, objectId, link, object
    case list, map
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
    case .int:
      guard let text = try? container.decode(String.self, forKey: key) else {
        self = .int(try container.decode(Int64.self, forKey: key))
        break
      }
      guard let number = Int64(text), number.isLong else {
        throw corrupted("The text is not a whole number beyond 2⁵³.")
      }
      self = .int(number)
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
    case .decimal:
      guard let decimal = Decimal(exactText: try container.decode(String.self, forKey: key))
      else { throw corrupted("The text is not a decimal number.") }
      self = .decimal(decimal)
    case .objectId:
      guard let id = ObjectId(try container.decode(String.self, forKey: key)) else {
        throw corrupted("The text is not an object identifier of 24 digits.")
      }
      self = .objectId(id)
    case .link:
      self = .link(ObjectID(rawValue: try container.decode(UInt64.self, forKey: key)))
    case .object: self = .object(try container.decode(ObjectReference.self, forKey: key))
    case .list: self = .list(try container.decode([PropertyValue].self, forKey: key))
    case .map: self = .map(try container.decode([String: PropertyValue].self, forKey: key))
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .null: try container.encode(true, forKey: .null)
    case .bool(let bool): try container.encode(bool, forKey: .bool)
    case .int(let number) where number.isLong && encoder.writesLongIntegersAsText:
      try container.encode("\(number)", forKey: .int)
    case .int(let number): try container.encode(number, forKey: .int)
    case .float(let number): try container.encode(CodedNumber(value: number), forKey: .float)
    case .double(let number): try container.encode(CodedNumber(value: number), forKey: .double)
    case .string(let text): try container.encode(text, forKey: .string)
    case .data(let data): try container.encode(data.base64EncodedString(), forKey: .data)
    case .date(let date):
      let seconds = CodedNumber(value: date.timeIntervalSinceReferenceDate)
      try container.encode(seconds, forKey: .date)
    case .uuid(let uuid): try container.encode(uuid.uuidString, forKey: .uuid)
    case .decimal(let decimal): try container.encode(decimal.exactText, forKey: .decimal)
    case .objectId(let id): try container.encode(id.description, forKey: .objectId)
    case .link(let id): try container.encode(id.rawValue, forKey: .link)
    case .object(let reference): try container.encode(reference, forKey: .object)
    case .list(let elements): try container.encode(elements, forKey: .list)
    case .map(let elements): try container.encode(elements, forKey: .map)
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
    case (.decimal(let left), .decimal(let right)): left.words == right.words
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    case (.map(let left), .map(let right)): left.isIdentical(to: right)
    default: self == other
    }
  }
}

extension [String: PropertyValue] {
  /// Whether both have the same names, to the byte, and the same values, to the
  /// bit.
  fileprivate func isIdentical(to other: [String: PropertyValue]) -> Bool {
    guard count == other.count else { return false }
    return allSatisfy { name, value in
      guard let place = other.index(forKey: name) else { return false }
      let (otherName, otherValue) = other[place]
      return name.utf8.elementsEqual(otherName.utf8) && value.isIdentical(to: otherValue)
    }
  }
}

extension CodingUserInfoKey {
  /// With the value true, whole numbers beyond 2⁵³ are written as text: many readers of JSON would
  /// round them.
  package static let writesLongIntegersAsText = named("whimbrel.writesLongIntegersAsText")

  private static func named(_ name: String) -> CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("The standard library takes every text for a key.")
    }
    return key
  }
}

extension Int64 {
  /// Whether not every reader of JSON keeps the number.
  fileprivate var isLong: Bool { magnitude > 1 << 53 }
}

extension Encoder {
  fileprivate var writesLongIntegersAsText: Bool {
    userInfo[.writesLongIntegersAsText] as? Bool == true
  }
}
