internal import WhimbrelLMDB

/// The values that an index holds.
enum IndexSubject: Sendable {
  /// The primary key, at a position.
  case key(Int)
  /// The values of a property, or its links, at a position.
  case property(Int)
  /// The values of several properties, unique values, or words.
  case values(ResolvedIndex)

  /// The positions of the properties.
  var positions: [Int] {
    switch self {
    case .key(let position), .property(let position): [position]
    case .values(let index): index.positions
    }
  }
}

/// An index of a class with its table. Which entries it has follows from the records.
struct TableIndex: Sendable {
  let subject: IndexSubject
  let table: Table
  /// Whether an object may have several entries.
  private let hasManyEntries: Bool
  /// Whether it is of links, one an object at most.
  private let isLink: Bool

  init(_ subject: IndexSubject, _ table: Table, in resolved: ResolvedClass) {
    self.subject = subject
    self.table = table
    if case .property(let position) = subject {
      hasManyEntries = resolved.hasManyEntries(position)
      isLink = resolved.properties[position].type.linkTarget != nil
    } else {
      (hasManyEntries, isLink) = (false, false)
    }
  }

  /// Whether no two objects may have the same values, unless one is nil.
  var isUnique: Bool {
    if case .values(let index) = subject { index.kind == .unique } else { false }
  }

  /// Whether it is that of the primary key.
  var isOfKey: Bool { if case .key = subject { true } else { false } }

  /// Returns the length of all keys in an index whose entries have content, or nil.
  func keyLength(in resolved: ResolvedClass) -> Int? {
    guard hasManyEntries, case .property(let position) = subject else { return nil }
    return resolved.properties[position].type.linkedClass == nil ? 20 : 16
  }

  /// Calls `body` with each entry that follows from a record.
  ///
  /// - Parameters:
  ///   - scratch: where keys are made.
  ///   - body: is called with entries that are valid until it returns.
  /// - Throws: ``DamagedRecord``, ``DamagedCollection``, and what `body` throws.
  func forEachEntry(
    of record: PageBytes, _ layout: ResolvedLayout, _ id: ObjectID,
    _ extents: @autoclosure () throws -> Extents, in resolved: ResolvedClass,
    using scratch: inout KeyBuffer,
    _ body: (_ key: PageBytes, _ content: PageBytes) throws -> Void
  ) throws {
    scratch.removeAll()
    switch subject {
    case .key(let position):
      try layout.appendKey(position, of: record, extents(), isOptional: false, to: &scratch)
      var number = id.rawValue.littleEndian
      try PageBytes.with(&number) { try body(scratch.bytes, $0) }
    case .property(let position) where hasManyEntries:
      for entry in try resolved.indexEntries(position, of: record, layout, id, extents()) {
        try PageBytes.with(entry.key) { key in
          try PageBytes.with(entry.content) { try body(key, $0) }
        }
      }
    case .property(let position):
      try layout.appendKey(position, of: record, extents(), isOptional: true, to: &scratch)
      // One byte is nil, and links that are nil have no entry.
      if isLink, scratch.count == 1 { return }
      KeyEncoding.append(id, to: &scratch)
      try body(scratch.bytes, .empty)
    case .values(let index) where index.kind == .fullText:
      for key in try resolved.indexKeys(index, of: record, layout, id, extents()) {
        try PageBytes.with(key) { try body($0, .empty) }
      }
    case .values(let index):
      try resolved.appendIndexKey(index, of: record, layout, id, extents(), to: &scratch)
      try body(scratch.bytes, .empty)
    }
  }

  /// The object that an entry is of, or nil when it has no room for one.
  func object(of key: PageBytes, _ value: PageBytes) -> ObjectID? {
    if case .key = subject {
      guard value.count == 8 else { return nil }
      return ObjectID(rawValue: UInt64(littleEndian: value.load(UInt64.self, at: 0)))
    }
    guard key.count >= 8 else { return nil }
    return ObjectID(rawValue: key.loadBigEndian(at: key.count - 8))
  }
}

// MARK: - Messages

extension TableIndex {
  /// Returns the name that messages use, such as `index of 'area'`.
  func name(in resolved: ResolvedClass) -> String {
    switch subject {
    case .key: "primary key's index"
    case .property(let position): "index of '\(resolved.properties[position].name)'"
    case .values(let index):
      "\(IndexSchema(index.positions.map { resolved.properties[$0].name }, index.kind))"
    }
  }
}
