package import WhimbrelLMDB

extension Double: Persistable, PersistableAsOptional {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .double }
  /// Reads a stored value, or returns nil when it is one of another type.
  @inlinable
  public init?(propertyValue: PropertyValue) {
    switch propertyValue {
    case .double(let value): self = value
    case .float(let value): self = Double(value)
    default: return nil
    }
  }
  /// The value as it is stored.
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
}

// MARK: - Records

extension PageBytes {
  /// The value in a slot.
  package func double(at offset: Int) -> Double {
    Double(bitPattern: UInt64(littleEndian: load(UInt64.self, at: offset)))
  }
}
