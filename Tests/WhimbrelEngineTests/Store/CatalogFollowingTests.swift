import Testing

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Sessions of a file whose catalog changes.
struct CatalogFollowingTests {
  /// Declares an index in the catalog of a file, and makes no table for it.
  private func declareIndexWithoutTable(in file: StoreFile) throws {
    let loaded = try file.currentCatalog()
    var catalog = loaded.catalog
    let place = try #require(catalog.classes.firstIndex { $0.name == "Thing" })
    let property = try #require(
      catalog.classes[place].properties.firstIndex { $0.name == "a_bool" })
    catalog.classes[place].properties[property].isIndexed = true
    var header = loaded.header
    header.revise(for: catalog)
    let (json, revised) = (try catalog.json(), header)
    try file.environment.write { view throws(LMDBError) in
      _ = try view.put(catalog: json, revised)
    }
  }

  // The second refresh succeeded, and the session showed the new commit with the tables of the old
  // catalog.
  @Test func `a session whose tables could not be opened tries again with each refresh`() throws {
    let store = try OpeningTestStore()
    let session = try Session(try StoreFile.open(store.request))
    defer { session.close() }
    #expect(try session.table("Thing").count() == 20)
    try declareIndexWithoutTable(in: session.file)
    for _ in 0..<3 {
      #expect { try session.refresh() } throws: { ($0 as? StoreError)?.code == .damaged }
      #expect(session.view.transactionID == 0)
    }
  }
}
