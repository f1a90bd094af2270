import Foundation
import Testing

@testable import Whimbrel

/// Realm's results change under the loop that goes through them: of those whose change
/// takes them out of the results, every other one is left out, and positions fall off the
/// end.
@Suite struct ChangingResultsTests {
  @Test func `a loop that takes each object out of the results visits each once`() throws {
    let test = try HarborStore()
    let small = test.harbors.where { $0.size < 3 }
    let expected = small.map(\.id)
    var visited: [Int] = []
    try test.store.write {
      for harbor in small {
        visited.append(harbor.id)
        harbor.size = 9
      }
    }
    #expect(visited == expected && expected.count == 12)
    #expect(small.isEmpty)
  }

  @Test func `a loop that takes objects into the results does not visit them, and ends`() throws {
    let test = try HarborStore()
    var visited: [Int] = []
    try test.store.write {
      for harbor in test.harbors.where({ $0.size >= 4 }) {
        visited.append(harbor.id)
        try test.harbor((harbor.id + 1) % 20).size = 4
        try test.store.add(Harbor(id: 100 + harbor.id, name: "new", size: 4))
      }
    }
    #expect(visited == [4, 9, 14, 19])
  }

  @Test func `all objects of a model are gone through up to the last, with new keys before it`()
    throws
  {
    let test = try HarborStore()
    var visited: [Int] = []
    try test.store.write {
      try test.store.delete(test.harbors.where { $0.id > 2 && $0.id < 17 })
      for harbor in test.harbors {
        visited.append(harbor.id)
        if harbor.id == 2 {
          for id in [-1, 9, 40] { try test.store.add(Harbor(id: id, name: "new")) }
        }
      }
    }
    #expect(visited == [0, 1, 2, 9, 17, 18, 19])
    visited = []
    try test.store.write {
      for harbor in test.harbors.where({ $0.id >= 0 }) {
        visited.append(harbor.id)
        if harbor.id == 2 { try test.store.add(Harbor(id: 10, name: "new")) }
      }
    }
    #expect(visited == [0, 1, 2, 9, 17, 18, 19, 40])
  }

  @Test func `a loop that changes what the results are sorted by keeps its order`() throws {
    let test = try HarborStore()
    let sorted = test.harbors.sorted(by: \.rank)
    var visited: [Int] = []
    try test.store.write {
      for harbor in sorted {
        visited.append(harbor.id)
        harbor.rank = -harbor.rank
      }
    }
    #expect(visited == Array(0..<20))
    #expect(sorted.map(\.id) == visited.reversed())
  }

  @Test func `objects deleted on the way are left out`() throws {
    let test = try HarborStore()
    var visited: [Int] = []
    try test.store.write {
      for harbor in test.harbors.where({ $0.size > 0 }).sorted(by: \.id, ascending: false) {
        visited.append(harbor.id)
        for id in [harbor.id, harbor.id - 1] {
          if let other = test.store.object(ofType: Harbor.self, forPrimaryKey: id) {
            try test.store.delete(other)
          }
        }
      }
    }
    #expect(visited == [19, 17, 14, 12, 9, 7, 4, 2])
    try test.place.expectWhole()
  }

  @Test func `a loop goes on over writes of its own`() throws {
    let test = try HarborStore()
    let large = test.harbors.where { $0.size >= 4 }
    var visited: [Int] = []
    for harbor in large {
      visited.append(harbor.id)
      try test.store.write { harbor.size = 0 }
    }
    #expect(visited == [4, 9, 14, 19])
    #expect(large.isEmpty)
  }

  @Test func `what takes all objects is safe too`() throws {
    let test = try HarborStore()
    try test.store.write {
      let names = test.harbors.where { $0.size == 1 }.map { harbor in
        defer { harbor.size = 2 }
        return harbor.id
      }
      #expect(names == [1, 6, 11, 16])
      let rest = test.harbors.where { $0.size == 2 }.filter { harbor in
        harbor.size = 3
        return harbor.id > 10
      }
      #expect(rest.map(\.id) == [11, 12, 16, 17])
    }
  }

