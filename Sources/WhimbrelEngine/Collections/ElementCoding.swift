internal import WhimbrelLMDB

/// The encoding of the elements of a collection.
///
/// In lists and sets of values of one size, an element is the bytes of a slot. In front of an
/// optional element is a byte: 0 for nil, 1 for a value. All other elements have different sizes.
/// In a map, an element begins with the length of its name, 2 bytes, and the name. A byte that
/// states the form of the value follows:
///
/// | byte | value |
/// |---|---|
/// | 0 | nil |
/// | 1 | the bytes that follow |
/// | 2 | the number of its first chunk, 4 bytes, and its length, 4 bytes |
package struct ElementCoding: Hashable, Sendable {
  package let element: ElementType
  package let isMap: Bool

  /// The limit of text or data inside an element, in bytes. Longer values have their own chunks.
  static let inlineLimit = 512
  /// The limit of a name in a map, in bytes.
  package static let nameLimit = 16_384

  package init(_ element: ElementType, isMap: Bool) {
    self.element = element
    self.isMap = isMap
  }

  /// The layout of the elements in the leaves of a tree.
  package var format: ElementFormat {
    if isMap || element.type.isVariable { return .variable }
    return .fixed(width: element.type.slotSize + (element.isOptional ? 1 : 0))
  }
}

// MARK: - Writing

extension ElementCoding {
  /// Returns the bytes of an element, whose type must already be checked. The chunks of a long
  /// element are written to the tree.
  func bytes<Nodes>(
    _ value: PropertyValue, name: String? = nil, in tree: inout CollectionTree<Nodes>
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    if isMap, let name {
      bytes.append(littleEndian: UInt16(name.utf8.count))
      bytes.append(contentsOf: name.utf8)
    }
    if case .fixed = format {
      if element.isOptional { bytes.append(value.isNull ? 0 : 1) }
      appendFixed(value, to: &bytes)
      return bytes
    }
    let isNull = value.isNull && element.type != .any
    guard !isNull else { return bytes + [0] }
    guard element.type.isVariable else {
      bytes.append(1)
      appendFixed(value, to: &bytes)
      return bytes
    }
    let content = try content(of: value)
    if content.count <= Self.inlineLimit { return bytes + [1] + content }
    bytes.append(2)
    bytes.append(littleEndian: try tree.putChunks(content))
    bytes.append(littleEndian: UInt32(content.count))
    return bytes
  }

  private func content(of value: PropertyValue) throws -> [UInt8] {
    if element.type == .any {
      guard let bytes = AnyCoding.bytes(value) else { throw TooDeeplyNested() }
      return bytes
    }
    var bytes: [UInt8] = []
    value.scalar?.append(to: &bytes)
    return bytes
  }

  private func appendFixed(_ value: PropertyValue, to bytes: inout [UInt8]) {
    switch (element.type, value) {
    case (_, .int(let number)):
      for byte in 0..<element.type.slotSize {
        bytes.append(UInt8(truncatingIfNeeded: number >> (8 * byte)))
      }
    case (.double, .float(let number)): Double(number).append(to: &bytes)
    case (_, .link(let id)): bytes.append(littleEndian: id.rawValue)
    default:
      guard let scalar = value.scalar else {
        return bytes.append(contentsOf: repeatElement(0, count: element.type.slotSize))
      }
      scalar.append(to: &bytes)
    }
  }
}

/// The error of a list or map that is nested too deep inside a value of any type.
struct TooDeeplyNested: Error {}

// MARK: - Reading

extension ElementCoding {
  /// Returns the value of an element.
  ///
  /// - Parameter property: The property whose overflow contains the chunks of long elements.
  func value(
    _ bytes: PageBytes, _ property: PropertyID, _ overflow: Overflow
  ) throws -> PropertyValue {
    try withContent(bytes, property, overflow) { content in
      try content.map { try Self.value(ofContent: $0, element.type) } ?? .null
    }
  }

  /// Calls `body` with the content of an element, without its name and form byte. The content of a
  /// nil element is nil.
  func withContent<Result>(
    _ bytes: PageBytes, _ property: PropertyID, _ overflow: Overflow,
    _ body: (PageBytes?) throws -> Result
  ) throws -> Result {
    if case .fixed(let width) = format {
      guard bytes.count == width else { throw Self.damaged }
      guard element.isOptional else { return try body(bytes) }
      guard bytes.load(UInt8.self, at: 0) != 0 else { return try body(nil) }
      return try body(bytes.slice(at: 1, count: width - 1))
    }
    let start = isMap ? 2 + (try nameBytes(bytes)).count : 0
    guard let content = bytes.slice(at: start + 1, count: bytes.count - start - 1) else {
      throw Self.damaged
    }
    switch bytes.load(UInt8.self, at: start) {
    case 0: return try body(nil)
    case 1: return try body(content)
    default:
      guard let place = Self.chunkPlace(content), element.type.isVariable else {
        throw Self.damaged
      }
      let bytes = try overflow.bytes(property, from: place.first, length: place.length)
      return try PageBytes.with(bytes) { try body($0) }
    }
  }

  /// Returns the value of the content of an element.
  static func value(ofContent content: PageBytes, _ type: PropertyType) throws -> PropertyValue {
    switch type {
    case .string: return .string(content.text)
    case .data: return .data(content.data)
    case .any: return try AnyCoding.value(content)
    default:
      guard content.count == type.slotSize else { throw damaged }
      return content.fixedValue(type, at: 0)
    }
  }

  /// Returns the position of a long element's chunks, or nil if the element has none.
  func chunks(of bytes: PageBytes) throws -> (first: UInt32, length: Int)? {
    guard format == .variable, element.type.isVariable else { return nil }
    let start = isMap ? 2 + (try nameBytes(bytes)).count : 0
    guard start < bytes.count, bytes.load(UInt8.self, at: start) == 2,
      let content = bytes.slice(at: start + 1, count: bytes.count - start - 1)
    else { return nil }
    guard let place = Self.chunkPlace(content) else { throw Self.damaged }
    return place
  }

  private static func chunkPlace(_ content: PageBytes) -> (first: UInt32, length: Int)? {
    guard content.count == 8 else { return nil }
    let first = UInt32(littleEndian: content.load(UInt32.self, at: 0))
    return (first, Int(UInt32(littleEndian: content.load(UInt32.self, at: 4))))
  }

  /// Returns the name of an element of a map, as UTF-8.
  func nameBytes(_ bytes: PageBytes) throws -> PageBytes {
    guard bytes.count >= 2,
      let name = bytes.slice(
        at: 2, count: Int(UInt16(littleEndian: bytes.load(UInt16.self, at: 0))))
    else { throw Self.damaged }
    return name
  }

  static var damaged: DamagedRecord {
    DamagedRecord(detail: "an element of a collection is damaged")
  }
}
