import Foundation
import Testing
import Whimbrel
import WhimbrelEngine

@Suite struct LiveResultsTests {
  @Test func `results of a query follow writes, also from inside of them`() throws {
    let test = try TownStore()
    let large = test.towns.where { $0.size >= 4 }
    #expect(large.ids.count == 4)
    #expect(large.map(\.id) == [4, 9, 14, 19])
    try test.store.write {
      let town = try test.town(5)
      town.size = 7
      #expect(large.map(\.id) == [4, 5, 9, 14, 19])
      #expect(large.count == 5)
      try test.store.delete(try test.town(9))
      #expect(large[2].id == 14)
      #expect(large.last?.id == 19)
    }
    #expect(large.map(\.id) == [4, 5, 14, 19])
    try test.place.expectWhole()
  }

  @Test func `results of a query follow a rollback`() throws {
    let test = try TownStore()
    let large = test.towns.where { $0.size >= 4 }.sorted(by: \.size)
    #expect(throws: RollBack.self) {
      try test.store.write {
        try test.town(0).size = 3
        try test.town(1).size = 5
        try test.store.delete(test.town(4))
        #expect(large.map(\.id) == [9, 14, 19, 1])
        throw RollBack()
      }
    }
    #expect(large.map(\.id) == [4, 9, 14, 19])
  }

  @Test func `results of a query follow another store after a refresh, not before`() throws {
    let test = try TownStore()
    let large = test.towns.where { $0.size >= 4 }
    #expect(large.count == 4)
    #expect(large.first?.id == 4)
    let other = try test.place.open()
    try other.write { try other.delete(other.objects(Town.self).where { $0.id < 10 }) }
    #expect(large.count == 4)
    #expect(large.map(\.id) == [4, 9, 14, 19])
    try test.store.refresh()
    #expect(large.count == 2)
    #expect(large.map(\.id) == [14, 19])
    #expect(large.first?.id == 14)
  }

  @Test func `count, first and isEmpty agree with the objects, asked for first or last`() throws {
    let test = try TownStore()
    for isAskedFirst in [true, false] {
      let results = [
        test.towns, test.towns.where { $0.size == 2 }, test.towns.where { $0.size > 9 },
        test.towns.sorted(by: \.name), test.towns.limit(3), test.towns.offset(18),
        test.towns.offset(30), test.towns.limit(0), test.towns.limit(-1), test.towns.offset(-1),
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
    let test = try TownStore()
    #expect(test.towns.limit(10).where { $0.size == 4 }.map(\.id) == [4, 9])
    #expect(test.towns.where { $0.size == 4 }.limit(1).map(\.id) == [4])
    #expect(test.towns.offset(5).limit(3).map(\.id) == [5, 6, 7])
    #expect(test.towns.limit(8).offset(5).map(\.id) == [5, 6, 7])
    #expect(test.towns.limit(3).sorted(by: \.id, ascending: false).map(\.id) == [2, 1, 0])
    #expect(test.towns.sorted(by: \.id, ascending: false).limit(3).map(\.id) == [19, 18, 17])
    #expect(test.towns.where { $0.size == 4 }.where { $0.id > 5 }.map(\.id) == [9, 14, 19])
  }

  @Test func `the position of an object, and whether it is among the results`() throws {
    let test = try TownStore()
    let sorted = test.towns.where { $0.size > 2 }.sorted(by: \.id, ascending: false)
    let town = try test.town(14)
    #expect(sorted.index(of: town) == 2)
    #expect(sorted[2] == town)
    #expect(sorted.contains(town))
    #expect(try sorted.index(of: test.town(0)) == nil)
    #expect(try !sorted.contains(test.town(0)))
    #expect(test.towns.contains(town) && test.towns.index(of: town) == 14)
    let unmanaged = Town(id: 14, name: "another")
    #expect(!test.towns.contains(unmanaged) && test.towns.index(of: unmanaged) == nil)
    let sameFile = try test.place.open()
    let same = try #require(sameFile.object(ofType: Town.self, forPrimaryKey: 14))
    #expect(sorted.contains(same))
    let otherFile = try TownStore()
    #expect(try !test.towns.contains(otherFile.town(14)))
    try test.store.write { try test.store.delete(town) }
    #expect(!test.towns.contains(town) && sorted.index(of: town) == nil)
  }

  @Test func `an explanation names the class and the index`() throws {
    let test = try TownStore()
    let explanation = try test.towns.where { $0.name == "town 7" }.explain()
    #expect(explanation.className == "Town")
    #expect(explanation.resultCount == 1)
    #expect("\(explanation)".contains("Town.name"))
    #expect(try test.towns.explain().resultCount == 20)
    let limited = try test.towns.where { $0.size == 1 }.sorted(by: \.price).limit(2).explain()
    #expect(limited.resultCount == 2)
    #expect(limited.isScan)
  }

  @Test func `results say what is in them`() throws {
    let test = try TownStore()
    #expect("\(test.towns.where { $0.id > 40 })" == "[]")
    #expect("\(test.towns.limit(1))".hasPrefix("["))
  }

  @Test func `using results of a closed store stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let test = try TownStore()
      let results = test.towns.where { $0.size == 1 }
      _ = results.count
      test.store.close()
      _ = results.count
    }
  }

  @Test func `using a position that is not there stops the program, and says which are`() async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try TownStore().towns.where { $0.size == 1 }[4]
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Could not use object 4 of the results of 'Town'"))
  }
}
