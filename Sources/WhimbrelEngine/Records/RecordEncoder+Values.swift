internal import Foundation
internal import WhimbrelLMDB

extension RecordEncoder {
  /// Checks a value against its property and stores it.
  ///
  /// - Throws: ``StoreError`` with `wrongType`, `outOfRange`, `unknownCase`, `missingValue`,
  ///   `invalidMapKey`, `nestedTooDeep` or `valueTooLarge`.
  package mutating func set(_ index: Int, _ value: PropertyValue) throws {
    switch (place(index).plain, value) {
    case (.bool, .bool(let value)): return set(index, fixed: UInt8(value ? 1 : 0))
    case (.int, .int(let number)): return set(index, int: number)
    case (.double, .double(let value)):
      return set(index, fixed: value.bitPattern.littleEndian)
    case (.text, .string(let text)): return try set(index, text)
    case (.data, .data(let data)): return try set(index, data)
    default: break
    }
    let property = target.properties[index]
    let value = try property.checked(value, in: target.name)
    switch value {
    case .null where property.type != .any: setNull(index)
    case _ where property.type == .any: try setAny(index, value)
    case .null: break
    case .link(let id): set(index, fixed: id.rawValue.littleEndian)
    case .list(let values): try setCollection(index, values)
    case .map(let values): try setMap(index, values)
    default: try setScalar(index, value)
    }
  }

  /// Stores a value that was read from the store. The value does not have to be a case of the enum:
  /// cases may have been removed since, and only new values are checked.
  mutating func setStored(_ index: Int, _ value: PropertyValue) throws {
    guard target.properties[index].cases != nil else { return try set(index, value) }
    switch value {
    case .int(let number): set(index, bits: UInt64(bitPattern: number))
    case .string(let text): try set(index, text)
    case .list(let values): try setCollection(index, values)
    case .map(let values): try setMap(index, values)
    default: try set(index, value)
    }
  }

  /// Checks a value of a dump against its property and stores it. The value does not have to be a
  /// case of the enum: the dumped store may have had cases that were removed since.
  ///
  /// - Throws: Like ``set(_:_:)-(Int,PropertyValue)``, but never `unknownCase`.
  package mutating func setDumped(_ index: Int, _ value: PropertyValue) throws {
    var property = target.properties[index]
    guard property.cases != nil else { return try set(index, value) }
    property.cases = nil
    try setStored(index, property.checked(value, in: target.name))
  }

  private mutating func setAny(_ index: Int, _ value: PropertyValue) throws {
    guard !value.isNull else { return try set(index, any: []) }
    guard let bytes = AnyCoding.bytes(value) else { throw nestedTooDeep(index) }
    try set(index, any: bytes)
  }

  private func nestedTooDeep(_ index: Int) -> StoreError {
    StoreError.nestedTooDeep(
      class: target.name, property: target.properties[index].name, limit: AnyCoding.depthLimit)
  }

  /// Stores the elements of a list or a set, which are already checked.
  private mutating func setCollection(_ index: Int, _ values: [PropertyValue]) throws {
    let type = target.properties[index].type
    guard let element = type.elementType else { return }
    var values = values
    if case .set = type { values = values.sortedAsSet() }
    try build(index, ElementCoding(element, isMap: false), values.map { (nil, $0) })
  }

  private mutating func setMap(_ index: Int, _ values: [String: PropertyValue]) throws {
    guard let element = target.properties[index].type.elementType else { return }
    let pairs = values.sorted { $0.key.precedesInOrder($1.key) }
    try build(index, ElementCoding(element, isMap: true), pairs.map { ($0.key, $0.value) })
  }

  private mutating func build(
    _ index: Int, _ coding: ElementCoding, _ elements: [(name: String?, value: PropertyValue)]
  ) throws {
    guard !elements.isEmpty else { return set(index, collection: MemoryNodes()) }
    do {
      var builder = CollectionTree(MemoryNodes(), coding.format)
      var bytes: [[UInt8]] = []
      bytes.reserveCapacity(elements.count)
      for element in elements {
        bytes.append(try coding.bytes(element.value, name: element.name, in: &builder))
      }
      try builder.append(contentsOf: bytes)
      set(index, collection: builder.nodes)
    } catch is TooDeeplyNested {
      throw nestedTooDeep(index)
    }
  }
}

extension CollectionTree {
  /// Writes a long element in chunks, and returns the number of the first chunk.
  mutating func putChunks(_ content: [UInt8]) throws -> UInt32 {
    var first: UInt32?
    for chunk in Overflow.chunks(content) {
      let number = try takeNumber()
      first = first ?? number
      try nodes.put(number, chunk)
    }
    return first ?? 0
  }

  mutating func removeChunks(_ place: (first: UInt32, length: Int)) throws {
    let count = (place.length + Overflow.chunkSize - 1) / Overflow.chunkSize
    for number in 0..<UInt32(count) { try nodes.remove(place.first &+ number) }
  }
}

extension [PropertyValue] {
  /// Returns the values in the order of sets, without duplicates. The first of several equal values
  /// is kept.
  package func sortedAsSet() -> [PropertyValue] {
    // The values of a stored set are already in order.
    if zip(self, dropFirst()).allSatisfy({ $0.precedes($1) }) { return self }
    let sorted = enumerated().sorted { left, right in
      left.element.precedes(right.element)
        || !right.element.precedes(left.element) && left.offset < right.offset
    }
    var result: [PropertyValue] = []
    for (_, value) in sorted {
      if let last = result.last, last.isSameElement(as: value) { continue }
      result.append(value)
    }
    return result
  }
}
