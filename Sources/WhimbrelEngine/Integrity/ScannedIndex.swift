internal import WhimbrelLMDB

/// An index as the check sees it: which entries it should have follows from the records.
struct ScannedIndex: Sendable {
  /// What an index is of.
  enum Content: Sendable {
    /// The primary key, at a position.
    case keys(Int)
    /// A property, at a position.
    case property(Int)
    /// An index of several properties, a unique or a full-text one.
    case values(ResolvedIndex)
  }

  let content: Content
  let table: Table
  /// What people call it: `index of 'area'`.
  let name: String
  /// The property that it is of, if it is one.
  let property: String?

  init(_ content: Content, _ table: Table, in resolved: ResolvedClass) {
    self.content = content
    self.table = table
    switch content {
    case .keys(let position):
      property = resolved.properties[position].name
      name = "primary key's index"
    case .property(let position):
      let name = resolved.properties[position].name
      property = name
      self.name = "index of '\(name)'"
    case .values(let index):
      property = nil
      name = "\(IndexSchema(index.positions.map { resolved.properties[$0].name }, index.kind))"
    }
  }

  /// What a finding about it is.
  var kind: IntegrityCheck.Finding.Kind { if case .keys = content { .primaryKey } else { .index } }

  /// The entries that follow from a record.
  ///
  /// - Throws: ``DamagedRecord`` or ``DamagedCollection``.
  func entries(
    of record: PageBytes, _ layout: ResolvedLayout, _ id: ObjectID, _ extents: Extents,
    in resolved: ResolvedClass
  ) throws -> [(key: [UInt8], content: [UInt8])] {
    switch content {
    case .keys(let position):
      var key: [UInt8] = []
      try resolved.appendKey(position, of: record, layout, extents, to: &key)
      var content: [UInt8] = []
      content.append(littleEndian: id.rawValue)
      return [(key, content)]
    case .property(let position):
      return try resolved.indexEntries(position, of: record, layout, id, extents)
        .map { ($0.key, $0.content) }
    case .values(let index):
      return try resolved.indexKeys(index, of: record, layout, id, extents).map { ($0, []) }
    }
  }

  /// The object that an entry is of, or nil when it has no room for one.
  func object(of key: PageBytes, _ value: PageBytes) -> ObjectID? {
    if case .keys = content {
      guard value.count == 8 else { return nil }
      return ObjectID(rawValue: UInt64(littleEndian: value.load(UInt64.self, at: 0)))
    }
    guard key.count >= 8 else { return nil }
    return ObjectID(rawValue: key.loadBigEndian(at: key.count - 8))
  }
}

/// How many entries an index has, and a sum of their hashes: two indexes with the same tally
/// have the same entries, whatever the order in which they were met.
///
/// The sum has 128 bits: damage that keeps it is not to be expected. It guards against faults, not
/// against who wants to deceive.
struct IndexTally: Hashable, Sendable {
  private(set) var count = 0
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Counts an entry.
  mutating func add(_ key: PageBytes, _ content: PageBytes) {
    count += 1
    low &+= Checksum.hash64(content, seed: Checksum.hash64(key, seed: 1))
    high &+= Checksum.hash64(content, seed: Checksum.hash64(key, seed: 2))
  }

  mutating func add(_ key: [UInt8], _ content: [UInt8]) {
    PageBytes.with(key) { key in PageBytes.with(content) { add(key, $0) } }
  }

  mutating func append(_ other: Self) {
    count += other.count
    low &+= other.low
    high &+= other.high
  }

  /// Counts all entries of a table.
  ///
  /// - Complexity: O(*n*).
  init(of table: Table, in view: ReadView) throws {
    let cursor = try view.cursor(table)
    var isInside = try cursor.move(to: .first)
    while isInside {
      add(cursor.key, cursor.value)
      isInside = try cursor.move(to: .next)
    }
  }

  init() {}
}
