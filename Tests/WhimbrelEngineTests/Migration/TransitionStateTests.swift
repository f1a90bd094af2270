import Testing
import WhimbrelEngine
import WhimbrelLMDB

/// The progress of an online migration, as a damaged file may have it.
struct TransitionStateTests {
  private static let counts = ["visited", "converted", "total", "unlisted"]

  /// A state with two walks, in which one number is another.
  private static func state(_ name: String, _ number: Int) -> String {
    func member(_ other: String) -> String { "\"\(other)\":\(other == name ? number : 0)" }
    let numbers = counts.map(member).joined(separator: ",")
    let walk = #"{"classID":1,"failed":[],"isOver":false,\#(numbers)}"#
    return #"{"start":0,"unset":[],\#(member("unsetCount")),"walks":[\#(walk),\#(walk)]}"#
  }

  /// Puts a state into a store that is in transition, and returns whether it is read.
  private func isRead(_ state: String, in store: TestStore) throws -> Bool {
    let session = try store.session()
    try session.file.environment.write { view throws(LMDBError) in
      try view.put(.main, MainKey.transition, Array(state.utf8))
    }
    _ = try session.refresh()
    defer { session.close() }
    return try TransitionState(in: session.view) != nil
  }

  // Sums of such numbers stopped each app that opened the store.
  @Test(arguments: counts + ["unsetCount"], [Int.max, .min, -1])
  func `a transition with an impossible number begins again`(_ name: String, _ number: Int) throws {
    let store = try BigMigration.store(20)
    try StoreFile.open(BigMigration.onlineRequest(store.path)).close()
    #expect(try isRead(Self.state(name, 0), in: store))
    #expect(try !isRead(Self.state(name, number), in: store))
    let file = try StoreFile.open(BigMigration.onlineRequest(store.path))
    try file.finishTransition(by: BigMigration.rules)
    file.close()
    #expect(try BigMigration.problems(store, 20, version: 2) == [])
    #expect(try store.contents().catalog.history.last?.objects == 20)
  }

  @Test func `the history stays readable after the greatest count of a damaged file`() throws {
    let store = try BigMigration.store(20)
    try StoreFile.open(BigMigration.onlineRequest(store.path)).close()
    #expect(try isRead(Self.state("converted", 1 << 48), in: store))
    let file = try StoreFile.open(BigMigration.onlineRequest(store.path))
    try file.finishTransition(by: BigMigration.rules)
    file.close()
    #expect(try BigMigration.problems(store, 20, version: 2) == [])
  }
}
