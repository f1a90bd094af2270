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
  /// Whether it is of links.
  private let holdsLinks: Bool

  init(_ content: Content, _ table: Table, in resolved: ResolvedClass) {
    self.content = content
    self.table = table
    switch content {
    case .keys(let position):
      property = resolved.properties[position].name
      holdsLinks = false
      name = "primary key's index"
    case .property(let position):
      let name = resolved.properties[position].name
      property = name
      holdsLinks = resolved.properties[position].type.holdsLinks
      self.name = "index of '\(name)'"
    case .values(let index):
      property = nil
      holdsLinks = false
      name = "\(IndexSchema(index.positions.map { resolved.properties[$0].name }, index.kind))"
    }
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
    of record: PageBytes, _ layout: ResolvedLayout, _ id: ObjectID, _ extents: Extents,
    in resolved: ResolvedClass, using scratch: inout [UInt8],
    _ body: (_ key: PageBytes, _ content: PageBytes) -> Void
  ) throws {
    scratch.removeAll(keepingCapacity: true)
    switch content {
    case .keys(let position):
      try layout.appendKey(position, of: record, extents, isOptional: false, to: &scratch)
      var number = id.rawValue.littleEndian
      PageBytes.with(scratch) { key in PageBytes.with(&number) { body(key, $0) } }
    case .property(let position) where holdsLinks:
      for entry in try resolved.indexEntries(position, of: record, layout, id, extents) {
        PageBytes.with(entry.key) { key in PageBytes.with(entry.content) { body(key, $0) } }
      }
    case .property(let position):
      try layout.appendKey(position, of: record, extents, isOptional: true, to: &scratch)
      KeyEncoding.append(id, to: &scratch)
      PageBytes.with(scratch) { key in PageBytes.with([]) { body(key, $0) } }
    case .values(let index) where index.kind == .fullText:
      for key in try resolved.indexKeys(index, of: record, layout, id, extents) {
        PageBytes.with(key) { key in PageBytes.with([]) { body(key, $0) } }
      }
    case .values(let index):
      try resolved.appendIndexKey(index, of: record, layout, id, extents, to: &scratch)
      PageBytes.with(scratch) { key in PageBytes.with([]) { body(key, $0) } }
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
    sum &+= Checksum.hash64(content, seed: Checksum.hash64(key, seed: 1))
  }

  mutating func append(_ other: Self) {
    count += other.count
    sum &+= other.sum
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
