import Testing

@testable import WhimbrelEngine

/// Checks of rules, which read a file beside others.
struct RuleCheckTests {
  // The check read the tables of the old schema, which may be gone, as those of the new one.
  @Test func `a check of rules notices that the schema has changed since it was planned`() throws {
    let store = try BigMigration.store(20)
    let request = BigMigration.onlineRequest(store.path)
    let file = try StoreFile.attachExisting(request)
    defer { file.close() }
    let declaration = try #require(request.declaration)
    let start = try TransitionStart(file, request, declaration, for: .dryRun)
    #expect(try RuleCheck(start) != nil)
    try StoreFile.open(request).close()
    #expect {
      try RuleCheck(start)
    } throws: {
      ($0 as? StoreError)?.code == .migrationInProgress
    }
  }
}
