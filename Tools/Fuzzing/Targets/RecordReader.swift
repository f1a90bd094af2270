internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Reads records, overflow and index entries that an input has changed, and that have right
/// checksums: what reads them must not rely on these.
///
/// An input begins with flags, and what is done then: see ``StoreReading/Part``. Then come changes, each a kind, a class and an object:
///
/// | kind, of 8 | follows | meaning |
/// |---|---|---|
/// | 0 … 3 | offset, count, bytes | bytes of the record |
/// | 4 | count, bytes | a new record |
/// | 5, 6 | entry, offset, count, bytes | bytes of an overflow entry, one of those the object has |
/// | 7 | property, number, count, bytes | a new overflow entry; for an odd class, an entry of an index |
final class RecordReader: FuzzReader {
  private let folder: FuzzFolder
  private let store: [UInt8]
  private let session: Session
  /// The class of an input that has the most properties.
  private static let thing: UInt8 = 3 << 1

  init() throws {
    folder = try FuzzFolder()
    store = try EveryKind.bytes(count: 2)
    let path = try folder.write(store, as: "a.whimbrel")
    session = try Session(StoreFile.open(OpenRequest(path: path)))
  }

  var seeds: [[UInt8]] {
    let ones = [UInt8](repeating: 255, count: 8)
    var seeds: [[UInt8]] = (0..<16).map { [$0] }
    for place in 0..<96 {
      let part = UInt8(place % 4) << 2
      let offset: [UInt8] = .littleEndian(place / 2 * 8)
      seeds.append([part, 0, Self.thing, UInt8(place & 1)] + offset + [8] + ones)
    }
    for entry in 0..<12 {
      seeds.append([0, 5, Self.thing, 1, UInt8(entry), 8, 0, 4, 1, 0, 0, 0])
    }
    seeds.append([0, 4, Self.thing, 1, 8, 0] + ones)
    seeds.append([0, 7, Self.thing, 0, 3, 0, 8, 0] + ones)
    seeds.append([0, 7, Self.thing, 1, 3, 0, 9, 0, 5] + Array("swan lake".utf8))
    return seeds
  }

  func read(_ input: [UInt8]) throws {
    var input = FuzzInput(input)
    let flags = input.byte()
    let part = StoreReading.Part(flags >> 2)
    if flags & 3 == 3 { return try readCommitted(&input, part) }
    // A write that is cancelled leaves the store as it was, in a tenth of the time.
    try session.beginWrite()
    defer { session.cancelAbandonedWrite() }
    while !input.isAtEnd { try change(session, &input) }
    StoreReading(session: session).run(part)
  }

  /// Reads a changed copy of the store, with the checks that snapshots have.
  private func readCommitted(_ input: inout FuzzInput, _ part: StoreReading.Part) throws {
    let path = try folder.write(store, as: "copy.whimbrel")
    defer { folder.removeStore("copy.whimbrel") }
    let session = try Session(StoreFile.open(OpenRequest(path: path)))
    defer { session.close() }
    try session.write {
      while !input.isAtEnd { try change(session, &input) }
    }
    StoreReading(session: session).run(part)
  }

  private func change(_ session: Session, _ input: inout FuzzInput) throws {
    let kind = input.byte() & 7
    let number = input.byte()
    let table = session.classes[Int(number >> 1) % session.classes.count]
    let place = Int(input.byte())
    let ids = try table.firstObjectIDs(8)
    let id = ids.isEmpty ? ObjectID(rawValue: 1) : ids[place % ids.count]
    switch kind {
    case 0...3:
      var record = try table.session.view.value(table.objects, id.rawValue)?.array ?? []
      record.overwrite(at: input.number(), with: input.bytes(Int(input.byte())))
      try put(record, id, table)
    case 4:
      try put(input.bytes(input.number()), id, table)
    case 5, 6:
      try changeOverflow(of: id, table, &input)
    default:
      let (property, number) = (PropertyID(rawValue: UInt32(input.byte())), input.byte())
      let bytes = input.bytes(input.number())
      if place & 1 == 0 {
        try putOverflow(bytes, of: id, property, UInt32(number), table)
      } else {
        try putEntry(bytes, table, Int(property.rawValue))
      }
    }
  }

  /// Puts a record with its checksum.
  private func put(_ record: [UInt8], _ id: ObjectID, _ table: ClassTable) throws {
    var record = record
    // LMDB: a page has room for it in any case.
    if record.count < 8 { record += [UInt8](repeating: 0, count: 8 - record.count) }
    let checksum = PageBytes.with(record) {
      Checksum.record(
        $0, hole: RecordLayout.checksumOffset, seed: table.resolved.checksumSeed(id))
    }
    record.overwrite(
      at: RecordLayout.checksumOffset,
      with: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) })
    let view = try table.session.requireWriting("fuzz")
    _ = try PageBytes.with(record) { bytes throws(LMDBError) in
      try view.put(table.objects, id.rawValue, bytes)
    }
  }

  private func changeOverflow(
    of id: ObjectID, _ table: ClassTable, _ input: inout FuzzInput
  ) throws {
    let number = Int(input.byte())
    let (offset, count) = (input.number(), Int(input.byte()))
    let change = input.bytes(count)
    let prefix = Self.bigEndian(id.rawValue, count: 8)
    guard let overflow = table.overflowTable else { return }
    let cursor = try table.session.view.cursor(overflow)
    var entries: [(key: [UInt8], bytes: [UInt8])] = []
    var isInside = try cursor.seek(atLeast: prefix)
    while isInside, cursor.key.hasPrefix(prefix), cursor.key.count == 16 {
      entries.append((cursor.key.array, cursor.value.array))
      isInside = try cursor.move(to: .next)
    }
    guard !entries.isEmpty else { return }
    var (key, bytes) = entries[number % entries.count]
    bytes.overwrite(at: offset, with: change)
    func word(_ range: Range<Int>) -> UInt32 { key[range].reduce(0) { $0 << 8 | UInt32($1) } }
    try putOverflow(bytes, of: id, PropertyID(rawValue: word(8..<12)), word(12..<16), table)
  }

  /// Puts an overflow entry with its checksum.
  private func putOverflow(
    _ bytes: [UInt8], of id: ObjectID, _ property: PropertyID, _ number: UInt32,
    _ table: ClassTable
  ) throws {
    guard let overflow = table.overflowTable else { return }
    let key =
      Self.bigEndian(id.rawValue, count: 8)
      + Self.bigEndian(UInt64(property.rawValue), count: 4)
      + Self.bigEndian(UInt64(number), count: 4)
    let padding = [UInt8](repeating: 0, count: max(0, 4 - bytes.count))
    let signed = OverflowWriter.signed(
      bytes + padding, seed: table.resolved.checksumSeed(id), property, number)
    try table.session.requireWriting("fuzz").put(overflow, key, signed)
  }

  /// Puts an entry of an index, whose checksum follows by itself. The first byte is the length of
  /// the key.
  private func putEntry(_ bytes: [UInt8], _ table: ClassTable, _ number: Int) throws {
    let indexes =
      [table.keys].compactMap(\.self) + table.indexes.sorted { $0.key < $1.key }.map(\.value)
      + table.classIndexes.map(\.table)
    guard !indexes.isEmpty, let length = bytes.first, bytes.count > 1 else { return }
    let key = Array(bytes.dropFirst().prefix(max(1, Int(length))))
    try table.session.requireWriting("fuzz").put(
      indexes[number % indexes.count], key, Array(bytes.dropFirst(1 + key.count)))
  }

  private static func bigEndian(_ number: UInt64, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }
}
