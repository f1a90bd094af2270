internal import Foundation
internal import WhimbrelLMDB

/// A reader of one sort key: the value at the end of a path.
///
/// Its entries are valid as long as the bytes of the records are.
struct SortKeyReader {
  private var links: [Link]
  private let table: ClassTable
  private let position: Int
  private let kind: Kind
  private let property: PropertyID
  /// The slot of the property in the layout of the last record.
  private var known = KnownLayout()
  /// The snapshot to read, or nil for the one that the session shows.
  var source: QuerySource?

  private struct Link {
    let table: ClassTable
    let position: Int
    var known = KnownLayout()
  }

  /// The slot of a property in one layout. It is looked up again only if the layout changes.
  private struct KnownLayout {
    /// The ID of the layout. The initial value is not the ID of any layout.
    var id = LayoutID(rawValue: .max)
    var size = 0
    var slot = ResolvedLayout.Slot(
      place: RecordSlot(offset: 0, size: 0), presence: -1, access: .conversion)

    @inline(__always)
    mutating func use(
      _ record: PageBytes, _ id: ObjectID, _ position: Int, _ table: ClassTable
    ) throws {
      if record.count >= 8, record.layoutID == self.id, record.count >= size { return }
      let layout = try table.layout(of: record, id)
      self.id = record.layoutID
      size = layout.layout.fixedSize
      slot = layout.slots[position]
    }
  }

  fileprivate enum Kind: UInt8 {
    case bool, int8, int16, int32, int, uint8, uint16, uint32, float, double, text, uuid, objectId
    /// Links, ordered by the IDs of their targets.
    case link
    /// Values that must be decoded before they can be ordered.
    case other
  }

  /// - Throws: ``StoreError`` if a property does not exist, or if its type does not have an order.
  init(_ path: QueryPath, in start: ClassTable, for purpose: Purpose) throws {
    var table = start
    var links: [Link] = []
    for (place, step) in path.steps.enumerated() {
      guard case .property(let name) = step else { break }
      let position = try table.resolved.requiredPosition(of: name)
      let type = table.resolved.properties[position].type
      if place == path.steps.count - 1, purpose.takes(type) {
        self.links = links
        self.table = table
        self.position = position
        kind = Kind(type)
        property = table.resolved.properties[position].id
        return
      }
      guard let target = type.linkTarget, place < path.steps.count - 1 else {
        throw StoreError.noOrder(
          class: table.name, property: name, type: "\(type)", isSorting: purpose == .sorting)
      }
      links.append(Link(table: table, position: position))
      table = try table.session.table(target)
    }
    throw StoreError.notAnOrder(class: start.name, isSorting: purpose == .sorting)
  }

  enum Purpose: Hashable, Sendable {
    case sorting, distinguishing

    func takes(_ type: PropertyType) -> Bool {
      switch type {
      case .any, .list, .set, .map: false
      case .data, .link: self == .distinguishing
      default: true
      }
    }
  }
}

extension SortKeyReader.Kind {
  init(_ type: PropertyType) {
    self =
      switch type {
      case .bool: .bool
      case .int8: .int8
      case .int16: .int16
      case .int32: .int32
      case .int: .int
      case .uint8: .uint8
      case .uint16: .uint16
      case .uint32: .uint32
      case .float: .float
      case .double, .date: .double
      case .string, .data: .text
      case .uuid: .uuid
      case .objectId: .objectId
      case .link: .link
      default: .other
      }
  }
}

// MARK: - Reading

extension SortKeyReader {
  /// Whether reading other objects may invalidate the bytes of the values.
  var valuesMove: Bool { table.recordsMove }

  /// Whether reading the key may invalidate the bytes of the record. ``current(_:_:)`` then reads
  /// it again.
  var movesRecords: Bool { links.first?.table.recordsMove ?? false }

  /// Returns the current bytes of a record, after other keys were read.
  func current(_ record: PageBytes, _ id: ObjectID) throws -> PageBytes {
    let start = links.first?.table ?? table
    return try (source ?? QuerySource(start.session)).current(record, start, id)
  }

  /// The first offset that is read in records of the current layout.
  var firstOffset: Int {
    let (table, position) = links.first.map { ($0.table, $0.position) } ?? (table, position)
    return table.resolved.written.slots[position].offset
  }

  /// Returns the sort entry of an object. A nil link on the path makes the key nil.
  @inline(__always)
  mutating func entry(
    of record: PageBytes, _ id: ObjectID, _ arena: ByteArena
  ) throws -> SortEntry {
    if links.isEmpty { return try lastEntry(of: record, id, arena) }
    return try linkedEntry(of: record, id, arena)
  }

