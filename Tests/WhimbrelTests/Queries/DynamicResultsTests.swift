import Foundation
import Testing
import Whimbrel

@Suite struct DynamicResultsTests {
  private func numbers(_ results: DynamicResults) -> [PropertyValue] { results.map { $0["id"] } }

  @Test func `dynamic results are sorted, distinct and limited by names`() throws {
    let test = try TownStore()
    let towns = try test.store.dynamicObjects("Town")
    #expect(numbers(try towns.sorted(by: "id", ascending: false).limit(2)) == [19, 18])
    #expect(numbers(try towns.sorted(by: "land.code").limit(2)) == [2, 5])
    #expect(numbers(try towns.distinct(by: "size").offset(3)) == [3, 4])
    #expect(try towns.distinct(by: "size", "land.code").count == 15)
    #expect(towns.first?["id"] == 0 && towns.last?["id"] == 19)
    #expect(towns.limit(3).ids.count == 3)
    #expect(try towns.sorted(by: "price").explain().className == "Town")
  }

  @Test func `aggregates of dynamic results`() throws {
    let test = try TownStore()
    let towns = try test.store.dynamicObjects("Town")
    #expect(try towns.min(of: "rank") == -10)
    #expect(try towns.max(of: "share") == 9.5)
    #expect(try towns.limit(3).sum(of: "size") == 3)
    #expect(try towns.average(of: "size") == 2.0)
    #expect(try towns.limit(0).average(of: "size") == nil)
  }

  @Test func `names that are not there, and properties without an order, are errors`() throws {
    let towns = try TownStore().store.dynamicObjects("Town")
    let error = try expectError(.unknownProperty) { try towns.sorted(by: "nam") }
    #expect("\(error)".contains("'name'"))
    try expectError(.unknownProperty) { try towns.sorted(by: "land.nam") }
    try expectError(.unknownProperty) { try towns.sorted(by: "") }
    try expectError(.queryMismatch) { try towns.sorted(by: "land") }
    try expectError(.queryMismatch) { try towns.sorted(by: "size.x") }
    try expectError(.unknownProperty) { try towns.distinct(by: "size", "seize") }
    try expectError(.unknownProperty) { try towns.sum(of: "sizes") }
    try expectError(.queryMismatch) { try towns.sum(of: "name") }
  }

  @Test func `dynamic results are live, and safe to go through`() throws {
    let test = try TownStore()
    let towns = try test.store.dynamicObjects("Town")
    let sorted = try towns.sorted(by: "id", ascending: false)
    var visited: [PropertyValue] = []
    try test.store.write {
      for town in sorted {
        visited.append(town["id"])
        try test.store.delete(town)
        if let first = towns.first { try test.store.delete(first) }
      }
    }
    #expect(visited == (10..<20).reversed().map { .int(Int64($0)) })
    #expect(towns.isEmpty && sorted.isEmpty)
  }

  @Test func `dynamic results are deleted`() throws {
    let test = try TownStore()
    let towns = try test.store.dynamicObjects("Town")
    try test.store.write { try test.store.delete(towns.offset(5)) }
    #expect(test.towns.map(\.id) == [0, 1, 2, 3, 4])
    try test.store.write { try test.store.delete(towns) }
    #expect(test.towns.isEmpty)
    try test.place.expectWhole()
  }
}
