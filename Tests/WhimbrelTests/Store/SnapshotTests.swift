import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct SnapshotTests {
  @Test func `a store shows the writes of another after refresh`() throws {
    let test = try TestStore()
    let (writer, reader) = (try test.open(), try test.open())
    #expect(try reader.refresh() == false)
    let node = Node(name: "first")
    try writer.write { try writer.add(node) }
    #expect(reader.objects(Node.self).isEmpty)
    #expect(try reader.refresh())
    #expect(try reader.refresh() == false)
    let seen = try #require(reader.objects(Node.self).first)
    #expect(seen.isSameObject(as: node))
    #expect(seen.name == "first")

    try writer.write { node.name = "second" }
    #expect(seen.name == "first")
    try reader.refresh()
    #expect(seen.name == "second")

    try writer.write { try writer.delete(node) }
    #expect(!seen.isInvalidated)
    #expect(seen.name == "second")
    try reader.refresh()
    #expect(seen.isInvalidated)
    try test.expectWhole()
  }

  @Test func `a write begins with the last commit, and a store's own needs no refresh`() throws {
    let test = try TestStore()
    let (first, second) = (try test.open(), try test.open())
    try first.write { try first.add(Numbered(number: 1)) }
    try second.write {
      #expect(second.objects(Numbered.self).count == 1)
      #expect(try second.refresh() == false)
      try second.add(Numbered(number: 2))
    }
    #expect(try second.refresh() == false)
    #expect(first.objects(Numbered.self).count == 1)
    #expect(try first.refresh())
    #expect(first.objects(Numbered.self).count == 2)
    try test.expectWhole()
  }

  @Test func `a snapshot stays whole through many writes of others`() throws {
    let test = try TestStore()
    let writer = try test.open()
    try writer.write { try writer.add((0..<500).map { Numbered(number: $0, text: "old") }) }
    let reader = try test.open()
    let results = reader.objects(Numbered.self)
    var iterator = results.makeIterator()
    for _ in 0..<100 { _ = iterator.next() }
    for round in 0..<20 {
      try writer.write {
        for object in writer.objects(Numbered.self) { object.text = "new \(round)" }
      }
    }
    try writer.write { try writer.deleteAll() }
    var rest = 0
    while let object = iterator.next() {
      #expect(object.text == "old")
      rest += 1
    }
    #expect(rest == 400)
    #expect(results.count == 500)
    #expect(results[499].text == "old")
    try reader.refresh()
    #expect(results.isEmpty)
    try test.expectWhole()
  }
}
