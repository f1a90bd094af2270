import Foundation
import Testing
import Whimbrel
import WhimbrelEngine
import WhimbrelLMDB

/// `Array(results)` relies on getting as many objects as there are counted, and stops the
/// program where there are fewer: when a damaged one cannot be read, for instance.
@Suite struct DamagedResultsTests {
  /// A store in which one harbor has a record that is none.
  private func damaged() throws -> HarborStore {
    let test = try HarborStore()
    try test.store.write {
      let view = try test.store.session.requireWriting("damage an object")
      let table = try test.store.session.table("Harbor")
      let id = try #require(try test.harbor(10).objectID)
      try PageBytes.with([UInt8](repeating: 0xFF, count: 16)) { bytes throws(LMDBError) in
        _ = try view.put(table.objects, id.rawValue, bytes)
      }
    }
    return test
  }

  private func expectDamage(
    _ test: HarborStore, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expectError(.damaged, sourceLocation: sourceLocation) { try test.store.refresh() }
    #expect(try test.store.refresh() == false)
  }

  @Test func `a damaged object reads as empty among the others, and the next call says so`() throws
  {
    let test = try damaged()
    #expect(test.harbors.count == 20)
    #expect(Array(test.harbors).count == 20)
    try expectDamage(test)
    let ids = (0..<20).map { $0 == 10 ? 0 : $0 }
    #expect(test.harbors.map(\.id) == ids)
    try expectDamage(test)
    #expect(test.harbors.reduce(0) { sum, _ in sum + 1 } == 20)
    try expectDamage(test)
    #expect(test.harbors.sectioned(by: \.size).count == 5)
    try expectDamage(test)
    #expect(Array(test.harbors[5..<15]).map(\.id) == Array(ids[5..<15]))
    try expectDamage(test)
  }

  // An unmanaged object without values took its place, and reading one stopped the program.
  @Test func `a damaged object reads as empty among those that link to an object`() throws {
    let test = try damaged()
    let harbors = test.south.harbors
    #expect(harbors.count == 7)
    #expect(harbors[3].id == 0 && harbors[3].name.isEmpty)
    try expectDamage(test)
    #expect(harbors.indices.map { harbors[$0].id } == [1, 4, 7, 0, 13, 16, 19])
    try expectDamage(test)
  }

  @Test func `a query that meets a damaged object finds nothing, and the next call says so`() throws
  {
    let test = try damaged()
    let queries = [
      test.harbors.where { $0.size >= 0 }, test.harbors.sorted(by: \.size),
      test.harbors.distinct(by: \.name),
    ]
    for results in queries {
      #expect(results.isEmpty || results.first != nil)
      #expect(Array(results).isEmpty)
      try expectDamage(test)
      #expect(results.ids.isEmpty && results.last == nil)
    }
    #expect(test.harbors.sum(of: \.size) == 0)
    try expectDamage(test)
    #expect(throws: StoreError.self) { try queries[0].explain() }
  }

  // These threw an error of LMDB, which names neither the file nor what to do.
  @Test func `an object that is read by name from a damaged page is an error of the store`() throws
  {
    let test = try HarborStore()
    try test.store.write {
      let voyage = Voyage(day: 1)
      try test.store.add(voyage)
      voyage.harbor = try test.harbor(7)
    }
    let id = try #require(try test.harbor(7).objectID)
    try test.store.close()
    var bytes = try Data(contentsOf: test.place.url)
    let text = Data("harbor 9".utf8)
    let pages = stride(from: 8_192, to: bytes.count, by: 4_096)
      .filter { bytes[$0..<$0 + 4_096].range(of: text) != nil }
    // The pages of the objects and of the index. Later ones have the text as the rest of old content.
    for page in pages.prefix(2) { bytes[page] ^= 0x80 }
    try bytes.write(to: test.place.url)
    let store = try test.place.open()
    try expectError(.damaged) { try store.dynamicObject(ofType: "Harbor", for: id) }
    try expectError(.damaged) { try store.dynamicObject(ofType: "Harbor", forPrimaryKey: .int(7)) }
    let voyage = try #require(try store.dynamicObjects("Voyage").first)
    let harbor = try #require(try voyage.object("harbor"))
    try expectError(.damaged) { try harbor.value("size") }
    let harbors = try store.dynamicObjects("Harbor")
    try expectError(.damaged) { try harbors.sum(of: "size") }
    try expectError(.damaged) { try harbors.explain() }
    try expectError(.damaged) {
      try store.objects(Harbor.self).where { $0.name == "harbor 9" }.explain()
    }
  }

  @Test func `freezing what cannot be read reports the damage once`() throws {
    let test = try damaged()
    try expectError(.damaged) { try test.harbors.where { $0.size >= 0 }.frozen }
    #expect(try test.store.refresh() == false)
  }

  @Test func `an error of a read is reported after a write that is rolled back`() throws {
    let test = try damaged()
    #expect(Array(test.harbors).count == 20)
    #expect(throws: RollBack.self) { try test.store.write { throw RollBack() } }
    try expectDamage(test)
    #expect(Array(test.harbors).count == 20)
    try test.store.beginWrite()
    try test.store.cancelWrite()
    try expectDamage(test)
    // A commit reports it, and does not take place.
    #expect(Array(test.harbors).count == 20)
    try expectError(.damaged) { try test.store.write { test.north.name = "other" } }
    #expect(test.north.name == "North")
    #expect(try test.store.refresh() == false)
  }

  @Test func `a damaged object is printed as such, and that is not an error`() throws {
    let test = try damaged()
    let lines = "\(test.harbors)".split(separator: "\n")
    #expect(lines.count == 21 && lines.filter { $0.contains(": (damaged)") }.count == 1)
    #expect(try test.store.refresh() == false)
  }

  @Test func `changing and deleting what cannot be read fails, and the write with it`() throws {
    let test = try damaged()
    try expectError(.damaged) {
      try test.store.write { try test.harbors.update { $0.size = 3 } }
    }
    try expectError(.damaged) {
      try test.store.write { try test.harbors.setValue(3, forKey: "size") }
    }
    try expectError(.damaged) {
      try test.store.write { try test.store.delete(test.harbors.where { $0.size == 2 }) }
    }
    #expect(test.harbors.count == 20)
    #expect(test.harbors.limit(5).map(\.size) == [0, 1, 2, 3, 4])
  }
}