  @Test func `a slice keeps its objects while others come and go`() throws {
    let test = try HarborStore()
    let sorted = test.harbors.sorted(by: \.id)
    let slice = sorted[5..<10]
    #expect(slice.startIndex == 5 && slice.endIndex == 10 && slice.count == 5)
    #expect(slice[7].id == 7)
    #expect(slice[6..<8].map(\.id) == [6, 7])
    #expect(slice.dropFirst(3).map(\.id) == [8, 9])
    #expect(sorted.prefix(2).map(\.id) == [0, 1])
    #expect(sorted.suffix(2).map(\.id) == [18, 19])
    // The first objects are the same, whether all are known already or not.
    let large = test.harbors.where { $0.size > 2 }
    for kept in [large, large.sorted(by: \.rank).limit(4), test.harbors.offset(3)] {
      for count in [0, 1, 3, 4, 5, 100] {
        let first = kept.prefix(count).map(\.id)
        let fresh = Results<Harbor>(ObjectList(test.store.session, kept.base.request))
        #expect(first == fresh.prefix(count).map(\.id))
        #expect(first == Array(kept.map(\.id).prefix(count)))
      }
    }
    try test.store.write {
      try test.store.delete(test.harbor(0))
      for harbor in slice where harbor.id % 2 == 1 { try test.store.delete(harbor) }
    }
    #expect(slice.map(\.id) == [6, 8])
    #expect(Array(slice).count == 2)
    #expect(sorted[5..<7].map(\.id) == [8, 10])
    // The results have been found again, but the slice is older.
    #expect(slice[5].isInvalidated && !slice[6].isInvalidated)
    // The deleted objects were noted as damage of the file, so the next write failed.
    try test.store.write { try test.harbor(6).size = 5 }
  }

  @Test func `update visits what is found at the start`() throws {
    let test = try HarborStore()
    let small = test.harbors.where { $0.size < 2 }
    try test.store.write { try small.update { $0.size += 1 } }
    #expect(small.map(\.id) == [0, 5, 10, 15])
    try test.store.write { try small.setValue(8, forKey: "size") }
    #expect(test.harbors.where { $0.size == 8 }.map(\.id) == [0, 5, 10, 15])
  }

  @Test func `update outside of a write, and an error in it, change nothing`() throws {
    let test = try HarborStore()
    let small = test.harbors.where { $0.size < 2 }
    try expectError(.notInWrite) { try small.update { $0.size = 5 } }
    #expect(throws: RollBack.self) {
      try test.store.write {
        try small.update { harbor in
          harbor.size = 5
          if harbor.id > 4 { throw RollBack() }
        }
      }
    }
    #expect(small.count == 8)
    try expectError(.unknownProperty) {
      try test.store.write { try small.setValue(1, forKey: "sise") }
    }
  }

  @Test func `deleting results deletes those that the query finds`() throws {
    let test = try HarborStore()
    let small = test.harbors.where { $0.size < 2 }
    try test.store.write {
      try test.store.add(Voyage(day: 1, harbor: test.harbor(5)))
      try test.store.add(Voyage(day: 2, harbor: test.harbor(4)))
      try test.store.delete(small)
      #expect(small.isEmpty)
    }
    #expect(test.harbors.count == 12)
    #expect(test.store.objects(Voyage.self).map { $0.harbor?.id } == [nil, 4])
    try test.store.write {
      try test.store.delete(test.harbors.sorted(by: \.id, ascending: false).limit(3))
    }
    #expect(test.harbors.last?.id == 14)
    try expectError(.notInWrite) { try test.store.delete(small) }
    try test.store.write {
      let other = try HarborStore()
      try expectError(.objectOfOtherStore) { try test.store.delete(other.harbors.limit(1)) }
    }
    try test.place.expectWhole()
  }

  @Test func `objects of arrays, lists and inverses are deleted together`() throws {
    let test = try HarborStore()
    try test.store.write {
      let (first, second) = (try test.harbor(0), try test.harbor(1))
      test.north.tour.append(objectsIn: [first, second, first])
      try test.store.delete(test.north.tour)
      #expect(test.north.tour.isEmpty)
      try test.store.delete(test.south.harbors)
      #expect(test.south.harbors.isEmpty)
      try test.store.delete([test.harbor(2), test.harbor(2)])
    }
    #expect(test.harbors.map(\.id) == [3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18])
    try test.store.write {
      let harbors = Array(test.harbors.limit(2))
      try test.store.delete(harbors[0])
      try expectError(.objectDeleted) { try test.store.delete(harbors) }
      try expectError(.notInStore) {
        try test.store.delete([Harbor(id: 77, name: "in no store")])
      }
      #expect(!harbors[1].isInvalidated)
    }
    try test.place.expectWhole()
  }
}
