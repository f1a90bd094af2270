import Foundation
import Testing
import Whimbrel

@Suite struct CollectionQueryTests {
  private func filled() throws -> HarborStore {
    let test = try HarborStore()
    try test.store.write {
      test.north.tour.append(objectsIn: try [9, 3, 9, 4, 18].map(test.harbor))
      test.north.lights.insert(objectsIn: try [15, 2, 7].map(test.harbor))
    }
    return test
  }

  @Test func `a list is asked in its order, and has an object as often as the list`() throws {
    let test = try filled()
    let tour = test.north.tour
    #expect(tour.results.map(\.id) == [9, 3, 9, 4, 18])
    #expect(tour.where { $0.size == 4 }.map(\.id) == [9, 9, 4])
    #expect(tour.limit(2).map(\.id) == [9, 3])
    #expect(tour.offset(3).map(\.id) == [4, 18])
    #expect(tour.sorted(by: \.id).map(\.id) == [3, 4, 9, 9, 18])
    #expect(tour.distinct(by: \.id).map(\.id) == [9, 3, 4, 18])
    #expect(tour.results.count == 5 && tour.results.first?.id == 9 && tour.results.last?.id == 18)
    #expect(tour.sum(of: \.id) == 43)
    #expect(tour.max(of: \.id) == 18)
    #expect(tour.results.index(of: try test.harbor(4)) == 3)
    #expect(tour.sectioned(by: \.size).allKeys == [4, 3])
    #expect(try tour.where { $0.size == 4 }.explain().className == "Harbor")
  }

  @Test func `sets and inverses are asked in the order of their objects`() throws {
    let test = try filled()
    #expect(test.north.lights.where { $0.id > 5 }.map(\.id) == [7, 15])
    #expect(test.north.harbors.where { $0.id > 10 }.map(\.id) == [12, 15, 18])
    #expect(test.north.harbors.sorted(by: \.id, ascending: false).first?.id == 18)
    #expect(test.north.harbors.average(of: \.id) == 9)
    #expect(test.south.harbors.limit(2).map(\.id) == [1, 4])
  }

  @Test func `what a collection is asked is live`() throws {
    let test = try filled()
    let large = test.north.tour.where { $0.size == 4 }
    let homes = test.north.harbors.where { $0.id < 5 }
    #expect(large.count == 3 && homes.map(\.id) == [0, 3])
    try test.store.write {
      test.north.tour.remove(at: 0)
      #expect(large.map(\.id) == [9, 4])
      test.north.tour.append(try test.harbor(14))
      #expect(large.map(\.id) == [9, 4, 14])
      try test.harbor(1).coast = test.north
      #expect(homes.map(\.id) == [0, 1, 3])
      try test.store.delete(test.harbor(9))
      #expect(large.map(\.id) == [4, 14])
    }
    #expect(large.map(\.id) == [4, 14])
    #expect(homes.map(\.id) == [0, 1, 3])
  }

  @Test func `there is nothing in the collections of an object that is gone`() throws {
    let test = try filled()
    let (tour, lights) = (test.north.tour.results, test.north.lights.where { $0.id > 5 })
    let homes = test.north.harbors.where { $0.id < 5 }
    #expect(tour.count == 5)
    try test.store.write {
      try test.store.delete(test.north)
      #expect(tour.isEmpty && lights.isEmpty && homes.isEmpty)
    }
    #expect(Array(tour).isEmpty && Array(lights).isEmpty && Array(homes).isEmpty)
    #expect(try test.store.refresh() == false)
  }

  @Test func `a query compares elements of sets and keys of maps by their UTF-8`() throws {
    let test = try CollectionStore()
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    try test.store.write {
      test.sets.texts.insert(composed)
      test.sets.numbers[composed] = 1
    }
    #expect(test.sets.texts.contains(decomposed) && test.sets.numbers[decomposed] == 1)
    let holders = test.store.objects(SetHolder.self)
    for (text, count) in [(composed, 1), (decomposed, 0)] {
      #expect(holders.where { $0.texts.contains(text) }.count == count)
      #expect(holders.where { $0.numbers.keys == text }.count == count)
      #expect(holders.where { $0.numbers[text] == 1 }.count == 1)
    }
  }

  @Test func `deleting what a collection is asked for deletes the objects`() throws {
    let test = try filled()
    try test.store.write {
      try test.store.delete(test.north.tour.where { $0.size == 4 })
      try test.north.tour.update { $0.size = 50 }
    }
    #expect(test.north.tour.map(\.id) == [3, 18])
    #expect(test.harbors.where { $0.size == 50 }.map(\.id) == [3, 18])
    #expect(test.harbors.count == 18)
    try test.place.expectWhole()
  }

  @Test func `a list of no store cannot be asked`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = StoredList([Harbor(id: 1, name: "")]).limit(1)
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Could not query a collection of 'Harbor'"))
  }
}
