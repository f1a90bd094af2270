internal import WhimbrelLMDB

extension StoreFile {
  /// Reads the header of a file without opening it. Neither the file nor a lock file is written.
  ///
  /// - Throws: ``StoreError``, as opening the file does.
  package static func headerWithoutOpening(_ path: String) throws -> Header {
    try inspecting(path) { $1 }
  }

  /// Reads the catalog of the last commit without a snapshot. Returns nil if its header is a known
  /// one, or if another file is at the path now.
  func catalogWithoutSnapshot(ifNot known: Header) throws -> LoadedCatalog? {
    guard FileIdentity(path: path) == identity else { return nil }
    return try Self.inspecting(path) { structure, header in
      if header == known { return nil }
      guard let json = try structure.mainValue(MainKey.catalog) else {
        return try catalog(nil, header)
      }
      return try PageBytes.with(json) { try catalog($0, header) }
    }
  }

  /// Runs `body` with the structure and the header of a file that may not be open.
  private static func inspecting<Result>(
    _ path: String, _ body: (FileStructure, Header) throws -> Result
  ) throws -> Result {
    var attempt = 1
    while true {
      do {
        return try FilePreflight.inspect(path) { structure in
          guard let bytes = try structure.mainValue(MainKey.header) else {
            throw Header.Problem.notAStore.explained(path)
          }
          return try body(structure, PageBytes.with(bytes) { try header($0, path) })
        }
      } catch {
        // A writer may have reused the pages in the meantime.
        attempt += 1
        if attempt > 8 { throw error }
      }
    }
  }
}