  private mutating func linkedEntry(
    of record: PageBytes, _ id: ObjectID, _ arena: ByteArena
  ) throws -> SortEntry {
    var (record, id) = (record, id)
    for place in links.indices {
      let (table, position) = (links[place].table, links[place].position)
      try links[place].known.use(record, id, position, table)
      let target: ObjectID
      let slot = links[place].known.slot
      switch slot.access {
      case .present where !record.hasBit(Int(slot.presence)): return .null
      case .direct, .present:
        let word = record.load(UInt64.self, at: slot.offset)
        target = ObjectID(rawValue: UInt64(littleEndian: word))
      case .conversion:
        guard case .link(let found) = try value(table, position, of: record, id) else {
          return .null
        }
        target = found
      }
      let next = place + 1 < links.count ? links[place + 1].table : self.table
      let found = if let source { try source.record(next, target) } else { try next.record(target) }
      guard let found else {
        throw next.damagedRecord(target, "a link leads to it, but it does not exist")
      }
      (record, id) = (found, target)
    }
    return try lastEntry(of: record, id, arena)
  }

  @inline(__always)
  private mutating func lastEntry(
    of record: PageBytes, _ id: ObjectID, _ arena: ByteArena
  ) throws -> SortEntry {
    try known.use(record, id, position, table)
    let slot = known.slot
    if slot.access == .conversion || kind == .other { return try slowEntry(of: record, id, arena) }
    if slot.access == .present, !record.hasBit(Int(slot.presence)) { return .null }
    switch kind {
    case .text:
      if let text = record.variable(at: slot.place) { return SortEntry(text: text) }
      return try slowEntry(of: record, id, arena)
    case .int: return SortEntry(record.int(at: slot.place))
    case .double: return SortEntry(record.double(at: slot.offset))
    default: return fixedEntry(of: record, at: slot.offset)
    }
  }

  private func fixedEntry(of record: PageBytes, at offset: Int) -> SortEntry {
    func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> SortEntry {
      SortEntry(Int64(Number(littleEndian: record.load(type, at: offset))))
    }
    switch kind {
    case .bool: return SortEntry(record.load(UInt8.self, at: offset) != 0 ? 1 : 0 as Int64)
    case .int8: return number(Int8.self)
    case .int16: return number(Int16.self)
    case .int32: return number(Int32.self)
    case .uint8: return number(UInt8.self)
    case .uint16: return number(UInt16.self)
    case .uint32: return number(UInt32.self)
    case .float: return SortEntry(Double(record.float(at: offset)))
    case .double: return SortEntry(record.double(at: offset))
    case .link: return SortEntry(UInt64(littleEndian: record.load(UInt64.self, at: offset)))
    case .uuid:
      return SortEntry(record.loadBigEndian(at: offset), record.loadBigEndian(at: offset + 8))
    case .objectId:
      let id = record.objectId(at: offset)
      return SortEntry(id.high, UInt64(id.low) << 32)
    case .int, .text, .other: return .null
    }
  }

  private func value(
    _ table: ClassTable, _ position: Int, of record: PageBytes, _ id: ObjectID
  ) throws -> PropertyValue {
    if let source { return try source.value(table, position, of: record, id) }
    return try table.value(position, of: record, id)
  }

  @inline(never)
  private func slowEntry(
    of record: PageBytes, _ id: ObjectID, _ arena: ByteArena
  ) throws -> SortEntry {
    let value = try value(table, position, of: record, id)
    func copy(_ bytes: [UInt8]) -> SortEntry {
      SortEntry(text: PageBytes.with(bytes) { arena.copy($0) })
    }
    switch value {
    case .bool(let value): return SortEntry(value ? 1 : 0 as Int64)
    case .int(let number): return SortEntry(number)
    case .float(let number): return SortEntry(Double(number))
    case .double(let number): return SortEntry(number)
    case .date(let date): return SortEntry(date.timeIntervalSinceReferenceDate)
    case .string(let text): return copy(Array(text.utf8))
    case .data(let data): return copy(Array(data))
    case .objectId(let id): return SortEntry(id.high, UInt64(id.low) << 32)
    case .link(let id): return SortEntry(id.rawValue)
    case .uuid(let uuid):
      let (high, low) = uuid.words
      return SortEntry(high.byteSwapped, low.byteSwapped)
    case .null, .object, .list, .map: return .null
    default:
      var key: [UInt8] = []
      value.appendScalar(toKey: &key)
      return copy(key)
    }
  }
}
