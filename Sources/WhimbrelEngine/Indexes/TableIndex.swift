package import WhimbrelLMDB

/// The properties that an index covers.
enum IndexSubject: Sendable {
  /// The primary key, at a position.
  case key(Int)
  /// The values or links of one property, at a position.
  case property(Int)
  /// A ``ResolvedIndex``: several properties, unique values, or words.
  case values(ResolvedIndex)

  var positions: [Int] {
    switch self {
    case .key(let position), .property(let position): [position]
    case .values(let index): index.positions
    }
  }

  fileprivate func isBuilding(_ transition: ClassTransition, in resolved: ResolvedClass) -> Bool {
    switch self {
    case .key: false
    case .property(let position):
      transition.buildingProperties.contains(resolved.properties[position].id)
    case .values(let index): transition.buildingIndexes.contains(index.entry.id)
    }
  }
}

extension [TableIndex] {
  /// Returns the index of a property's values or links, or nil.
  func ofProperty(_ position: Int) -> TableIndex? {
    first { if case .property(position) = $0.subject { true } else { false } }
  }
}

extension ResolvedClass {
  /// The subjects of the indexes of the class, with the names of their tables: the primary key
  /// first, then single properties, then the others.
  var indexTables: [(subject: IndexSubject, name: TableName)] {
    var tables: [(IndexSubject, TableName)] = []
    if let position = primaryKeyIndex, !entry.isClustered {
      tables.append((.key(position), TableNames.key(entry, properties[position].id)))
    }
    for (position, property) in properties.enumerated()
    where property.hasIndex && property.scope != .appOnly {
      tables.append((.property(position), TableNames.index(entry, property.id)))
    }
    return tables
      + indexes.map { (.values($0), TableNames.index(entry, $0.entry.id)) }
  }

  /// Returns the indexes whose tables `open` finds, in order.
  func openIndexes(_ open: (TableName) throws -> Table?) rethrows -> [TableIndex] {
    try indexTables.compactMap { subject, name in
      try open(name).map { TableIndex(subject, $0, in: self) }
    }
  }
}

/// The kinds of index entries.
enum IndexEntries: Equatable, Sendable {
  /// The objects themselves. Their IDs are the primary keys.
  case objects
  /// Key: the value of the primary key. Content: the object ID.
  case primaryKey
  /// Key: the values and the object ID. Content: none. Each value, links included, starts with a
  /// byte that states whether it is nil.
  case values
  /// Key: a word and the object ID. Content: none.
  case words
  /// Key: the target of a link and the object ID. Content: the number of such links. A nil link
  /// does not have an entry. If `isMany`, an object may have several entries.
  case links(isMany: Bool)

  /// Whether each object has exactly one entry, sorted by its values.
  var areInOrder: Bool {
    switch self {
    case .objects, .primaryKey, .values: true
    case .links, .words: false
    }
  }

  /// Whether keys start with a byte that marks nil, or are those of links.
  var haveMarkedKeys: Bool { self != .objects && self != .primaryKey }

  /// Whether keys consist of values, which conditions search for.
  var areOfValues: Bool { self != .words }
}

/// An index of a class with its table. The records of the class determine its entries.
package struct TableIndex: Sendable {
  let subject: IndexSubject
  /// The positions of the properties that the index covers.
  let positions: [Int]
  let entries: IndexEntries
  package let table: Table
  /// Whether the index is incomplete because objects are not yet converted. Queries do not use it,
  /// and records that are not converted do not have entries.
  let isBuilding: Bool

  init(_ subject: IndexSubject, _ table: Table, in resolved: ResolvedClass) {
    self.subject = subject
    positions = subject.positions
    self.table = table
    isBuilding = resolved.entry.transition.map { subject.isBuilding($0, in: resolved) } ?? false
    entries =
      switch subject {
      case .key: .primaryKey
      case .property(let position) where resolved.properties[position].type.holdsLinks:
        .links(isMany: resolved.hasManyEntries(position))
      case .values(let index) where index.kind == .fullText: .words
      case .property, .values: .values
      }
  }

  /// The index of the subject if it is a ``ResolvedIndex``, otherwise nil.
  var values: ResolvedIndex? { if case .values(let index) = subject { index } else { nil } }

  /// Whether two objects must not have the same values. Values that include nil may repeat.
  var isUnique: Bool { values?.kind == .unique }

  var isOfKey: Bool { entries == .primaryKey }

  /// Returns the length of the keys of an index whose entries have content. Returns nil for other
  /// indexes.
  func keyLength(in resolved: ResolvedClass) -> Int? {
    guard entries == .links(isMany: true), case .property(let position) = subject else {
      return nil
    }
    return resolved.properties[position].type.linkedClass == nil ? 20 : 16
  }

  /// Calls `body` with each entry of a record. In an index that is being built, a record that is
  /// not yet converted does not have entries.
  ///
  /// - Parameters:
  ///   - scratch: A buffer for keys.
  ///   - body: A closure that receives an entry, which is valid until it returns.
  /// - Throws: ``DamagedRecord``, and errors that `body` throws.
  func forEachEntry(
    of record: PageBytes, _ layout: ResolvedLayout, _ id: ObjectID,
    _ overflow: @autoclosure () throws -> Overflow, in resolved: ResolvedClass,
    using scratch: inout KeyBuffer,
    _ body: (_ key: PageBytes, _ content: PageBytes) throws -> Void
  ) throws {
    if isBuilding, resolved.isStale(record) { return }
    scratch.removeAll()
    switch subject {
    case .key(let position):
      try layout.appendKey(position, of: record, overflow(), isOptional: false, to: &scratch)
      var number = id.rawValue.littleEndian
      try PageBytes.with(&number) { try body(scratch.bytes, $0) }
    case .property(let position) where entries == .links(isMany: true):
      for entry in try resolved.indexEntries(position, of: record, layout, id, overflow()) {
        try PageBytes.with(entry.key) { key in
          try PageBytes.with(entry.content) { try body(key, $0) }
        }
      }
    case .property(let position):
      try layout.appendKey(position, of: record, overflow(), isOptional: true, to: &scratch)
      // A key of one byte means nil, and a nil link does not have an entry.
      if entries != .values, scratch.count == 1 { return }
      KeyEncoding.append(id, to: &scratch)
      try body(scratch.bytes, .empty)
    case .values(let index) where entries == .words:
      for key in try resolved.indexKeys(index, of: record, layout, id, overflow()) {
        try PageBytes.with(key) { try body($0, .empty) }
      }
    case .values(let index):
      try resolved.appendIndexKey(index, of: record, layout, id, overflow(), to: &scratch)
      try body(scratch.bytes, .empty)
    }
  }

  /// Returns the object of an entry, or nil if the entry is too short to contain an object ID.
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
