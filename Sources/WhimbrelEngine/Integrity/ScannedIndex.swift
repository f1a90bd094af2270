internal import WhimbrelLMDB

/// An index as the check sees it: which entries it should have follows from the records.
final class ScannedIndex: Sendable {
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
  /// Whether an object may have several entries.
  private let hasManyEntries: Bool
  /// Whether it is of links, one an object at most.
  private let isLink: Bool

  init(_ content: Content, _ table: Table, in resolved: ResolvedClass) {
    self.content = content
    self.table = table
    switch content {
    case .keys(let position):
      property = resolved.properties[position].name
      (hasManyEntries, isLink) = (false, false)
      name = "primary key's index"
    case .property(let position):
      let name = resolved.properties[position].name
      property = name
      hasManyEntries = resolved.hasManyEntries(position)
      isLink = resolved.properties[position].type.linkTarget != nil
      self.name = "index of '\(name)'"
    case .values(let index):
      property = nil
      (hasManyEntries, isLink) = (false, false)
      name = "\(IndexSchema(index.positions.map { resolved.properties[$0].name }, index.kind))"
    }
  }

  /// Whether no two objects may have the same values.
  var isUnique: Bool {
    if case .values(let index) = content { index.kind == .unique } else { false }
  }

  /// What a finding about it is.
  var kind: IntegrityCheck.Finding.Kind { if case .keys = content { .primaryKey } else { .index } }

  /// The entries that follow from a record.
  ///
  /// - Parameters:
  ///   - scratch: where keys are made.
  ///   - body: is called with each, which is valid until it returns.
  /// - Throws: ``DamagedRecord`` or ``DamagedCollection``.
  func forEachEntry(
    of record: PageBytes, _ layout: ResolvedLayout, _ id: ObjectID,
    _ extents: @autoclosure () -> Extents, in resolved: ResolvedClass,
    using scratch: inout KeyBuffer,
    _ body: (_ key: PageBytes, _ content: PageBytes) -> Void
  ) throws {
    scratch.removeAll()
    switch content {
    case .keys(let position):
      try layout.appendKey(position, of: record, extents(), isOptional: false, to: &scratch)
      var number = id.rawValue.littleEndian
      PageBytes.with(&number) { body(scratch.bytes, $0) }
    case .property(let position) where hasManyEntries:
      for entry in try resolved.indexEntries(position, of: record, layout, id, extents()) {
        PageBytes.with(entry.key) { key in PageBytes.with(entry.content) { body(key, $0) } }
      }
    case .property(let position):
      try layout.appendKey(position, of: record, extents(), isOptional: true, to: &scratch)
      // One byte is nil, and links that are nil have no entry.
      if isLink, scratch.count == 1 { return }
      KeyEncoding.append(id, to: &scratch)
      body(scratch.bytes, .empty)
    case .values(let index) where index.kind == .fullText:
      for key in try resolved.indexKeys(index, of: record, layout, id, extents()) {
        PageBytes.with(key) { body($0, .empty) }
      }
    case .values(let index):
      try resolved.appendIndexKey(index, of: record, layout, id, extents(), to: &scratch)
      body(scratch.bytes, .empty)
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
/// The sum has 64 bits: damage that keeps it is not to be expected. It guards against faults, not
/// against who wants to deceive.
struct IndexTally: Hashable, Sendable {
  private(set) var count = 0
  private var sum: UInt64 = 0

  /// Counts an entry.
  mutating func add(_ key: PageBytes, _ content: PageBytes) {
    count += 1
    let hash = Checksum.hash64(key, seed: 1)
    // Most entries are keys alone.
    sum &+= content.count == 0 ? hash : Checksum.hash64(content, seed: hash)
  }

  mutating func append(_ other: Self) {
    count += other.count
    sum &+= other.sum
  }

}

/// What an index holds.
struct IndexContent: Sendable {
  private(set) var tally = IndexTally()
  /// Whether entries of several objects have the same values.
  private(set) var repeatsValues = false

  /// Nothing.
  init() {}

  /// Reads all entries of an index.
  ///
  /// - Complexity: O(*n*).
  init(of index: ScannedIndex, in view: ReadView) throws {
    let cursor = try view.cursor(index.table)
    var tally = IndexTally()
    var repeats = false
    if index.isUnique {
      var previous = PageBytes.empty
      try cursor.forEachEntry { key, content in
        tally.add(key, content)
        if key.count == previous.count, key.count > 8, !repeats {
          repeats = key.hasEqualStart(previous, count: key.count - 8)
        }
        previous = key
      }
    } else {
      try cursor.forEachEntry { tally.add($0, $1) }
    }
    (self.tally, repeatsValues) = (tally, repeats)
  }
}
