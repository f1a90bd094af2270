import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Model
private final class Parcel {
  @PrimaryKey var code: String
  @Indexed var weight: Int = 0
  @Indexed(.fullText) var label: String = ""
  @Indexed(.unique) var slot: Int?
  var note: String?
  var items: StoredList<Int>
  var next: Parcel?
  var stamp: Stamp?
  @Inverse(of: \Parcel.next) var previous: LinkingObjects<Parcel>
}

@Model(.embedded)
private final class Stamp {
  var value: Int = 0
}

/// Changes of one object in a row are written together. Nothing may show that they are.
struct CollectedChangesTests {
  let test: TestStore
  let store: Store

  init() throws {
    test = try TestStore([Parcel.self, Stamp.self])
    store = try test.open()
    try store.write {
      for code in ["a", "b", "c"] { try store.add(Parcel(code: code)) }
    }
  }

  private func parcel(_ code: String) throws -> Parcel {
    try #require(store.object(ofType: Parcel.self, forPrimaryKey: code))
  }

  @Test func `what is changed is seen by every way to look at it`() throws {
    try store.write {
      let (parcel, same) = (try parcel("a"), try parcel("a"))
      let all = store.objects(Parcel.self)
      parcel.weight = 7
      parcel.label = "green tea"
      #expect(all.where { $0.weight == 7 }.count == 1)
      parcel.note = "n"
      #expect(same.note == "n" && same.label == "green tea")
      parcel.note = "m"
      #expect(all.where { $0.note == "m" }.first?.code == "a")
      parcel.weight = 8
      #expect(all.sorted(by: \.weight).last?.code == "a")
      parcel.weight = 9
      #expect(all.sum(of: \.weight) == 9)
      parcel.label = "black tea"
      #expect(all.where { $0.label.search("black") }.count == 1)
      parcel.note = "d"
      #expect(try store.dynamicObjects("Parcel").where("note == 'd'").count == 1)
      parcel.next = try self.parcel("b")
      #expect(try self.parcel("b").previous.map(\.code) == ["a"])
      parcel.weight = 10
      #expect("\(same)".contains("weight: 10"))
      #expect(parcel.weight == 10 && parcel.label == "black tea")
    }
    #expect(try parcel("a").weight == 10)
    try test.expectWhole()
  }

  @Test func `objects that are gone through can be changed meanwhile`() throws {
    try store.write {
      for (number, parcel) in store.objects(Parcel.self).enumerated() {
        parcel.weight = number
        parcel.note = String(repeating: "x", count: number * 700)
        parcel.label = "number \(number)"
        #expect(parcel.note?.count == number * 700)
        parcel.items.append(number)
        parcel.weight += 100
      }
    }
    #expect(store.objects(Parcel.self).map(\.weight) == [100, 101, 102])
    #expect(store.objects(Parcel.self).map { Array($0.items) } == [[0], [1], [2]])
    try test.expectWhole()
  }

  // After a change, the loop goes on from the place of the change without a search.
  @Test func `a loop that changes objects and deletes others visits each once`() throws {
    let codes = (0..<2_000).map { "n\($0)" }
    try store.write {
      try store.deleteAll()
      for code in codes { try store.add(Parcel(code: code)) }
      var (visited, deleted): ([String], Set<String>) = ([], [])
      for (number, parcel) in store.objects(Parcel.self).enumerated() {
        visited.append(parcel.code)
        parcel.weight += 1
        // Of another size, so that the record moves.
        if number % 5 == 0 { parcel.note = String(repeating: "x", count: number % 90) }
        guard number % 3 == 0 else { continue }
        let next = "n\(number + 1 + number % 4 + deleted.count)"
        if let other = store.object(ofType: Parcel.self, forPrimaryKey: next) {
          deleted.insert(next)
          try store.delete(other)
        }
        if number % 2 == 0 { parcel.weight += 1 }
      }
      #expect(deleted.count > 300 && visited == codes.filter { !deleted.contains($0) })
    }
    let all = store.objects(Parcel.self)
    #expect(all.enumerated().allSatisfy { $1.weight == ($0 % 6 == 0 ? 2 : 1) })
    try test.expectWhole()
  }

  @Test func `a read keeps what it has read while other objects are changed`() throws {
    try store.write {
      let (first, second) = (try parcel("a"), try parcel("b"))
      first.note = "first"
      #expect(first.note == "first")
      second.note = "second, and longer"
      #expect(first.note == "first" && second.note == "second, and longer")
      first.note = "1"
      second.weight = 2
      first.weight = 1
      #expect(first.note == "1" && second.weight == 2 && first.weight == 1)
    }
    try test.expectWhole()
  }

  @Test func `deleting a changed object deletes it`() throws {
    try store.write {
      let parcel = try parcel("a")
      parcel.weight = 5
      parcel.label = "gone"
      try store.delete(parcel)
      #expect(parcel.isInvalidated)
      #expect(store.objects(Parcel.self).where { $0.weight == 5 }.isEmpty)
    }
    #expect(store.objects(Parcel.self).count == 2)
    try test.expectWhole()
  }

  @Test func `values that others have fail the write when it ends, and nothing of it stays`()
    throws
  {
    try store.write { try parcel("a").slot = 1 }
    #expect(throws: StoreError.self) {
      try store.write {
        let parcel = try parcel("b")
        parcel.weight = 3
        parcel.slot = 1
        #expect(parcel.slot == 1)
        parcel.weight = 4
      }
    }
    #expect(try parcel("b").slot == nil)
    #expect(try parcel("b").weight == 0)
    try test.expectWhole()
  }

  @Test func `an embedded object that is replaced goes at once`() throws {
    try store.write { try parcel("a").stamp = Stamp(value: 1) }
    try store.write {
      let parcel = try parcel("a")
      parcel.weight = 1
      let stamp = try #require(parcel.stamp)
      stamp.value = 2
      parcel.stamp = Stamp(value: 3)
      #expect(stamp.isInvalidated)
      parcel.weight = 2
      #expect(parcel.stamp?.value == 3)
    }
    try test.expectWhole()
  }

  @Test func `a write that throws undoes what is not yet written`() throws {
    let parcel = try parcel("a")
    #expect(throws: RollBack.self) {
      try store.write {
        parcel.weight = 5
        parcel.note = "never"
        throw RollBack()
      }
    }
    #expect(parcel.weight == 0 && parcel.note == nil)
    try store.beginWrite()
    parcel.weight = 6
    try store.cancelWrite()
    #expect(parcel.weight == 0)
    try store.beginWrite()
    parcel.weight = 7
    try store.commitWrite()
    #expect(parcel.weight == 7)
    #expect(try test.open().objects(Parcel.self).where { $0.weight == 7 }.count == 1)
  }

  @Test func `a text may be replaced as often as one likes`() throws {
    try store.write {
      let parcel = try parcel("a")
      for number in 0..<2_000 {
        parcel.note = String(repeating: "y", count: 1 + number)
        parcel.label = "l\(number)"
      }
      #expect(parcel.note?.count == 2_000 && parcel.label == "l1999")
    }
    try test.expectWhole()
  }
}
