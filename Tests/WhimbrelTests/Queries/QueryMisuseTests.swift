import Foundation
import Testing

@testable import Whimbrel

/// Queries that no store can answer find nothing, and the next call that can throw says why.
@Suite struct QueryMisuseTests {
  /// Makes results, and expects that they are empty and say why.
  private func expectFailure(
    _ text: String, code: StoreError.Code = .invalidQuery,
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ results: (Store) throws -> Results<QueryZone>
  ) throws {
    let store = try TestStore(TestStore.queryModels).open()
    try store.write { try store.add(QueryZone(identifier: "x")) }
    let found = try results(store)
    #expect(found.count == 0, sourceLocation: sourceLocation)
    let error = try expectError(code, sourceLocation: sourceLocation) { try store.refresh() }
    #expect(error.description.contains(text), "\(error)", sourceLocation: sourceLocation)
    // It is said once, and again when it is asked again.
    _ = try store.refresh()
    #expect(found.limit(1).isEmpty && found.first == nil, sourceLocation: sourceLocation)
    #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try store.refresh() }
    #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try found.explain() }
    #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
      try store.write { for _ in found.sorted(by: \.identifier) {} }
    }
    #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
      try store.write { try store.delete(found) }
    }
    #expect(store.objects(QueryZone.self).count == 1, sourceLocation: sourceLocation)
  }

  @Test func `an object that is in no store cannot be asked for`() throws {
    try expectFailure("Could not query 'QueryZone' for an object of 'QueryCountry'") { store in
      store.objects(QueryZone.self).where { $0.country == QueryCountry(code: "AD") }
    }
  }

  @Test func `an object of another store cannot be asked for`() throws {
    let other = try TestStore(TestStore.queryModels).open()
    let zone = QueryZone(identifier: "x")
    try other.write { try other.add(zone) }
    try expectFailure("the object belongs to another store") { store in
      store.objects(QueryZone.self).where { $0.anything == .list([.object(zone)]) }
    }
  }

  @Test func `an object of another store of the same file can be asked for`() throws {
    let place = try TestStore(TestStore.queryModels)
    let (store, other) = (try place.open(), try place.open())
    let zone = QueryZone(identifier: "x")
    try store.write {
      try store.add(zone)
      zone.twin = zone
    }
    try other.refresh()
    #expect(other.objects(QueryZone.self).where { $0.twin == zone }.count == 1)
  }

  @Test func `a property that is not stored cannot be asked for`() throws {
    let text = "a key path does not lead to a stored property"
    try expectFailure(text) { store in
      store.objects(QueryZone.self).where { $0.label == nil }
    }
    // Not even where the condition would hold for all others.
    try expectFailure(text) { store in
      store.objects(QueryZone.self).where { $0.identifier == "x" || $0.label == nil }
    }
    try expectFailure(text) { $0.objects(QueryZone.self).sorted(by: \.label) }
    try expectFailure(text) { $0.objects(QueryZone.self).distinct(by: \.twin, \.twin.label) }
    let store = try TestStore(TestStore.queryModels).open()
    #expect(store.objects(QueryZone.self).max(of: \.label) == nil)
    try expectError(.invalidQuery) { try store.refresh() }
    #expect(store.objects(QueryZone.self).index(matching: { $0.label == nil }) == nil)
    try expectError(.invalidQuery) { try store.refresh() }
  }

  @Test func `a sub-query is about one collection`() throws {
    try expectFailure("- 'neighbors'") { store in
      store.objects(QueryZone.self)
        .where { ($0.neighbors.people > 1 && $0.twin.people > 1).count > 1 }
    }
  }

  @Test func `a condition without a collection counts nothing`() throws {
    try expectFailure("- the object itself") { store in
      store.objects(QueryZone.self).where { $0.isActive.count > 1 }
    }
  }

  @Test func `a condition on values that are no objects cannot be counted`() throws {
    try expectFailure("'QueryZone.numbers'", code: .queryMismatch) { store in
      store.objects(QueryZone.self).where { ($0.numbers.any > 2).count > 1 }
    }
  }

  @Test func `a path has one of all and none`() throws {
    try expectFailure("a path uses 'all' or 'none' more than once") { store in
      store.objects(QueryZone.self).where { $0.neighbors.all.neighbors.none.people > 1 }
    }
  }

  @Test func `a predicate that no store can answer is an error at once`() throws {
    let store = try TestStore(TestStore.queryModels).open()
    try store.write { try store.add(QueryZone(identifier: "x")) }
    let zones = store.objects(QueryZone.self)
    let hasEach = #Predicate<QueryZone> { zone in
      zone.tags.allSatisfy { zone.tags.contains($0) }
    }
    let hasLast = #Predicate<QueryZone> { zone in
      zone.tags.contains { tag in zone.tags.allSatisfy { $0 <= tag } }
    }
    for predicate in [hasEach, hasLast] {
      let error = try expectError(.queryMismatch) { try zones.where(predicate) }
      #expect(error.message.contains("both sides of the comparison have several values"))
    }
    // Nothing is left to report.
    try store.refresh()
    #expect(zones.count == 1)
  }

  @Test func `words are searched for in properties`() throws {
    try expectFailure("a computed value is used") { store in
      store.objects(QueryZone.self).where { $0.neighbors.identifier.max.search("x") }
    }
    try expectFailure("full-text index", code: .queryMismatch) { store in
      store.objects(QueryZone.self).where { $0.identifier.search("x") }
    }
  }

  /// Building, evaluating and freeing a condition of thousands of levels exhausted the stack.
  @Test(arguments: [101, 20_000])
  func `a condition has at most a hundred levels`(levels: Int) throws {
    let text = "the condition is nested more than 100 levels deep"
    try expectFailure(text) { store in
      store.objects(QueryZone.self).where { Self.alternating($0, levels: levels) }
    }
    try expectFailure(text) { store in
      store.objects(QueryZone.self).where { zone in
        (0..<levels).reduce(zone.isActive) { condition, _ in !condition }
      }
    }
    try expectFailure(text) { store in
      store.objects(QueryZone.self).where { zone in
        (0..<levels).reduce(zone.people) { number, _ in number + zone.people } > 0
      }
    }
    try expectFailure(text) { store in
      store.prepare(QueryZone.self, taking: Int.self) { zone, number in
        Self.alternating(zone, levels: levels) && zone.people == number
      }(1)
    }
  }

  @Test func `a condition of a hundred levels and a chain of thousands of parts are answered`()
    throws
  {
    let store = try TestStore(TestStore.queryModels).open()
    try store.write { try store.add(QueryZone(identifier: "x")) }
    let zones = store.objects(QueryZone.self)
    #expect(zones.where { Self.alternating($0, levels: 100) }.count == 1)
    let joined = zones.where { zone in
      (1..<2_000).reduce(zone.people == 0) { $0 || zone.people == $1 || zone.numbers.any == $1 }
    }
    #expect(joined.count == 1)
    try store.refresh()
  }

  /// Makes a condition of alternating "and" and "or" that a zone without people meets.
  private static func alternating(
    _ zone: QueryValue<QueryZone>, levels: Int
  ) -> QueryValue<Bool> {
    (1..<levels).reduce(zone.people == 0) { condition, level in
      level.isMultiple(of: 2) ? zone.people < level && condition : zone.people > level || condition
    }
  }
}
