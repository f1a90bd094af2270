internal import WhimbrelLMDB

extension StoreFile {
  /// Upgrades a file from format 1 to format 2. Read-only openers never do.
  ///
  /// Format 2 adds an overflow table for each class. Records stay as they are. A file gets format 3
  /// with the first schema that needs it: see ``Header/setFormat(for:)``.
  func upgradeFormat(_ request: OpenRequest) throws {
    guard !isReadOnly, try format() < Header.baseFormat else { return }
    try asMigrator(for: request) {
      do {
        // Another process may have upgraded the file meanwhile.
        guard try format() < Header.baseFormat else { return }
        try upgrade()
      } catch {
        throw explain(error)
      }
    }
  }

  private func format() throws -> UInt32 {
    let transaction = try ReadTransaction(environment)
    let format = try header(in: transaction.view).formatVersion
    _ = consume transaction
    return format
  }

  private func upgrade() throws {
    let transaction = try ReadTransaction(environment)
    let loaded = try catalog(in: transaction.view)
    _ = consume transaction
    _ = try environment.createTables(
      loaded.catalog.classes.map { TableNames.overflow($0.id, $0.generation) })
    var header = loaded.header
    header.setFormat(for: loaded.catalog)
    header.catalogRevision &+= 1
    header.lastWriter = Header.writerName
    let (json, newHeader) = (try loaded.catalog.json(), header)
    try environment.write { view throws(LMDBError) in
      _ = try view.put(catalog: json, newHeader)
    }
  }
}
