internal import WhimbrelLMDB

/// The encoding of values of any type. The first byte states the kind. The bytes of the value
/// follow:
///
/// | kind | bytes |
/// |---|---|
/// | 0 nil | none |
/// | 1 bool | 1 |
/// | 2 integer, 3 float, 4 double, 5 date | 8, 4, 8, 8, little-endian |
/// | 6 string, 7 data | a count of 4 bytes, then the bytes |
/// | 8 UUID, 9 decimal, 10 identifier | 16, 24, 12 |
/// | 11 object | class ID, 4, and object ID, 8 |
/// | 12 list | a count of 4 bytes, then the values |
/// | 13 map | a count of 4 bytes, then pairs of a name and a value, sorted by name |
///
/// An empty sequence of bytes means nil too: the bytes of a property that was never written are
/// empty.
enum AnyCoding {
  /// The maximum depth of nested lists and maps.
  static let depthLimit = 100

  /// Reads a value.
  ///
  /// - Throws: ``DamagedRecord`` if the bytes are not exactly one value.
  static func value(_ bytes: PageBytes) throws -> PropertyValue {
    if bytes.count == 0 { return .null }
    var reader = AnyReader(bytes)
    let value = try reader.value(depth: 0)
    guard reader.isAtEnd else { throw DamagedRecord(detail: "a value of any type is damaged") }
    return value
  }

  /// The reasons why a value cannot be encoded.
  enum Problem: Equatable {
    case tooDeep
    /// The value is a link that does not state its class.
    case link
    /// The value takes this many bytes.
    case tooLarge(Int)
  }

  /// Returns why a value cannot be encoded, or nil if it can.
  static func problem(of value: PropertyValue) -> Problem? {
    var byteCount = 0
    if let problem = measure(value, &byteCount) { return problem }
    return byteCount > RecordEncoder.maximumValueSize ? .tooLarge(byteCount) : nil
  }

  /// Adds the size of a value in bytes. Returns why the value cannot be encoded, unless its size is
  /// the reason.
  static func measure(
    _ value: PropertyValue, depth: Int = 0, _ byteCount: inout Int
  ) -> Problem? {
    byteCount += 1
    switch value {
    case .null: return nil
    case .link: return .link
    case .object: byteCount += 12
    case .string(let text): byteCount += 4 + text.utf8.count
    case .data(let data): byteCount += 4 + data.count
    case .list(let elements):
      if depth >= depthLimit { return .tooDeep }
      byteCount += 4
      for element in elements {
        if let problem = measure(element, depth: depth + 1, &byteCount) { return problem }
      }
    case .map(let elements):
      if depth >= depthLimit { return .tooDeep }
      byteCount += 4
      for (name, element) in elements {
        byteCount += 4 + name.utf8.count
        if let problem = measure(element, depth: depth + 1, &byteCount) { return problem }
      }
    default: if let scalar = value.scalar { byteCount += type(of: scalar).slotSize }
    }
    return nil
  }

  /// Returns the bytes of a value, or nil if it is nested too deep. A value that is too large must
  /// be rejected beforehand: see ``problem(of:)``.
  static func bytes(_ value: PropertyValue) -> [UInt8]? {
    var bytes: [UInt8] = []
    return append(value, to: &bytes, depth: 0) ? bytes : nil
  }

  private static func append(_ value: PropertyValue, to bytes: inout [UInt8], depth: Int) -> Bool {
    func put(_ kind: UInt8, _ content: some FixedWidthInteger) {
      bytes.append(kind)
      bytes.append(littleEndian: content)
    }
    switch value {
    case .null: bytes.append(0)
    case .object(let reference):
      put(11, reference.classID.rawValue)
      bytes.append(littleEndian: reference.id.rawValue)
    // Links are rejected beforehand: see ``problem(of:)``.
    case .link: return false
    case .list(let elements):
      put(12, UInt32(elements.count))
      return depth < depthLimit
        && elements.allSatisfy { append($0, to: &bytes, depth: depth + 1) }
    case .map(let elements):
      put(13, UInt32(elements.count))
      return depth < depthLimit
        && elements.sortedByName.allSatisfy { name, value in
          bytes.append(littleEndian: UInt32(name.utf8.count))
          bytes.append(contentsOf: name.utf8)
          return append(value, to: &bytes, depth: depth + 1)
        }
    default:
      if let scalar = value.scalar { append(scalar, to: &bytes) }
    }
    return true
  }

