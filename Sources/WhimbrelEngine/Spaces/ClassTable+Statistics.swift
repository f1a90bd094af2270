package import WhimbrelLMDB

extension ClassTable {
  /// Calls `body` with the ID and record of each object, in the order of the IDs. The record is not
  /// verified. It is valid until `body` returns.
  ///
  /// - Complexity: O(*n*), in constant memory.
  package func forEachRecord(_ body: (ObjectID, PageBytes) throws -> Void) throws {
    try session.requireOpen()
    let cursor = try session.view.cursor(objects)
    var isInside = try cursor.move(to: .first)
    while isInside {
      try body(ObjectID(rawValue: cursor.integerKey), cursor.value)
      isInside = try cursor.move(to: .next)
    }
  }

  /// Returns the highest object ID, or nil if the class has no objects.
  package func lastObjectID() throws -> ObjectID? { try objectID(at: .last) }

  /// Returns the number of pages that the tables of the class take.
  package func pageCount() throws -> Int {
    try session.requireOpen()
    return try records.all.reduce(0) { try $0 + session.view.statistics($1).pages }
  }

  /// Returns the first link that leads to no object, as the object, the property and the target.
  /// Returns nil if there is no such link.
  ///
  /// - Complexity: O(*n* log *n*), in constant memory.
  package func firstDanglingLink() throws -> (id: ObjectID, property: Int, target: ObjectID)? {
    for position in resolved.links {
      guard let index = indexes[position],
        let target = try resolved.properties[position].type.linkedClass.map(session.table)
      else { continue }
      let cursor = try session.view.cursor(index)
      var known: ObjectID?
      var isInside = try cursor.move(to: .first)
      while isInside {
        let key = cursor.key
        // The entries are ordered by target, so each is looked up once.
        if key.count == 16, case let link = ObjectID(rawValue: key.loadBigEndian(at: 0)),
          link != known
        {
          guard try target.record(link) != nil else {
            return (ObjectID(rawValue: key.loadBigEndian(at: 8)), position, link)
          }
          known = link
        }
        isInside = try cursor.move(to: .next)
      }
    }
    return nil
  }
}

extension StoreFile {
  /// The size of a file and the use of its pages.
  package struct Statistics: Hashable, Sendable {
    /// The size in bytes.
    package let fileSize: Int
    package let pageSize: Int
    package let usedPages: Int
    package let freePages: Int
    /// The number of snapshots that other processes hold.
    package let otherReaders: Int
  }

  /// Returns the size of the file, from its tables and its free list.
  ///
  /// - Complexity: O(*tables* + *free pages*).
  package func statistics() throws -> Statistics {
    // The snapshot keeps the pages unchanged while they are read.
    let snapshot = try ReadTransaction(environment)
    let (structure, pages) = try FilePreflight.inspect(path) { ($0, try $0.checkCatalog()) }
    _ = consume snapshot
    return Statistics(
      fileSize: Int(structure.fileSize), pageSize: structure.pageSize,
      usedPages: Int(pages.usedPages), freePages: Int(pages.freePages),
      otherReaders: try environment.otherReaders())
  }
}

// MARK: - Pages by table

extension ClassTable {
  /// The pages of one index.
  package struct IndexPages {
    /// The names of the properties, most significant first.
    package let properties: [String]
    /// The kind of the index, or nil for the index of the primary key.
    package let kind: IndexKind?
    package let pages: Int
  }

  /// The numbers of pages of a class, by their content.
  package struct PageShares {
    package fileprivate(set) var records = 0
    package fileprivate(set) var overflow = 0
    /// The pages of the link indexes, which list the objects that link to an object.
    package fileprivate(set) var links = 0
    package fileprivate(set) var indexes: [IndexPages] = []
  }

  /// Returns the numbers of pages that the tables of the class take. The sum is ``pageCount()``.
  package func pageShares() throws -> PageShares {
    try session.requireOpen()
    var shares = PageShares()
    shares.records = try session.view.statistics(objects).pages
    shares.overflow = try overflowTable.map { try session.view.statistics($0).pages } ?? 0
    for index in records.indexes {
      let pages = try session.view.statistics(index.table).pages
      if case .links = index.entries {
        shares.links += pages
        continue
      }
      let kind: IndexKind? = index.isOfKey ? nil : index.values?.kind ?? .ordered
      shares.indexes.append(
        IndexPages(
          properties: index.positions.map { resolved.properties[$0].name }, kind: kind,
          pages: pages))
    }
    return shares
  }
}
