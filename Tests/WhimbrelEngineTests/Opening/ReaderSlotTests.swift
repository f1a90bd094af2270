import Testing

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

struct ReaderSlotTests {
  // A refresh took a second snapshot, to look at the schema before it released its own.
  @Test func `sessions that have all reader slots can write and refresh`() throws {
    let store = try OpeningTestStore()
    var sessions: [Session] = []
    let error = try #require(throws: StoreError.self) {
      while sessions.count <= Environment.maximumReaders {
        sessions.append(try Session(StoreFile.open(store.request)))
      }
    }
    #expect(error.code == .tooManyReaders)
    #expect(sessions.count == Environment.maximumReaders)
    try OpeningTestStore.add(20..<21, to: sessions[1])
    #expect(try sessions[0].refresh())
    #expect(try sessions[0].refresh() == false)
    #expect(sessions[0].view.transactionID == sessions[1].view.transactionID)
    try OpeningTestStore.add(21..<22, to: sessions[2])
    for session in sessions { session.close() }
  }

  // The error named the copy.
  @Test func `a copy for which there is no reader slot reports the store`() throws {
    let store = try OpeningTestStore()
    var sessions: [Session] = []
    while sessions.count < Environment.maximumReaders {
      sessions.append(try Session(StoreFile.open(store.request)))
    }
    let copy = store.folder + "/copy.whimbrel"
    let error = try #require(throws: StoreError.self) { try sessions[0].writeCopy(to: copy) }
    #expect(error.code == .tooManyReaders)
    #expect(error.context.path == store.path)
    for session in sessions { session.close() }
  }

  // The error said that the file is damaged, and told to restore a copy.
  @Test func `a schema with too many tables is not called damage`() throws {
    let properties = (0..<900).map { PropertySchema(name: "p\($0)", type: .int, isIndexed: true) }
    let classes = (0..<5).map { ClassSchema(name: "Class\($0)", properties: properties) }
    let error = try #require(throws: StoreError.self) { _ = try TestStore(classes) }
    #expect(error.code == .tooManyTables)
    #expect(error.context.limit == Environment.maximumTables)
  }
}
