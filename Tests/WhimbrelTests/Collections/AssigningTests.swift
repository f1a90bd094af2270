import Foundation
import Testing
import Whimbrel

/// Setting the collection of an object that is in no store.
@Suite struct AssigningTests {
  @Test func `an unmanaged object gets a copy of a collection`() {
    let (first, second) = (Shelf(), Shelf())
    first.names = ["a"]
    first.marks = [1]
    first.counts = ["x": 1]
    second.names = first.names
    second.marks = first.marks
    second.counts = first.counts
    first.names.append("b")
    first.marks.insert(2)
    first.counts["y"] = 2
    #expect(Array(second.names) == ["a"])
    #expect(Array(second.marks) == [1])
    #expect(second.counts["y"] == nil)
    #expect(second.counts["x"] == 1)
  }

  @Test func `a collection that is set to itself stays what it is`() {
    let shelf = Shelf(names: ["a"])
    let names = shelf.names
    shelf.names = names
    names.append("b")
    #expect(Array(shelf.names) == ["a", "b"])
  }
}

@Model
final class Shelf {
  var names: StoredList<String>
  var marks: StoredSet<Int>
  var counts: StoredMap<String, Int>
}
