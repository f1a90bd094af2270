internal import WhimbrelLMDB

extension Bool: Persistable, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .bool }
  /// Reads a stored value, or returns nil if it has another type.
  @inlinable
  public init?(propertyValue: PropertyValue) {
    guard case .bool(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value to store.
  @inlinable
  public var propertyValue: PropertyValue { .bool(self) }
}

extension Bool: Scalar {
  static var name: String { "bool" }
  static var comparand: String { "true or false" }
  static var slotSize: Int { 1 }
  static var marks: (any: UInt8, rank: Int) { (1, 1) }

  init(_ bytes: PageBytes, at offset: Int) { self = bytes.load(UInt8.self, at: offset) != 0 }
  func append(to bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
  func append(toKey key: inout some KeyBytes) { key.append(self ? 1 : 0) }

  func precedesInOrder(_ other: Bool) -> Bool { !self && other }
  func order(to other: Bool) -> ValueOrder? { ValueOrder(self ? 1 : 0, other ? 1 : 0) }

  static var becomesText: Bool { true }
  static var columnType: String { "INTEGER" }

  init(json decoder: any Decoder) throws { try self.init(from: decoder) }
  func encodeJSON(to encoder: any Encoder) throws { try encode(to: encoder) }

  static func example(using generator: inout some RandomNumberGenerator) -> Bool {
    .random(using: &generator)
  }
}
