package import WhimbrelLMDB

extension Double: Persistable, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .double }
  /// Reads a stored double or float, or returns nil if the value has another
  /// type.
  @inlinable
  public init?(propertyValue: PropertyValue) {
    switch propertyValue {
    case .double(let value): self = value
    case .float(let value): self = Double(value)
    default: return nil
    }
  }
  /// The value to store.
  @inlinable
  public var propertyValue: PropertyValue { .double(self) }
}

extension Double: FloatingScalar {
  static var name: String { "double" }
  static var slotSize: Int { 8 }
  static var marks: (any: UInt8, rank: Int) { (4, 4) }
  var wide: Double { self }

  @inline(__always)
  init(_ bytes: PageBytes, at offset: Int) { self = bytes.double(at: offset) }

  func converted(to type: PropertyType) -> PropertyValue? {
    type == .decimal ? exactDecimal : .none
  }

  var queryLiteral: String? { literal }

  static func example(using generator: inout some RandomNumberGenerator) -> Double {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: 0
    case 1: -.random(in: 0...1, using: &generator)
    case 2: .random(in: -1e12...1e12, using: &generator)
    default: .random(in: 0...1_000, using: &generator)
    }
  }
}

// MARK: - Records

extension PageBytes {
  package func double(at offset: Int) -> Double {
    Double(bitPattern: UInt64(littleEndian: load(UInt64.self, at: offset)))
  }
}
