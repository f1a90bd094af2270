import Foundation
import Testing

@testable import Whimbrel

/// Queries that no store can answer stop the program, and say why.
@Suite struct QueryMisuseTests {
  private func expectMessage(
    _ result: ExitTest.Result?, _ text: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let bytes = try #require(result, sourceLocation: sourceLocation).standardErrorContent
    let output = String(decoding: bytes, as: UTF8.self)
    #expect(output.contains(text), "\(output)", sourceLocation: sourceLocation)
  }

  @Test func `an object that is in no store cannot be asked for`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let zones = try TestStore(TestStore.queryModels).open().objects(QueryZone.self)
      _ = zones.where { $0.country == QueryCountry(code: "AD") }
    }
    try expectMessage(result, "Could not query 'QueryZone' for an object of 'QueryCountry'")
  }

  @Test func `an object of another store cannot be asked for`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let other = try TestStore(TestStore.queryModels).open()
      let zone = QueryZone(identifier: "x")
      try other.write { try other.add(zone) }
      let zones = try TestStore(TestStore.queryModels).open().objects(QueryZone.self)
      _ = zones.where { $0.anything == .list([.object(zone)]) }
    }
    try expectMessage(result, "the object belongs to another store")
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

  @Test func `a property that is not stored cannot be asked for`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let zones = try TestStore(TestStore.queryModels).open().objects(QueryZone.self)
      _ = zones.where { $0.label == nil }
    }
    try expectMessage(result, "a key path leads to no property that is stored")
  }

  @Test func `a sub-query is about one collection`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let zones = try TestStore(TestStore.queryModels).open().objects(QueryZone.self)
      _ = zones.where { ($0.neighbors.people > 1 && $0.twin.people > 1).count > 1 }
    }
    try expectMessage(result, "- 'neighbors'")
  }

  @Test func `a condition without a collection counts nothing`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let zones = try TestStore(TestStore.queryModels).open().objects(QueryZone.self)
      _ = zones.where { $0.isActive.count > 1 }
    }
    try expectMessage(result, "- the object itself")
  }

  @Test func `a path has one of all and none`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let zones = try TestStore(TestStore.queryModels).open().objects(QueryZone.self)
      _ = zones.where { $0.neighbors.all.neighbors.none.people > 1 }
    }
    try expectMessage(result, "a path has more than one of 'all' and 'none'")
  }

  @Test func `words are searched for in properties`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let zones = try TestStore(TestStore.queryModels).open().objects(QueryZone.self)
      _ = zones.where { $0.neighbors.identifier.max.search("x") }
    }
    try expectMessage(result, "asked of a value that is worked out")
  }
}
