import Foundation
import Testing
import Whimbrel

/// Realm's results change under the loop that goes through them: of those whose change
/// takes them out of the results, every other one is left out, and positions fall off the
/// end.
@Suite struct ChangingResultsTests {
  @Test func `a loop that takes each object out of the results visits each once`() throws {
    let test = try TownStore()
    let small = test.towns.where { $0.size < 3 }
    let expected = small.map(\.id)
    var visited: [Int] = []
    try test.store.write {
      for town in small {
        visited.append(town.id)
        town.size = 9
      }
    }
    #expect(visited == expected && expected.count == 12)
    #expect(small.isEmpty)
  }

  @Test func `a loop that takes objects into the results does not visit them, and ends`() throws {
    let test = try TownStore()
    var visited: [Int] = []
    try test.store.write {
      for town in test.towns.where({ $0.size >= 4 }) {
        visited.append(town.id)
        try test.town((town.id + 1) % 20).size = 4
        try test.store.add(Town(id: 100 + town.id, name: "new", size: 4))
      }
    }
    #expect(visited == [4, 9, 14, 19])
  }

  @Test func `a loop that changes what the results are sorted by keeps its order`() throws {
    let test = try TownStore()
    let sorted = test.towns.sorted(by: \.rank)
    var visited: [Int] = []
    try test.store.write {
      for town in sorted {
        visited.append(town.id)
        town.rank = -town.rank
      }
    }
    #expect(visited == Array(0..<20))
    #expect(sorted.map(\.id) == visited.reversed())
  }

  @Test func `objects deleted on the way are left out`() throws {
    let test = try TownStore()
    var visited: [Int] = []
    try test.store.write {
      for town in test.towns.where({ $0.size > 0 }).sorted(by: \.id, ascending: false) {
        visited.append(town.id)
        for id in [town.id, town.id - 1] {
          if let other = test.store.object(ofType: Town.self, forPrimaryKey: id) {
            try test.store.delete(other)
          }
        }
      }
    }
    #expect(visited == [19, 17, 14, 12, 9, 7, 4, 2])
    try test.place.expectWhole()
  }

  @Test func `a loop goes on over writes of its own`() throws {
    let test = try TownStore()
    let large = test.towns.where { $0.size >= 4 }
    var visited: [Int] = []
    for town in large {
      visited.append(town.id)
      try test.store.write { town.size = 0 }
    }
    #expect(visited == [4, 9, 14, 19])
    #expect(large.isEmpty)
  }

  @Test func `what takes all objects is safe too`() throws {
    let test = try TownStore()
    try test.store.write {
      let names = test.towns.where { $0.size == 1 }.map { town in
        defer { town.size = 2 }
        return town.id
      }
      #expect(names == [1, 6, 11, 16])
      let rest = test.towns.where { $0.size == 2 }.filter { town in
        town.size = 3
        return town.id > 10
      }
      #expect(rest.map(\.id) == [11, 12, 16, 17])
    }
  }

  @Test func `a slice keeps its objects while others come and go`() throws {
    let test = try TownStore()
    let sorted = test.towns.sorted(by: \.id)
    let slice = sorted[5..<10]
    #expect(slice.startIndex == 5 && slice.endIndex == 10 && slice.count == 5)
    #expect(slice[7].id == 7)
    #expect(slice[6..<8].map(\.id) == [6, 7])
    #expect(slice.dropFirst(3).map(\.id) == [8, 9])
    #expect(sorted.prefix(2).map(\.id) == [0, 1])
    #expect(sorted.suffix(2).map(\.id) == [18, 19])
    try test.store.write {
      try test.store.delete(test.town(0))
      for town in slice where town.id % 2 == 1 { try test.store.delete(town) }
    }
    #expect(slice.map(\.id) == [6, 8])
    #expect(Array(slice).count == 2)
    #expect(sorted[5..<7].map(\.id) == [8, 10])
  }

  @Test func `update visits what is found at the start`() throws {
    let test = try TownStore()
    let small = test.towns.where { $0.size < 2 }
    try test.store.write { try small.update { $0.size += 1 } }
    #expect(small.map(\.id) == [0, 5, 10, 15])
    try test.store.write { try small.setValue(8, forKey: "size") }
    #expect(test.towns.where { $0.size == 8 }.map(\.id) == [0, 5, 10, 15])
  }

  @Test func `update outside of a write, and an error in it, change nothing`() throws {
    let test = try TownStore()
    let small = test.towns.where { $0.size < 2 }
    try expectError(.notInWrite) { try small.update { $0.size = 5 } }
    #expect(throws: RollBack.self) {
      try test.store.write {
        try small.update { town in
          town.size = 5
          if town.id > 4 { throw RollBack() }
        }
      }
    }
    #expect(small.count == 8)
    try expectError(.unknownProperty) {
      try test.store.write { try small.setValue(1, forKey: "sise") }
    }
  }

  @Test func `deleting results deletes those that the query finds`() throws {
    let test = try TownStore()
    let small = test.towns.where { $0.size < 2 }
    try test.store.write {
      try test.store.add(Trip(day: 1, town: test.town(5)))
      try test.store.add(Trip(day: 2, town: test.town(4)))
      try test.store.delete(small)
      #expect(small.isEmpty)
    }
    #expect(test.towns.count == 12)
    #expect(test.store.objects(Trip.self).map { $0.town?.id } == [nil, 4])
    try test.store.write {
      try test.store.delete(test.towns.sorted(by: \.id, ascending: false).limit(3))
    }
    #expect(test.towns.last?.id == 14)
    try expectError(.notInWrite) { try test.store.delete(small) }
    try test.store.write {
      let other = try TownStore()
      try expectError(.objectOfOtherStore) { try test.store.delete(other.towns.limit(1)) }
    }
    try test.place.expectWhole()
  }

  @Test func `objects of arrays, lists and inverses are deleted together`() throws {
    let test = try TownStore()
    try test.store.write {
      let (first, second) = (try test.town(0), try test.town(1))
      test.north.tour.append(objectsIn: [first, second, first])
      try test.store.delete(test.north.tour)
      #expect(test.north.tour.isEmpty)
      try test.store.delete(test.south.towns)
      #expect(test.south.towns.isEmpty)
      try test.store.delete([test.town(2), test.town(2)])
    }
    #expect(test.towns.map(\.id) == [3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18])
    try test.store.write {
      let towns = Array(test.towns.limit(2))
      try test.store.delete(towns[0])
      try expectError(.objectDeleted) { try test.store.delete(towns) }
      try expectError(.objectOfOtherStore) {
        try test.store.delete([Town(id: 77, name: "in no store")])
      }
      #expect(!towns[1].isInvalidated)
    }
    try test.place.expectWhole()
  }
}
