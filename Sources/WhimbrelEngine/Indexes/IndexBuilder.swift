internal import WhimbrelLMDB

/// The objects of a class whose indexes are built, and the destination of the entries.
protocol IndexedObjects: AnyObject {
  var resolved: ResolvedClass { get }
  /// The path beside which temporary files are created.
  var spillPath: String { get }

  func record(_ id: ObjectID) throws -> PageBytes?
  func value(_ position: Int, of record: PageBytes, _ id: ObjectID) throws -> PropertyValue

  func layout(of record: PageBytes, _ id: ObjectID) throws -> ResolvedLayout
  func overflow(of record: PageBytes, _ id: ObjectID) throws -> Overflow
  /// Calls `body`, and adds the object to errors about its record.
  func explaining<Result>(_ id: ObjectID, _ body: () throws -> Result) throws -> Result

  func append(_ key: PageBytes, _ content: PageBytes, to table: Table) throws
  /// Returns the error for objects with the same primary key. `total` counts all such keys.
  func duplicateKeys(
    _ position: Int, _ groups: [(value: PropertyValue, objects: [ObjectID])], total: Int
  ) -> StoreError
  /// Returns the error for objects with the same values in a unique index. `total` counts all such
  /// values.
  func duplicateValues(
    _ index: ResolvedIndex, _ groups: [(values: [PropertyValue], objects: [ObjectID])], total: Int
  ) -> StoreError
}

/// A builder of one index. It takes any number of objects in any order, sorts their entries and
/// writes them in order.
final class IndexBuilder {
  /// An object that repeats a unique value of an earlier object.
  struct Repeat {
    let id: ObjectID
    let existing: ObjectID
  }

  let index: TableIndex
  /// The repeat with the smallest object ID. Set when the table has been written.
  private(set) var earliestRepeat: Repeat?
  // Safe: all calls come one after another on one thread.
  @safe @exclusivity(unchecked) private var sorter: ExternalSorter
  @safe @exclusivity(unchecked) private var scratch = KeyBuffer()
  @safe @exclusivity(unchecked) private var item = KeyBuffer()

  /// The progress of building the indexes of a class, in objects. The objects are read once, and
  /// then each index is written.
  struct Progress {
    let objects: Int
    let indexes: Int

    func reading(_ count: Int) -> Int { count / (indexes + 1) }

    /// Returns the progress when some of the entries of an index are written, after the indexes
    /// before it.
    func writing(_ index: Int, _ count: Int, of entries: Int) -> Int {
      (objects * (index + 1) + objects * count / entries) / (indexes + 1)
    }
  }

  /// The memory that all builders of a class share, in bytes.
  private static let memory = 16 << 20

  /// - Parameter share: The number of builders that share the memory.
  init(_ index: TableIndex, share: Int) {
    self.index = index
    sorter = ExternalSorter(memory: max(Self.memory / max(share, 1), 1 << 20))
  }

  func add(
    _ record: PageBytes, _ id: ObjectID, _ entry: some IndexedObjects
  ) throws {
    let layout = try entry.layout(of: record, id)
    try entry.explaining(id) {
      try add(
        record, layout, id, try entry.overflow(of: record, id), in: entry.resolved,
        spillingBeside: entry.spillPath)
    }
  }

  /// Adds the entries of an object.
  ///
  /// - Parameter path: The path beside which temporary files are created.
  /// - Throws: ``DamagedRecord``, which does not name the object.
  func add(
    _ record: PageBytes, _ layout: ResolvedLayout, _ id: ObjectID,
    _ overflow: @autoclosure () throws -> Overflow, in resolved: ResolvedClass,
    spillingBeside path: String
  ) throws {
    let isKey = index.isOfKey
    try index.forEachEntry(
      of: record, layout, id, overflow(), in: resolved, using: &scratch
    ) { key, content in
      item.removeAll()
      item.append(key)
      // The ID makes the entries of equal primary keys distinct and adjacent, so that
      // `write(for:_:)` can report them.
      if isKey { KeyEncoding.append(id, to: &item) } else { item.append(content) }
      try sorter.add(item.bytes, spillingBeside: path)
    }
  }

  var isEmpty: Bool { sorter.count == 0 }

  /// Removes all entries.
  func removeAll() { if !isEmpty { sorter.removeAll() } }

