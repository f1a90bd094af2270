package import Foundation
package import WhimbrelLMDB

/// The beginning of data, and the total number of bytes.
package struct DataBeginning {
  package let bytes: Data
  package let count: Int

  package init(bytes: Data, count: Int) { (self.bytes, self.count) = (bytes, count) }
}

extension Overflow {
  /// Returns the beginning of a value that is stored in chunks. Later chunks are not read.
  ///
  /// - Throws: ``DamagedRecord`` if a chunk that is read is missing or too short.
  func beginning(of property: PropertyID, length: Int, limit: Int) throws -> [UInt8] {
    let wanted = min(length, limit)
    var bytes: [UInt8] = []
    var (rest, number) = (length, UInt32(0))
    while bytes.count < wanted {
      guard let overflowEntry = try entry(property, number), let chunk = Self.chunk(overflowEntry),
        chunk.count == min(rest, Self.chunkSize),
        let part = chunk.slice(at: 0, count: min(chunk.count, wanted - bytes.count))
      else { throw DamagedRecord(detail: "a chunk of text or data is missing or damaged") }
      bytes.append(contentsOf: part.array)
      rest -= chunk.count
      number &+= 1
    }
    return bytes
  }

  /// Returns the size of a property's overflow in bytes, without checking what it holds.
  ///
  /// - Complexity: O(*overflow entries*).
  package func entrySizes(of property: PropertyID) throws -> Int {
    guard case .stored(let view, let table, let id, _) = source else { return 0 }
    let prefix = Array(Self.key(id, property, 0).prefix(12))
    var size = 0
    let cursor = try view.cursor(table)
    var isInside = try cursor.seek(atLeast: prefix)
    while isInside, cursor.key.hasPrefix(prefix) {
      size += cursor.value.count
      isInside = try cursor.move(to: .next)
    }
    return size
  }
}

extension ClassTable {
  /// Returns the beginning of data, or nil if the value is nil or is not stored as data.
  ///
  /// - Complexity: O(*limit* + log *n*), regardless of the length of the data.
  package func dataBeginning(
    _ position: Int, of record: PageBytes, _ id: ObjectID, limit: Int
  ) throws -> DataBeginning? {
    let layout = try layout(of: record, id)
    let slot = layout.slots[position]
    guard slot.access != .conversion, let field = layout.fields[position], field.type == .data,
      slot.access != .present || record.hasBit(Int(slot.presence))
    else { return nil }
    return try explaining(id) {
      if let bytes = record.variable(at: field.slot) {
        let part = bytes.slice(at: 0, count: min(bytes.count, limit)) ?? .empty
        return DataBeginning(bytes: part.data, count: bytes.count)
      }
      guard record.isExternal(at: field.slot) else { throw DamagedRecord() }
      let count = record.length(at: field.slot)
      let bytes = try overflow(of: id).beginning(of: field.property, length: count, limit: limit)
      return DataBeginning(bytes: Data(bytes), count: count)
    }
  }
}

extension BoundPath {
  /// Returns the first values that the path leads to from an object. Returns an empty array if the
  /// object does not exist.
  package func values(of id: ObjectID, upTo limit: Int) throws -> [PropertyValue] {
    let source = QuerySource(table.session)
    guard limit > 0, let record = try source.record(table, id) else { return [] }
    var values: [PropertyValue] = []
    _ = try forEachValue(id, record, source) { value in
      values.append(value)
      return values.count < limit
    }
    return values
  }
}
