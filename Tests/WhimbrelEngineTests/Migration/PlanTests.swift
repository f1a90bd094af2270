import Foundation
import Testing
import WhimbrelEngine

/// What a plan says of versions that do not allow what is declared.
struct PlanTests {
  private static let classes = [ClassSchema("A", .key("key"), .required("a", .int))]

  private func store() throws -> TestStore {
    try TestStore(Self.classes, version: 3) { try $0.create("A", ["key": 1, "a": 2]) }
  }

  @Test func `a change that takes a higher version is impossible without one`() throws {
    let store = try store()
    let changed = [ClassSchema("A", .key("key"), .indexed("b", .int, default: 1))]
    let plan = try store.plan(changed, version: 3)
    #expect(plan.changes.map(\.kind) == [.impossible, .impossible])
    #expect(!plan.isPossible)
    #expect(
      plan.description == """
        At version 3:
          impossible  Property 'A.a' has been removed. (1 object)
                      It needs a schema version higher than 3.
          impossible  Property 'A.b' has been added. (1 object)
                      It needs a schema version higher than 3.
        """)
    #expect(storeError { try store.open(changed, version: 3) }?.code == .schemaMismatch)
    #expect(try store.plan(changed, version: 4).isPossible)
  }

  @Test func `what the same version allows is possible`() throws {
    let store = try store()
    let more = Self.classes + [ClassSchema("B", .key("b"))]
    let plan = try store.plan(more, version: 3)
    #expect(plan.changes.map(\.kind) == [.instant])
    #expect(plan.isPossible)
  }

  @Test func `a lower version is impossible, whether the schema changes or not`() throws {
    let store = try store()
    let plan = try store.plan(Self.classes, version: 2)
    #expect(plan.changes.isEmpty && !plan.isEmpty && !plan.isPossible)
    #expect(
      plan.description == """
        From version 3 to 2, which is impossible: a schema version never goes down.
          no schema changes
        """)
    let changed = try store.plan([ClassSchema("A", .key("key"))], version: 2)
    #expect(changed.changes.map(\.kind) == [.impossible])
    #expect(
      storeError { try store.open(Self.classes, version: 2) }?.code == .schemaVersionTooNew)
    let coded = try JSONEncoder().encode(changed)
    #expect(try JSONDecoder().decode(MigrationPlan.self, from: coded) == changed)
  }
}
