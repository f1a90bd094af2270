internal import Foundation
internal import WhimbrelLMDB

/// A table that finds objects of a class by the values of properties.
struct QueryIndex {
  let table: Table
  /// The positions of the properties whose values form the start of the keys, in the order of the
  /// keys.
  let positions: [Int]
  let entries: IndexEntries
  /// The limit on the bytes of each text in a key.
  var textLimit = KeyEncoding.textLimit
}

extension QueryIndex {
  var hasManyEntries: Bool {
    if case .links(let isMany) = entries { isMany } else { false }
  }

  /// Returns the name of the index for messages, such as `Zone.identifier`.
  func name(in resolved: ResolvedClass) -> String {
    let names = positions.map { resolved.properties[$0].name }
    return "\(resolved.name).\(names.joined(separator: "+"))"
  }

  /// Returns the ID of the object of the cursor's entry, or nil if the entry is damaged.
  @inline(__always)
  func objectID(at cursor: Cursor) -> ObjectID? {
    switch entries {
    case .objects:
      return cursor.key.count == 8 ? ObjectID(rawValue: cursor.integerKey) : nil
    case .primaryKey:
      let value = cursor.value
      guard value.count == 8 else { return nil }
      return ObjectID(rawValue: UInt64(littleEndian: value.load(UInt64.self, at: 0)))
    default:
      let key = cursor.key
      guard key.count > 8 else { return nil }
      return ObjectID(rawValue: key.loadBigEndian(at: key.count - 8))
    }
  }

  /// Translates a range of optional values into keys of this index. Returns nil if the index does
  /// not contain the whole range.
  ///
  /// The keys of primary keys do not have the leading byte that marks nil.
  func keys(_ range: KeyRange) -> KeyRange? {
    if entries.haveMarkedKeys { return range }
    guard range.lower.first == 1 else { return nil }
    let upper = range.upper.flatMap { $0 == [2] ? nil : Array($0.dropFirst()) }
    return KeyRange(lower: Array(range.lower.dropFirst()), upper: upper, isPoint: range.isPoint)
  }
}

extension QueryIndex {
  /// Moves the cursor to the first entry at or after the start of a range. Returns false if there
  /// is none.
  func seek(_ cursor: Cursor, to range: KeyRange) throws -> Bool {
    guard case .objects = entries else {
      return try range.lower.isEmpty ? cursor.move(to: .first) : cursor.seek(atLeast: range.lower)
    }
    return try cursor.seek(atLeast: range.lower.bigEndianNumber)
  }

  /// Moves the cursor to the last entry before the end of a range. Returns false if there is none.
  func seekBack(_ cursor: Cursor, to range: KeyRange) throws -> Bool {
    guard let upper = range.upper else { return try cursor.move(to: .last) }
    let isBehind: Bool
    if case .objects = entries {
      isBehind = try cursor.seek(atLeast: upper.bigEndianNumber)
    } else {
      isBehind = try cursor.seek(atLeast: upper)
    }
    return try cursor.move(to: isBehind ? .previous : .last)
  }

  /// Returns whether the cursor's entry is before the end of a range.
  @inline(__always)
  func isBelowEnd(_ cursor: Cursor, of range: KeyRange) -> Bool {
    guard let upper = range.upper else { return true }
    guard case .objects = entries else { return cursor.key.precedes(upper) }
    return cursor.integerKey < upper.bigEndianNumber
  }

  /// Returns whether the cursor's entry is at or after the start of a range.
  func isAtLeastStart(_ cursor: Cursor, of range: KeyRange) -> Bool {
    guard case .objects = entries else { return !cursor.key.precedes(range.lower) }
    return cursor.integerKey >= range.lower.bigEndianNumber
  }
}

extension PageBytes {
  @inline(__always)
  func precedes(_ other: [UInt8]) -> Bool {
    PageBytes.with(other) { precedes($0) }
  }
}

extension [UInt8] {
  /// The first eight bytes as a big-endian number. Missing bytes count as zero.
  fileprivate var bigEndianNumber: UInt64 {
    var number: UInt64 = 0
    for place in 0..<8 { number = number << 8 | UInt64(place < count ? self[place] : 0) }
    return number
  }
}

// MARK: - The indexes of a class

extension QueryIndex {
  init(_ index: TableIndex) {
    table = index.table
    positions = index.positions
    entries = index.entries
    textLimit = index.values?.textLimit ?? KeyEncoding.textLimit
  }
}

extension ClassTable {
  /// Returns the index that finds objects by the value of a property, or nil.
  func queryIndex(of position: Int) -> QueryIndex? {
    if position == resolved.primaryKeyIndex, resolved.isClustered {
      return QueryIndex(table: objects, positions: [position], entries: .objects)
    }
    let index = records.indexes.first { index in
      switch index.subject {
      case .key(position), .property(position): !index.isBuilding
      case .key, .property, .values: false
      }
    }
    return index.map { QueryIndex($0) }
  }

  func fullTextIndex(_ position: Int) -> TableIndex? {
    classIndexes.first {
      $0.entries == .words && $0.positions == [position] && !$0.isBuilding
    }
  }
}
