internal import Foundation
internal import WhimbrelLMDB

/// A temporary store for records in the order in which they are found. Its indexes hold only the
/// unique values taken so far.
final class SalvageStore {
  let file: StoreFile
  let classes: [SalvagedClass]
  private let temporary: TemporaryFile
  private var tables: [String: Table]
  private var writing: WriteTransaction?
  private var view: WriteView?
  private var waiting = 0

  /// The bytes after which a transaction commits.
  private static let batchSize = 4 << 20

  /// Creates the temporary store.
  ///
  /// - Parameters:
  ///   - map: The structure of the damaged file.
  ///   - output: The path of the new store, beside which the temporary one is.
  init(_ map: SalvageMap, beside output: String) throws {
    temporary = try TemporaryFile(.salvage, beside: output)
    let path = temporary.path
    let catalog = map.catalog.guarded
    var options = Environment.Options()
    options.syncsMetaPage = false
    try Environment.create(path: path, options: options) { environment in
      try environment.writeFirst(
        catalog, map.header, transition: catalog.isInTransition ? map.transition : nil)
    }
    let lease = try Environment.open(path: path, options: options)
    file = StoreFile(path: path, isReadOnly: false, lease: lease)
    tables = try lease.environment.openTables(catalog.tableNames)
    let found = tables
    classes = catalog.classes.compactMap { SalvagedClass(ResolvedClass($0), map, found) }
  }

  deinit {
    view = nil
    writing.take()?.abort()
    temporary.remove()
  }

  /// Returns the view of the current write transaction, and begins one if necessary.
  func writeView() throws -> WriteView {
    if let view { return view }
    try file.environment.ensureRoom(64 << 20)
    let transaction = try WriteTransaction(file.environment)
    let view = transaction.view
    writing = consume transaction
    self.view = view
    return view
  }

  /// Counts bytes written, and commits when the batch is full.
  func didWrite(_ count: Int) throws {
    waiting += count
    if waiting >= Self.batchSize { try commit() }
  }

  /// Commits the current transaction, if there is one.
  func commit() throws {
    view = nil
    waiting = 0
    try writing.take()?.commit()
  }
}

/// A class and the objects found so far.
final class SalvagedClass {
  let resolved: ResolvedClass
  let objects: Table
  let overflow: Table
  private let keys: Table?
  private let uniques: [(index: ResolvedIndex, table: Table)]
  /// The number of objects that the file records, if it is plausible.
  let expected: UInt64?
  /// The root pages in the damaged file.
  let objectsRoot: UInt64?
  let overflowRoot: UInt64?
  /// The numbers of objects taken, by the place where they were found.
  var byTree = 0
  var bySearch = 0
  /// The objects with a damaged part.
  var damaged: Set<ObjectID> = []
  /// The objects that were met in a shape that the catalog does not have. Some may have been
  /// converted or deleted since.
  var unknownShapes: Set<ObjectID> = []
  /// Whether the class table was read completely, so that every other record is an old one.
  var isWhole = false
  /// The objects found, in whole or in part, where deleted ones or old values may be. Those with an
  /// uncertain overflow entry are added when it is known whether their record refers to the entry.
  var uncertain: Set<ObjectID> = []
  /// The overflow entries found where old ones may be: of an earlier version of their object, or of a
  /// deleted object.
  private var uncertainOverflow: Set<OverflowKey> = []
  /// The number of these in the new store.
  var keptUncertain = 0
  /// The number of embedded objects that lost their owners.
  var orphans = 0
  var lostLinks = 0
  /// The number of objects in the new store.
  var kept = 0

  fileprivate init?(_ resolved: ResolvedClass, _ map: SalvageMap, _ tables: [String: Table]) {
    let entry = resolved.entry
    let names = (
      objects: TableNames.objects(entry).name,
      overflow: TableNames.overflow(entry).name
    )
    guard let objects = tables[names.objects], let overflow = tables[names.overflow] else {
      return nil
    }
    self.resolved = resolved
    self.objects = objects
    self.overflow = overflow
    keys = resolved.primaryKeyIndex.flatMap {
      tables[TableNames.key(entry, resolved.properties[$0].id).name]
    }
    uniques = resolved.indexes.filter { $0.kind == .unique }.compactMap { index in
      tables[TableNames.index(entry, index.entry.id).name].map { (index, $0) }
    }
    let root = map.tables[names.objects]
    // The older meta page counts the objects of an earlier commit. Larger numbers are impossible.
    expected =
      map.origin == .olderMetaPage ? nil : root.map(\.entries).flatMap { $0 < 1 << 40 ? $0 : nil }
    objectsRoot = root?.page
    overflowRoot = map.tables[names.overflow]?.page
  }

