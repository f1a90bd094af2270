public import Foundation
internal import WhimbrelLMDB

extension Date: Persistable, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .date }
  /// Reads a stored value, or returns nil if it has another type.
  public init?(propertyValue: PropertyValue) {
    guard case .date(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value to store.
  public var propertyValue: PropertyValue { .date(self) }
}

extension Date: Scalar {
  static var name: String { "date" }
  static var comparand: String { "a date" }

  /// The seconds since 2001. A date is stored, sorted and compared as this double.
  private var seconds: Double { timeIntervalSinceReferenceDate }

  static var slotSize: Int { 8 }
  static var marks: (any: UInt8, rank: Int) { (5, 6) }

  @inline(__always)
  init(_ bytes: PageBytes, at offset: Int) {
    self.init(timeIntervalSinceReferenceDate: bytes.double(at: offset))
  }
  func append(to bytes: inout [UInt8]) { bytes.append(littleEndian: seconds.bitPattern) }
  func append(toKey key: inout some KeyBytes) { KeyEncoding.append(seconds, to: &key) }

  func precedesInOrder(_ other: Date) -> Bool { seconds.precedesInOrder(other.seconds) }
  func order(to other: Date) -> ValueOrder? { seconds.order(to: other.seconds) }
  func isIdentical(to other: Date) -> Bool { seconds.isIdentical(to: other.seconds) }
  func hashElement(into hasher: inout Hasher) { seconds.hashElement(into: &hasher) }

  var text: String { formatted(.iso8601) }
  var printed: String { PrintedValue.date(self) }
  var queryLiteral: String? { QueryDate.text(of: self) }
  static var swiftGenerator: String? { "Date()" }
  var swiftLiteral: String { "Date(timeIntervalSinceReferenceDate: \(seconds.swiftLiteral))" }

  init(json decoder: any Decoder) throws {
    self.init(timeIntervalSinceReferenceDate: try Double(json: decoder))
  }
  func encodeJSON(to encoder: any Encoder) throws { try seconds.encodeJSON(to: encoder) }

  static func example(using generator: inout some RandomNumberGenerator) -> Date {
    let days = Double.random(in: -20_000...20_000, using: &generator).rounded()
    return Date(timeIntervalSinceReferenceDate: days * 86_400)
  }
}
