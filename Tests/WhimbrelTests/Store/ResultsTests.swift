import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct ResultsTests {
  private func filled(_ count: Int) throws -> (TestStore, Store) {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add((0..<count).map { Numbered(number: $0) }) }
    return (test, store)
  }

  @Test func `results are live`() throws {
    let (test, store) = try filled(3)
    let results = store.objects(Numbered.self)
    #expect(results.count == 3)
    try store.write {
      try store.add(Numbered(number: -1))
      #expect(results.count == 4)
      #expect(results.first?.number == -1)
      try store.delete(try #require(results.last))
      #expect(results.last?.number == 1)
      #expect(results[0].number == -1)
    }
    #expect(results.map(\.number) == [-1, 0, 1])
    #expect(throws: RollBack.self) {
      try store.write {
        try store.delete(results)
        #expect(results.isEmpty)
        #expect(results.first == nil)
        #expect(results.last == nil)
        throw RollBack()
      }
    }
    #expect(results.map(\.number) == [-1, 0, 1])
    try test.expectWhole()
  }

  @Test func `results of an empty class are empty`() throws {
    let store = try TestStore().open()
    let results = store.objects(Node.self)
    #expect(results.isEmpty && results.count == 0 && results.startIndex == results.endIndex)
    #expect(results.first == nil && results.last == nil)
    #expect(Array(results).isEmpty)
    var iterator = results.makeIterator()
    #expect(iterator.next() == nil)
    #expect(iterator.next() == nil)
  }

  @Test func `positions, slices and algorithms agree with iteration`() throws {
    let (_, store) = try filled(100)
    let results = store.objects(Numbered.self)
    let numbers = Array(0..<100)
    #expect(results.map(\.number) == numbers)
    #expect(results.indices.map { results[$0].number } == numbers)
    #expect(results[10..<20].map(\.number) == Array(10..<20))
    #expect(results.dropFirst(95).map(\.number) == Array(95..<100))
    #expect(results.suffix(2).first?.number == 98)
    #expect(results.reversed().prefix(3).map(\.number) == [99, 98, 97])
    #expect(results.prefix(3)[2].number == 2)
    #expect(results.index(results.startIndex, offsetBy: 7) == 7)
    #expect(results.lazy.filter { $0.number % 2 == 1 }.map(\.number).first == 1)
    #expect(results.randomElement() != nil)
  }

  @Test func `deleting each object in the loop visits each once`() throws {
    let (test, store) = try filled(1_000)
    var visited: [Int] = []
    try store.write {
      for object in store.objects(Numbered.self) {
        visited.append(object.number)
        try store.delete(object)
      }
    }
    #expect(visited == Array(0..<1_000))
    #expect(store.objects(Numbered.self).isEmpty)
    try test.expectWhole()
  }

  @Test func `objects deleted ahead and behind are left out`() throws {
    let (test, store) = try filled(100)
    var visited: [Int] = []
    try store.write {
      for object in store.objects(Numbered.self) {
        visited.append(object.number)
        for key in [object.number + 1, object.number - 2] {
          if let other = store.object(ofType: Numbered.self, forPrimaryKey: key) {
            try store.delete(other)
          }
        }
      }
    }
    #expect(visited == Array(stride(from: 0, to: 100, by: 2)))
    #expect(store.objects(Numbered.self).map(\.number) == [98])
    try test.expectWhole()
  }

  @Test func `objects added behind the end in the loop are not visited, and it ends`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add((0..<50).map { Node(name: "\($0)") }) }
    var visits = 0
    try store.write {
      for object in store.objects(Node.self) {
        visits += 1
        try store.add(Node(name: object.name + "+"))
      }
    }
    #expect(visits == 50)
    #expect(store.objects(Node.self).count == 100)
    try test.expectWhole()
  }

  @Test func `changing every object in the loop visits each once`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add((0..<300).map { Node(name: "\($0)") }) }
    var visits = 0
    try store.write {
      for object in store.objects(Node.self) {
        visits += 1
        object.name += String(repeating: "longer", count: visits)
      }
    }
    #expect(visits == 300)
    #expect(store.objects(Node.self).allSatisfy { $0.name.hasSuffix("longer") })
    try test.expectWhole()
  }

  @Test func `a loop goes on when its objects are written one write each`() throws {
    let (test, store) = try filled(40)
    for object in store.objects(Numbered.self) {
      try store.write { object.text = "\(object.number)" }
    }
    #expect(store.objects(Numbered.self).map(\.text) == (0..<40).map(String.init))
    try test.expectWhole()
  }

  @Test func `a loop over the greatest integer key ends`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write {
      try store.add([Numbered(number: .max), Numbered(number: .min)])
      var visited: [Int] = []
      for object in store.objects(Numbered.self) {
        visited.append(object.number)
        object.text = "x"
      }
      #expect(visited == [.min, .max])
    }
    try test.expectWhole()
  }

  @Test func `a loop over a class that is emptied on the way ends`() throws {
    let (test, store) = try filled(10)
    var visits = 0
    try store.write {
      for _ in store.objects(Numbered.self) {
        visits += 1
        try store.deleteAll()
      }
    }
    #expect(visits == 1)
    try test.expectWhole()
  }
}
