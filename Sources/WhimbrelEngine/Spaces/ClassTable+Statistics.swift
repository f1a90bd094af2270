package import WhimbrelLMDB

extension ClassTable {
  /// Calls `body` with each object's ID and record, in the order of the IDs. The
  /// record is not checked; it is valid until `body` returns.
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

  /// Returns how many pages the objects, their keys and their indexes take.
  package func pageCount() throws -> Int {
    try session.requireOpen()
    return try records.all.reduce(0) { try $0 + session.view.statistics($1).pages }
  }

  /// Returns the first link that leads to no object, as the object and its property, or
  /// nil if all are whole.
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
  /// The size of a file.
  package struct Statistics: Hashable, Sendable {
    /// The size in bytes.
    package let fileSize: Int
    package let pageSize: Int
    package let usedPages: Int
    package let freePages: Int
    /// How many snapshots other processes hold.
    package let otherReaders: Int
  }

  /// Returns the size of the file, by what its tables and its free list say.
  ///
  /// - Complexity: O(*tables* + *free pages*).
  package func statistics() throws -> Statistics {
    let structure: FileStructure
    let pages: FileStructure.PageCount
    // Keeps the pages that are walked over as they are.
    let snapshot = try ReadTransaction(environment)
    do throws(FileStructure.Failure) {
      structure = try FileStructure.inspect(path: path)
      pages = try structure.checkCatalog()
    } catch {
      throw FilePreflight.explain(error, path)
    }
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
    /// The kind of the index, or nil for that of the primary key.
    package let kind: IndexKind?
    package let pages: Int
  }

  /// The pages of a class by what they hold.
  package struct PageShares {
    package fileprivate(set) var records = 0
    package fileprivate(set) var overflow = 0
    /// The pages of the tables that say which objects link to an object.
    package fileprivate(set) var links = 0
    package fileprivate(set) var indexes: [IndexPages] = []
  }

  /// Returns how many pages the tables of the class take. The sum is ``pageCount()``.
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
          properties: index.subject.positions.map { resolved.properties[$0].name }, kind: kind,
          pages: pages))
    }
    return shares
  }
}
