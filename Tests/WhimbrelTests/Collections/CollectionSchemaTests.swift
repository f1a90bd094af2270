import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Model("Holder") final class HolderBefore {
  @PrimaryKey var id: Int
}

@Model("Holder") final class HolderAfter {
  @PrimaryKey var id: Int
  var texts: StoredList<String> = ["a", "b"]
  var numbers: StoredSet<Int> = [2, 1]
  var values: StoredMap<String, Double> = ["x": 1]
  var steps: StoredList<Step>
  var parts: StoredList<Part>
}

@Suite struct CollectionSchemaTests {
  @Test func `collections that are added to a model have their defaults`() throws {
    let place = try TestStore([HolderBefore.self])
    let before = try place.open()
    try before.write { try before.add([HolderBefore(id: 1), HolderBefore(id: 2)]) }
    try before.close()
    var later = place
    later.configuration.models = [
      HolderAfter.self, ListHolder.self, Part.self, SetHolder.self, Friend.self,
    ]
    later.configuration.schemaVersion = 1
    let store = try later.open()
    let holders = Array(store.objects(HolderAfter.self))
    for holder in holders {
      #expect(holder.texts == ["a", "b"] && holder.numbers == [1, 2] && holder.values == ["x": 1])
      #expect(holder.steps.isEmpty && holder.parts.isEmpty && holder.texts[1] == "b")
      #expect(holder.texts.map(\.count) == [1, 1] && holder.values["x"] == 1)
    }
    try store.write {
      holders[0].texts.append("c")
      holders[0].numbers.insert(3)
      holders[0].values["y"] = 2
      holders[0].steps.append(.up)
      holders[0].parts.append(Part(name: "p"))
      try store.add(HolderAfter(id: 3))
    }
    #expect(holders[0].texts == ["a", "b", "c"] && holders[0].numbers == [1, 2, 3])
    #expect(holders[0].values == ["x": 1, "y": 2] && holders[0].steps == [.up])
    #expect(holders[1].texts == ["a", "b"] && store.objects(HolderAfter.self).count == 3)
    #expect(store.objects(HolderAfter.self).last?.texts == ["a", "b"])
    try later.expectWhole()
  }

  @Test func `each object has its own default`() {
    let (first, second) = (HolderAfter(id: 1), HolderAfter(id: 2))
    first.texts.append("c")
    #expect(second.texts == ["a", "b"] && first.texts.count == 3)
  }
}