  /// Puts the sorted entries into their table, which may have other entries. The values are not
  /// unique.
  ///
  /// - Parameter path: The path that was passed with each object.
  func put(in view: WriteView, of resolved: ResolvedClass, spillingBeside path: String) throws {
    guard !isEmpty else { return }
    let cursor = try view.reading.cursor(index.table)
    let keyLength = index.keyLength(in: resolved)
    let end = try cursor.move(to: .last) ? cursor.key.array : []
    var isBehindEnd = end.isEmpty
    try sorter.drain(spillingBeside: path) { item in
      let (key, content) = Self.split(item, keyLength)
      isBehindEnd = isBehindEnd || PageBytes.with(end) { $0.precedes(key) }
      try cursor.put(key, content, isLast: isBehindEnd)
    }
  }

  /// Splits an item into the key of its entry and its content.
  private static func split(
    _ item: PageBytes, _ keyLength: Int?
  ) -> (key: PageBytes, content: PageBytes) {
    let length = min(keyLength ?? item.count, item.count)
    guard let key = item.slice(at: 0, count: length),
      let content = item.slice(at: length, count: item.count - length)
    else { preconditionFailure("An entry is shorter than itself.") }
    return (key, content)
  }

  /// Writes the sorted entries to the table.
  ///
  /// - Parameter didWrite: Called with the number of entries that are written, and of all.
  /// - Throws: The owner's error if objects have the same unique values, and any error from reading
  ///   or writing.
  func write(
    for entry: some IndexedObjects, _ didWrite: (_ count: Int, _ total: Int) throws -> Void
  ) throws {
    var duplicates = Duplicates()
    var duplicateValues = DuplicateValues(index.subject)
    var previous: [UInt8] = []
    var count = 0
    let total = sorter.count
    let keyLength = index.keyLength(in: entry.resolved)
    try sorter.drain(spillingBeside: entry.spillPath) { key in
      count += 1
      if index.isOfKey {
        let (value, id) = key.split()
        if previous.count == key.count,
          PageBytes.with(previous, { $0.split().value.isEqual(to: value) })
        {
          duplicates.add(previous, key.array)
        } else if duplicates.isEmpty {
          var number = id.rawValue.littleEndian
          try PageBytes.with(&number) { try entry.append(value, $0, to: index.table) }
        }
        previous.removeAll(keepingCapacity: true)
        previous.append(key)
      } else {
        try duplicateValues?.add(key, in: entry)
        let (name, content) = Self.split(key, keyLength)
        try entry.append(name, content, to: index.table)
      }
      try didWrite(count, total)
    }
    earliestRepeat = duplicates.earliest ?? duplicateValues?.earliest
    if case .key(let position) = index.subject, !duplicates.isEmpty {
      throw try duplicates.error(in: entry, position)
    }
    if let error = try duplicateValues?.error(in: entry) { throw error }
  }
}

extension [UInt8] {
  /// Splits a key of an index into the encoded values and the object ID.
  func split() -> (value: ArraySlice<UInt8>, id: ObjectID) {
    let id = suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return (dropLast(8), ObjectID(rawValue: id))
  }
}

extension PageBytes {
  /// Splits a key of an index into the encoded values and the object ID.
  func split() -> (value: PageBytes, id: ObjectID) {
    guard let value = slice(at: 0, count: count - 8) else {
      preconditionFailure("A key is shorter than an object ID.")
    }
    return (value, ObjectID(rawValue: loadBigEndian(at: count - 8)))
  }
}

/// A collector of objects with the same primary key.
private struct Duplicates {
  private var groups: [[ObjectID]] = []
  private var lastValue: ArraySlice<UInt8> = []
  private var total = 0
  private(set) var earliest: IndexBuilder.Repeat?

  /// The limit on the values that the error lists, and on the objects listed for each.
  private static let limit = 10

  var isEmpty: Bool { total == 0 }

  mutating func add(_ first: [UInt8], _ second: [UInt8]) {
    let (value, id) = second.split()
    if earliest.map({ id < $0.id }) ?? true {
      earliest = IndexBuilder.Repeat(id: id, existing: first.split().id)
    }
    if lastValue != value {
      total += 1
      lastValue = value
      if groups.count < Self.limit { groups.append([first.split().id]) }
    }
    if total <= Self.limit, groups[groups.count - 1].count < Self.limit {
      groups[groups.count - 1].append(id)
    }
  }

  func error(in entry: some IndexedObjects, _ position: Int) throws -> StoreError {
    let named = try groups.map { ids in
      let value = try ids.first.flatMap { id in
        try entry.record(id).map { try entry.value(position, of: $0, id) }
      }
      return (value: value ?? .null, objects: ids)
    }
    return entry.duplicateKeys(position, named, total: total)
  }
}