  private static func append(_ scalar: some Scalar, to bytes: inout [UInt8]) {
    let kind = type(of: scalar)
    bytes.append(kind.marks.any)
    guard kind.propertyType.isVariable else { return scalar.append(to: &bytes) }
    var content: [UInt8] = []
    scalar.append(to: &content)
    bytes.append(littleEndian: UInt32(content.count))
    bytes.append(contentsOf: content)
  }

  /// Returns the objects that a value refers to.
  static func references(in value: PropertyValue) -> [ObjectReference] {
    switch value {
    case .object(let reference): [reference]
    case .list(let elements): elements.flatMap(references)
    case .map(let elements): elements.values.flatMap(references)
    default: []
    }
  }

  /// Returns the value with nil in place of each reference to one of the targets.
  static func removing(
    _ targets: Set<ObjectReference>, from value: PropertyValue
  ) -> PropertyValue {
    switch value {
    case .object(let reference): targets.contains(reference) ? .null : value
    case .list(let elements): .list(elements.map { removing(targets, from: $0) })
    case .map(let elements): .map(elements.mapValues { removing(targets, from: $0) })
    default: value
    }
  }
}

/// A reader of encoded values.
private struct AnyReader {
  private let bytes: PageBytes
  private var offset = 0

  init(_ bytes: PageBytes) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  private mutating func take(_ count: Int) throws -> PageBytes {
    guard let taken = bytes.slice(at: offset, count: count) else {
      throw DamagedRecord(detail: "a value of any type is damaged")
    }
    offset += count
    return taken
  }

  private mutating func takeNumber<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type
  ) throws -> Number {
    Number(littleEndian: try take(Number.bitWidth / 8).load(type, at: 0))
  }

  mutating func value(depth: Int) throws -> PropertyValue {
    guard depth <= AnyCoding.depthLimit else {
      throw DamagedRecord(detail: "a value of any type is nested too deep")
    }
    let mark = try takeNumber(UInt8.self)
    if let kind = Scalars.kind(mark: mark) {
      let count = kind.propertyType.isVariable ? Int(try takeNumber(UInt32.self)) : kind.slotSize
      return kind.value(try take(count))
    }
    switch mark {
    case 0: return .null
    case 11:
      let classID = ClassID(rawValue: try takeNumber(UInt32.self))
      return .object(
        ObjectReference(classID: classID, id: ObjectID(rawValue: try takeNumber(UInt64.self))))
    case 12:
      // Memory is not reserved, because a damaged count can be any number. The loop ends early in
      // that case, because each element takes at least a byte.
      var elements: [PropertyValue] = []
      for _ in 0..<(try takeNumber(UInt32.self)) { elements.append(try value(depth: depth + 1)) }
      return .list(elements)
    case 13:
      var elements: [String: PropertyValue] = [:]
      for _ in 0..<(try takeNumber(UInt32.self)) {
        let name = try take(Int(takeNumber(UInt32.self))).text
        elements[name] = try value(depth: depth + 1)
      }
      return .map(elements)
    default: throw DamagedRecord(detail: "a value of any type has an unknown kind")
    }
  }
}

extension [String: PropertyValue] {
  /// The elements, sorted by the UTF-8 bytes of their names.
  package var sortedByName: [(name: String, value: PropertyValue)] {
    map { ($0.key, $0.value) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
  }
}
