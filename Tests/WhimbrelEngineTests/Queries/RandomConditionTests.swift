import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Random conditions give the objects that a plain evaluation gives.
struct RandomConditionTests {
  @Test(.takesLong, arguments: 0..<6 as Range<UInt64>)
  func `conditions of every kind give what a plain evaluation gives`(seed: UInt64) throws {
    var conditions = RandomConditions(generator: SeededGenerator(seed: seed))
    let store = try TestStore([RandomConditions.schema]) { try conditions.fill($0) }
    let session = try store.session()
    let oracle = try QueryOracle(session)
    let table = try session.table("Item")
    for _ in 0..<200 {
      let condition = conditions.condition()
      let bound = try BoundCondition(condition, in: table)
      let expected = oracle.objectIDs("Item", matching: condition)
      let found = try table.objectIDs(matching: bound)
      #expect(found == expected, "seed \(seed): \(condition)")
      #expect(try table.count(matching: bound) == expected.count)
      if found != expected { return }
    }
  }
}
