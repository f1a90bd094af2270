package import WhimbrelLMDB

extension Float: Persistable, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .float }
  /// Reads a stored value, or returns nil if it has another type.
  public init?(propertyValue: PropertyValue) {
    guard case .float(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value to store.
  public var propertyValue: PropertyValue { .float(self) }
}

extension Float: FloatingScalar {
  static var name: String { "float" }
  static var queryWord: (word: String, example: String)? { ("float", "float(12.5)") }
  static var slotSize: Int { 4 }
  static var marks: (any: UInt8, rank: Int) { (3, 3) }
  var wide: Double { Double(self) }

  @inline(__always)
  init(_ bytes: PageBytes, at offset: Int) { self = bytes.float(at: offset) }

  func converted(to type: PropertyType) -> PropertyValue? {
    switch type {
    case .double: .double(Double(self))
    case .decimal: exactDecimal
    default: .none
    }
  }

  var queryLiteral: String? { literal.map { "float(\($0))" } }
  init?(queryText text: String) {
    // Swift also reads hexadecimal digits and the payload of a NaN; a literal
    // has neither.
    let isDecimal = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || ".eE+-".utf8.contains($0) }
    guard text == "nan" || text == "inf" || text == "-inf" || isDecimal,
      let number = Float(text), number.isFinite || text.hasSuffix("inf") || text == "nan"
    else { return nil }
    self = number
  }

  static func example(using generator: inout some RandomNumberGenerator) -> Float {
    Float(Double.example(using: &generator))
  }
}

// MARK: - Records

extension PageBytes {
  package func float(at offset: Int) -> Float {
    Float(bitPattern: UInt32(littleEndian: load(UInt32.self, at: offset)))
  }
}
