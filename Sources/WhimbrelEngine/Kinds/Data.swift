public import Foundation
internal import WhimbrelLMDB

extension Data: Persistable, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .data }
  /// Reads a stored value, or returns nil if it has another type.
  public init?(propertyValue: PropertyValue) {
    guard case .data(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value to store.
  public var propertyValue: PropertyValue { .data(self) }
}

extension Data: Scalar {
  static var name: String { "data" }
  static var comparand: String { "data" }
  static var canBeIndexed: Bool { false }

  /// An offset and a length.
  static var slotSize: Int { 8 }
  static var marks: (any: UInt8, rank: Int) { (7, 8) }

  init(_ bytes: PageBytes, at offset: Int) {
    self = bytes.slice(at: offset, count: bytes.count - offset)?.data ?? Data()
  }
  func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: self) }
  func append(toKey key: inout some KeyBytes) { KeyEncoding.append(utf8: self, to: &key) }

  func precedesInOrder(_ other: Data) -> Bool { lexicographicallyPrecedes(other) }
  func order(to other: Data) -> ValueOrder? { ValueOrder(utf8: self, other) }

  var text: String { "\(count) bytes" }
  var printed: String { "\(count) \(count == 1 ? "byte" : "bytes")" }
  var explained: String { "data" }
  var queryLiteral: String? { "B64'\(exactText)'" }
  var exactText: String { base64EncodedString() }
  init?(exactText: String) { self.init(base64Encoded: exactText) }
  static var textForm: String? { "text in base 64" }
  static var columnType: String { "BLOB" }
  var swiftLiteral: String { isEmpty ? "Data()" : "Data(base64Encoded: \"\(exactText)\")!" }

  static func example(using generator: inout some RandomNumberGenerator) -> Data {
    Data((0..<generator.exampleCount()).map { _ in .random(in: 0...255, using: &generator) })
  }
}
