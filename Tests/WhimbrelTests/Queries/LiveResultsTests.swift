import Foundation
import Testing
import Whimbrel
import WhimbrelEngine

@Suite struct LiveResultsTests {
  @Test func `results of a query follow writes, also from inside of them`() throws {
    let test = try HarborStore()
    let large = test.harbors.where { $0.size >= 4 }
    #expect(large.ids.count == 4)
    #expect(large.map(\.id) == [4, 9, 14, 19])
    try test.store.write {
      let harbor = try test.harbor(5)
      harbor.size = 7
      #expect(large.map(\.id) == [4, 5, 9, 14, 19])
      #expect(large.count == 5)
      try test.store.delete(try test.harbor(9))
      #expect(large[2].id == 14)
      #expect(large.last?.id == 19)
    }
    #expect(large.map(\.id) == [4, 5, 14, 19])
    try test.place.expectWhole()
  }

  @Test func `results of a query follow a rollback`() throws {
    let test = try HarborStore()
    let large = test.harbors.where { $0.size >= 4 }.sorted(by: \.size)
    #expect(throws: RollBack.self) {
      try test.store.write {
        try test.harbor(0).size = 3
        try test.harbor(1).size = 5
        try test.store.delete(test.harbor(4))
        #expect(large.map(\.id) == [9, 14, 19, 1])
        throw RollBack()
      }
    }
    #expect(large.map(\.id) == [4, 9, 14, 19])
  }

  @Test func `results of a query follow another store after a refresh, not before`() throws {
    let test = try HarborStore()
    let large = test.harbors.where { $0.size >= 4 }
    #expect(large.count == 4)
    #expect(large.first?.id == 4)
    let other = try test.place.open()
    try other.write { try other.delete(other.objects(Harbor.self).where { $0.id < 10 }) }
    #expect(large.count == 4)
    #expect(large.map(\.id) == [4, 9, 14, 19])
    try test.store.refresh()
    #expect(large.count == 2)
    #expect(large.map(\.id) == [14, 19])
    #expect(large.first?.id == 14)
  }

  @Test func `count, first and isEmpty agree with the objects, asked for first or last`() throws {
    let test = try HarborStore()
    for isAskedFirst in [true, false] {
      let results = [
        test.harbors, test.harbors.where { $0.size == 2 }, test.harbors.where { $0.size > 9 },
        test.harbors.sorted(by: \.name), test.harbors.limit(3), test.harbors.offset(18),
        test.harbors.offset(30), test.harbors.limit(0), test.harbors.limit(-1),
        test.harbors.offset(-1),
      ]
      for results in results {
        if !isAskedFirst { _ = results.ids }
        let (count, isEmpty) = (results.count, results.isEmpty)
        let (first, last) = (results.first?.id, results.last?.id)
        let numbers = results.map(\.id)
        #expect(count == numbers.count)
        #expect(isEmpty == numbers.isEmpty)
        #expect(first == numbers.first)
        #expect(last == numbers.last)
        #expect(results.indices.map { results[$0].id } == numbers)
        #expect(results.ids == results.compactMap(\.objectID))
      }
    }
  }

  @Test func `stages apply one after the other`() throws {
    let test = try HarborStore()
    #expect(test.harbors.limit(10).where { $0.size == 4 }.map(\.id) == [4, 9])
    #expect(test.harbors.where { $0.size == 4 }.limit(1).map(\.id) == [4])
    #expect(test.harbors.offset(5).limit(3).map(\.id) == [5, 6, 7])
    #expect(test.harbors.limit(8).offset(5).map(\.id) == [5, 6, 7])
    #expect(test.harbors.limit(3).sorted(by: \.id, ascending: false).map(\.id) == [2, 1, 0])
    #expect(test.harbors.sorted(by: \.id, ascending: false).limit(3).map(\.id) == [19, 18, 17])
    #expect(test.harbors.where { $0.size == 4 }.where { $0.id > 5 }.map(\.id) == [9, 14, 19])
  }

  @Test func `results know the position of an object, and whether they contain it`() throws {
    let test = try HarborStore()
    let sorted = test.harbors.where { $0.size > 2 }.sorted(by: \.id, ascending: false)
    let harbor = try test.harbor(14)
    #expect(sorted.index(of: harbor) == 2)
    #expect(sorted[2] == harbor)
    #expect(sorted.contains(harbor))
    #expect(try sorted.index(of: test.harbor(0)) == nil)
    #expect(try !sorted.contains(test.harbor(0)))
    #expect(test.harbors.contains(harbor) && test.harbors.index(of: harbor) == 14)
    let unmanaged = Harbor(id: 14, name: "another")
    #expect(!test.harbors.contains(unmanaged) && test.harbors.index(of: unmanaged) == nil)
    let sameFile = try test.place.open()
    let same = try #require(sameFile.object(ofType: Harbor.self, forPrimaryKey: 14))
    #expect(sorted.contains(same))
    let otherFile = try HarborStore()
    #expect(try !test.harbors.contains(otherFile.harbor(14)))
    try test.store.write { try test.store.delete(harbor) }
    #expect(!test.harbors.contains(harbor) && sorted.index(of: harbor) == nil)
  }

  @Test func `an explanation names the class and the index`() throws {
    let test = try HarborStore()
    let explanation = try test.harbors.where { $0.name == "harbor 7" }.explain()
    #expect(explanation.className == "Harbor")
    #expect(explanation.resultCount == 1)
    #expect("\(explanation)".contains("Harbor.name"))
    #expect(try test.harbors.explain().resultCount == 20)
    let limited = try test.harbors.where { $0.size == 1 }.sorted(by: \.price).limit(2).explain()
    #expect(limited.resultCount == 2)
    #expect(limited.isScan)
  }

  @Test func `results say what is in them`() throws {
    let test = try HarborStore()
    #expect("\(test.harbors.where { $0.id > 40 })" == "0 objects of 'Harbor'")
    #expect(
      "\(test.harbors.limit(1))".hasPrefix(
        "1 object of 'Harbor':\n  Harbor(id: 0, name: \"harbor 0\", size: 0,"))
  }

  @Test func `using results of a closed store stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let test = try HarborStore()
      let results = test.harbors.where { $0.size == 1 }
      _ = results.count
      try test.store.close()
      _ = results.count
    }
  }

  @Test func `using a position that is not there stops the program, and says which are`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try HarborStore().harbors.where { $0.size == 1 }[4]
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Could not use object 4 of the results of 'Harbor'"))
  }
}
