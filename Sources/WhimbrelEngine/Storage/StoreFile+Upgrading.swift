internal import WhimbrelLMDB

extension StoreFile {
  /// Brings a file of format 1 to format 2. Reading alone never does.
  ///
  /// From 1 to 2: each class gets its table of overflow. Records stay as they are. A file
  /// gets format 3 with the first schema that needs it: see ``Header/setFormat(for:)``.
  func upgradeFormat(_ request: OpenRequest) throws {
    guard !isReadOnly, try format() < Header.baseFormat else { return }
    try asMigrator(for: request) {
      do {
        // Somebody else may have done it meanwhile.
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
