import Foundation
import Testing
import Whimbrel

@Suite struct DynamicResultsTests {
  private func numbers(_ results: DynamicResults) -> [PropertyValue] { results.map { $0["id"] } }

  @Test func `dynamic results are sorted, distinct and limited by names`() throws {
    let test = try HarborStore()
    let harbors = try test.store.dynamicObjects("Harbor")
    #expect(numbers(try harbors.sorted(by: "id", ascending: false).limit(2)) == [19, 18])
    #expect(numbers(try harbors.sorted(by: "coast.code").limit(2)) == [2, 5])
    #expect(numbers(try harbors.distinct(by: "size").offset(3)) == [3, 4])
    #expect(try harbors.distinct(by: "size", "coast.code").count == 15)
    #expect(harbors.first?["id"] == 0 && harbors.last?["id"] == 19)
    #expect(harbors.limit(3).ids.count == 3)
    #expect(try harbors.sorted(by: "price").explain().className == "Harbor")
  }

  @Test func `dynamic results have aggregates`() throws {
    let test = try HarborStore()
    let harbors = try test.store.dynamicObjects("Harbor")
    #expect(try harbors.min(of: "rank") == -10)
    #expect(try harbors.max(of: "share") == 9.5)
    #expect(try harbors.limit(3).sum(of: "size") == 3)
    #expect(try harbors.average(of: "size") == 2.0)
    #expect(try harbors.limit(0).average(of: "size") == nil)
  }

  @Test func `names that are not there, and properties without an order, are errors`() throws {
    let harbors = try HarborStore().store.dynamicObjects("Harbor")
    let error = try expectError(.unknownProperty) { try harbors.sorted(by: "nam") }
    #expect("\(error)".contains("'name'"))
    try expectError(.unknownProperty) { try harbors.sorted(by: "coast.nam") }
    try expectError(.unknownProperty) { try harbors.sorted(by: "") }
    try expectError(.queryMismatch) { try harbors.sorted(by: "coast") }
    try expectError(.queryMismatch) { try harbors.sorted(by: "size.x") }
    try expectError(.unknownProperty) { try harbors.distinct(by: "size", "seize") }
    try expectError(.unknownProperty) { try harbors.sum(of: "sizes") }
    try expectError(.queryMismatch) { try harbors.sum(of: "name") }
  }

  /// The names of a query in text were looked up among the declared classes only, so the query failed
  /// with "there is no class 'Harbor'", although `sorted(by:)` worked.
  @Test func `a query in text finds objects of classes that the app does not declare`() throws {
    let test = try HarborStore()
    try test.store.close()
    var configuration = test.place.configuration
    configuration.models = []
    let store = try Store(configuration)
    let harbors = try store.dynamicObjects("Harbor")
    #expect(numbers(try harbors.where("size == 4 AND coast.name == 'North'")) == [9])
    let coasts = try store.dynamicObjects("Coast")
    #expect(try coasts.where("@links.Harbor.coast.@count == 7").count == 2)
    try expectError(.invalidQuery) { try harbors.where("sizes == 4") }
  }

  @Test func `dynamic results are live, and safe to go through`() throws {
    let test = try HarborStore()
    let harbors = try test.store.dynamicObjects("Harbor")
    let sorted = try harbors.sorted(by: "id", ascending: false)
    var visited: [PropertyValue] = []
    try test.store.write {
      for harbor in sorted {
        visited.append(harbor["id"])
        try test.store.delete(harbor)
        if let first = harbors.first { try test.store.delete(first) }
      }
    }
    #expect(visited == (10..<20).reversed().map { .int(Int64($0)) })
    #expect(harbors.isEmpty && sorted.isEmpty)
  }

  @Test func `dynamic results are deleted`() throws {
    let test = try HarborStore()
    let harbors = try test.store.dynamicObjects("Harbor")
    try test.store.write { try test.store.delete(harbors.offset(5)) }
    #expect(test.harbors.map(\.id) == [0, 1, 2, 3, 4])
    try test.store.write { try test.store.delete(harbors) }
    #expect(test.harbors.isEmpty)
    try test.place.expectWhole()
  }
}