  /// Returns whether bytes are the record of an object of this class, by layout and checksum.
  func isRecord(_ record: PageBytes, _ id: ObjectID) -> Bool {
    resolved.layout(of: record) != nil && resolved.hasChecksum(record, id)
  }

  /// Notes an object and returns true if bytes are its record, by the checksum, but have a layout
  /// that the class does not have.
  ///
  /// The catalog is then from after a transition that had not converted the object, or from before
  /// one that had.
  @discardableResult
  func noteUnknownShape(_ record: PageBytes?, _ id: ObjectID) -> Bool {
    guard let record, record.count >= 8 else { return false }
    let number = Int(record.layoutID.rawValue)
    guard number >= resolved.layouts.count || resolved.layouts[number] == nil,
      resolved.hasChecksum(record, id)
    else { return false }
    unknownShapes.insert(id)
    return true
  }

  /// Returns whether bytes are an overflow entry of an object of this class.
  func isOverflowEntry(_ overflowEntry: PageBytes, key: PageBytes) -> Bool {
    let property = PropertyID(rawValue: UInt32(truncatingIfNeeded: key.loadBigEndian(at: 8) >> 32))
    let number = UInt32(truncatingIfNeeded: key.loadBigEndian(at: 8))
    let seed = resolved.checksumSeed(ObjectID(rawValue: key.loadBigEndian(at: 0)))
    return OverflowWriter.isSound(overflowEntry, seed: seed, property, number)
  }

  /// Takes a record and returns true, unless the object already has one, or another object has its
  /// primary key or unique values.
  func take(_ record: PageBytes, _ id: ObjectID, into store: SalvageStore) throws -> Bool {
    let view = try store.writeView()
    guard try view.reading.value(objects, id.rawValue) == nil,
      let layout = resolved.layout(of: record)
    else { return false }
    let stored = Overflow(view.reading, overflow, id, seed: nil)
    var number: [UInt8] = []
    number.append(littleEndian: id.rawValue)
    var taken: [(Table, [UInt8])] = []
    for (table, key) in uniqueKeys(record, layout, stored) {
      let isNew = try PageBytes.with(key) { key throws(LMDBError) in
        try PageBytes.with(number) { number throws(LMDBError) in
          try view.put(table, key, number, .ifAbsent)
        }
      }
      guard isNew else {
        // A record that is not taken must not keep its other keys: the object may have another one.
        for (table, key) in taken {
          try PageBytes.with(key) { key throws(LMDBError) in _ = try view.remove(table, key) }
        }
        return false
      }
      taken.append((table, key))
    }
    try view.put(objects, id.rawValue, record)
    try store.didWrite(record.count + 64)
    return true
  }

  /// Returns the keys that no two objects may share. Unreadable values are left out.
  private func uniqueKeys(
    _ record: PageBytes, _ layout: ResolvedLayout, _ overflow: Overflow
  ) -> [(Table, [UInt8])] {
    var found: [(Table, [UInt8])] = []
    if let position = resolved.primaryKeyIndex, let keys {
      var key: [UInt8] = []
      let isRead: Void? = try? resolved.appendKey(position, of: record, layout, overflow, to: &key)
      if isRead != nil, !key.isEmpty { found.append((keys, key)) }
    }
    for unique in uniques {
      guard let values = try? resolved.values(unique.index, of: record, layout, overflow),
        !values.contains(where: \.isNull)
      else { continue }
      found.append((unique.table, unique.index.prefix(values)))
    }
    return found
  }

  /// Takes an overflow entry, unless its key is already taken.
  ///
  /// - Parameter isCertain: Whether the entry was found where no old ones are.
  func takeOverflowEntry(
    _ overflowEntry: PageBytes, key: PageBytes, isCertain: Bool, into store: SalvageStore
  ) throws {
    let isNew = try store.writeView().put(overflow, key, overflowEntry, .ifAbsent)
    if isNew, !isCertain {
      uncertainOverflow.insert(
        OverflowKey(object: key.loadBigEndian(at: 0), entry: key.loadBigEndian(at: 8)))
    }
    try store.didWrite(overflowEntry.count + 64)
  }

  /// Returns whether an overflow entry was found where old ones may be.
  func isUncertain(_ id: ObjectID, _ property: PropertyID, _ number: UInt32) -> Bool {
    if uncertainOverflow.isEmpty { return false }
    let entry = UInt64(property.rawValue) << 32 | UInt64(number)
    return uncertainOverflow.contains(OverflowKey(object: id.rawValue, entry: entry))
  }

  /// The key of an overflow entry: the object ID, and the property ID with the number.
  private struct OverflowKey: Hashable {
    let object: UInt64
    let entry: UInt64
  }
}
