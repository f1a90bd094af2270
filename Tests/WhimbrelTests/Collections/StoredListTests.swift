import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct StoredListTests {
  /// Does the same with an unmanaged and a managed list, and compares with an array.
  private func expectSame(
    _ start: [Int], sourceLocation: SourceLocation = #_sourceLocation,
    _ array: (inout [Int]) -> Void, _ list: (StoredList<Int>) -> Void
  ) throws {
    var expected = start
    array(&expected)
    let unmanaged = StoredList(start)
    list(unmanaged)
    #expect(Array(unmanaged) == expected, sourceLocation: sourceLocation)
    let test = try CollectionStore()
    try test.store.write {
      test.holder.ints.append(objectsIn: start)
      list(test.holder.ints)
      #expect(Array(test.holder.ints) == expected, sourceLocation: sourceLocation)
    }
    #expect(Array(test.holder.ints) == expected, sourceLocation: sourceLocation)
    #expect(test.holder.ints == unmanaged, sourceLocation: sourceLocation)
    try test.place.expectWhole(sourceLocation: sourceLocation)
  }

  @Test func `a list changes as an array does`() throws {
    let start = Array(0..<10)
    try expectSame(start, { $0.append(7) }, { $0.append(7) })
    try expectSame(start, { $0.append(contentsOf: [1, 2]) }, { $0.append(contentsOf: [1, 2]) })
    try expectSame(start, { $0.insert(5, at: 0) }, { $0.insert(5, at: 0) })
    try expectSame(start, { $0.insert(5, at: 10) }, { $0.insert(5, at: 10) })
    try expectSame(
      start, { $0.insert(contentsOf: [5, 6], at: 4) }, { $0.insert(contentsOf: [5, 6], at: 4) })
    try expectSame(start, { $0.remove(at: 3) }, { $0.remove(at: 3) })
    try expectSame(start, { $0.removeFirst() }, { $0.removeFirst() })
    try expectSame(start, { $0.removeLast() }, { $0.removeLast() })
    try expectSame(start, { $0.removeFirst(3) }, { $0.removeFirst(3) })
    try expectSame(start, { $0.removeLast(3) }, { $0.removeLast(3) })
    try expectSame(start, { $0.removeSubrange(2..<5) }, { $0.removeSubrange(2..<5) })
    try expectSame(start, { $0.removeSubrange(2...) }, { $0.removeSubrange(2..<10) })
    try expectSame(start, { $0.removeAll() }, { $0.removeAll() })
    try expectSame(
      start, { $0.removeAll { $0.isMultiple(of: 2) } }, { $0.removeAll { $0.isMultiple(of: 2) } })
    try expectSame(
      start, { $0.replaceSubrange(2..<4, with: [9, 9, 9]) },
      { $0.replaceSubrange(2..<4, with: [9, 9, 9]) })
    try expectSame(start, { $0[4] = -1 }, { $0[4] = -1 })
    try expectSame(start, { $0[4] = -1 }, { $0.replace(index: 4, object: -1) })
    try expectSame(start, { $0.swapAt(1, 8) }, { $0.swapAt(1, 8) })
    try expectSame(start, { $0.sort(by: >) }, { $0.sort(by: >) })
    try expectSame([3, 1, 2], { $0.sort() }, { $0.sort() })
    try expectSame(start, { $0.reverse() }, { $0.reverse() })
    try expectSame(start, { $0.insert($0.remove(at: 2), at: 7) }, { $0.move(from: 2, to: 7) })
    try expectSame(start, { $0.insert($0.remove(at: 7), at: 2) }, { $0.move(from: 7, to: 2) })
    try expectSame(start, { $0 = [1, 2, 3, 4, 0, 5, 6, 7, 8, 9] }, { $0.move(from: 0, to: 4) })
    try expectSame(
      start, { $0 = [0, 2, 3, 1, 5, 9, 4, 6, 7, 8] },
      { $0.move(fromOffsets: [1, 5, 9], toOffset: 4) })
    try expectSame(
      start, { $0 = [0, 2, 4, 5, 6, 7, 8] }, { $0.remove(atOffsets: [1, 3, 9]) })
  }

  // A slice that got another number of elements stopped the program.
  @Test func `a slice of a list changes the list as one of an array does`() throws {
    let start = Array(0..<10)
    try expectSame(start, { $0[2..<5].append(99) }, { $0[2..<5].append(99) })
    try expectSame(start, { $0[2..<5].insert(99, at: 3) }, { $0[2..<5].insert(99, at: 3) })
    try expectSame(start, { $0[2..<5].removeFirst() }, { $0[2..<5].removeFirst() })
    try expectSame(start, { $0[2..<5].removeLast(2) }, { $0[2..<5].removeLast(2) })
    try expectSame(start, { $0[2..<5].remove(at: 3) }, { _ = $0[2..<5].remove(at: 3) })
    try expectSame(start, { $0[2..<5].removeAll() }, { $0[2..<5].removeAll() })
    try expectSame(
      start, { $0[2..<9].removeAll { $0 % 2 == 0 } }, { $0[2..<9].removeAll { $0 % 2 == 0 } })
    try expectSame(start, { $0[2..<5].reverse() }, { $0[2..<5].reverse() })
    try expectSame(start, { $0[2..<9].sort(by: >) }, { $0[2..<9].sort(by: >) })
    try expectSame(start, { $0[3..<3].append(99) }, { $0[3..<3].append(99) })
    try expectSame(start, { $0[2..<4] = $0[1..<9] }, { $0[2..<4] = $0[1..<9] })
    try expectSame(start, { $0[2..<4] = $0[2..<9] }, { $0[2..<4] = $0[2..<9] })
    try expectSame(start, { $0[2..<4] = $0[5..<5] }, { $0[2..<4] = $0[5..<5] })
    try expectSame(
      start, { $0[0..<10] = [1, 2][0..<2] }, { $0[0..<10] = StoredList([1, 2])[0..<2] })
    func changeRest<Elements: MutableCollection & RangeReplaceableCollection<Int>>(
      _ elements: inout Elements
    ) where Elements.Index == Int, Elements.SubSequence: RangeReplaceableCollection {
      elements[4...].removeAll { $0 % 3 == 0 }
      elements[..<2] = elements[1..<4]
    }
    try expectSame(
      start, { changeRest(&$0) },
      { list in
        var list = list
        changeRest(&list)
      })
  }

  @Test func `algorithms of the standard library work on a list`() throws {
    func reversed(_ elements: inout some MutableCollection<Int> & BidirectionalCollection) {
      elements.reverse()
    }
    func sorted(_ elements: inout some MutableCollection<Int> & RandomAccessCollection) {
      elements.sort()
    }
    try expectSame(
      [3, 1, 2], { $0.reverse() },
      { list in
        var same = list
        reversed(&same)
      })
    try expectSame(
      [3, 1, 2], { $0.sort() },
      { list in
        var same = list
        sorted(&same)
      })
    try expectSame(
      [3, 1, 2], { $0 += [4, 5] },
      { list in
        var same = list
        same += [4, 5]
      })
    let list: StoredList = [3, 1, 2]
    #expect(Array(list + [4]) == [3, 1, 2, 4] && Array([4] + list) == [4, 3, 1, 2])
    #expect(Array(list + list) == [3, 1, 2, 3, 1, 2] && list.count == 3)
    #expect(list.map { $0 * 2 } == [6, 2, 4] && list.contains(2) && list.max() == 3)
    #expect(Array(list[1..<3]) == [1, 2] && Array(list.dropFirst()) == [1, 2])
    #expect(list.first == 3 && list.last == 2 && StoredList<Int>().first == nil)
    #expect(list.index(of: 2) == 2 && list.index(of: 9) == nil)
    #expect(list.index { $0 < 3 } == 1)
    list.shuffle()
    #expect(list.sorted() == [1, 2, 3])
    #expect(Array(StoredList(repeating: 1, count: 3)) == [1, 1, 1])
  }

  @Test func `setting a property copies the elements`() throws {
    let test = try CollectionStore()
    let other = ListHolder(id: 2, ints: [7, 8, 9], texts: ["a"])
    try test.store.write {
      try test.store.add(other)
      test.holder.ints = other.ints
      test.holder.ints.append(10)
      #expect(Array(other.ints) == [7, 8, 9])
      #expect(Array(test.holder.ints) == [7, 8, 9, 10])
      test.holder.ints = test.holder.ints
      #expect(Array(test.holder.ints) == [7, 8, 9, 10])
      // A managed list is live: copies are exchanged.
      (test.holder.ints, other.ints) = (StoredList(other.ints), StoredList(test.holder.ints))
      #expect(Array(test.holder.ints) == [7, 8, 9] && Array(other.ints) == [7, 8, 9, 10])
      test.holder.ints = StoredList(test.holder.ints.reversed())
      #expect(Array(test.holder.ints) == [9, 8, 7])
      let slice = StoredList(test.holder.ints[1..<3])
      test.holder.ints = slice
      #expect(Array(test.holder.ints) == [8, 7])
      let free: StoredList = [1]
      test.holder.ints = free
      free.append(2)
      #expect(Array(test.holder.ints) == [1] && !free.isManaged)
      test.holder.ints.append(objectsIn: test.holder.ints)
      #expect(Array(test.holder.ints) == [1, 1])
      test.holder.ints.sort(by: >)
      test.holder.ints += [5]
      #expect(Array(test.holder.ints) == [1, 1, 5])
    }
    try test.place.expectWhole()
  }

  @Test func `a list becomes managed with its object`() throws {
    let test = try CollectionStore()
    let other = ListHolder(id: 2, ints: [1, 2])
    let list = other.ints
    #expect(!list.isManaged && !list.isInvalidated)
    try test.store.write {
      try test.store.add(other)
      #expect(list.isManaged && Array(list) == [1, 2])
      list.append(3)
      #expect(Array(other.ints) == [1, 2, 3])
    }
    let refused = ListHolder(id: 2, ints: [5], friends: [Friend(name: "a")])
    let kept = refused.ints
    try test.store.write {
      try expectError(.duplicatePrimaryKey) { try test.store.add(refused) }
    }
    #expect(!kept.isManaged && Array(kept) == [5] && Array(refused.ints) == [5])
    kept.append(6)
    #expect(Array(refused.ints) == [5, 6])
    #expect(test.store.objects(Friend.self).isEmpty)
  }

  @Test func `a list given to two objects belongs to neither`() throws {
    let test = try CollectionStore()
    let shared: StoredList = [1]
    let (first, second) = (ListHolder(id: 2, ints: shared), ListHolder(id: 3, ints: shared))
    try test.store.write {
      try test.store.add(first)
      try test.store.add(second)
      shared.append(2)
    }
    #expect(Array(first.ints) == [1] && Array(second.ints) == [1])
    #expect(!shared.isManaged && Array(shared) == [1, 2])
    try test.place.expectWhole()
  }

  @Test func `a loop over texts goes from index to index while the list changes`() throws {
    let test = try CollectionStore()
    try test.store.write {
      let list = test.holder.texts
      list.append(objectsIn: (0..<2_000).map { "\($0)" })
      var seen = 0
      for element in list {
        seen += 1
        if element.hasSuffix("00") { list.removeLast(100) }
      }
      #expect(seen < 2_000 && seen >= list.count)
      seen = 0
      for _ in list where seen < 5_000 {
        seen += 1
        list.append("1")
      }
      #expect(seen == 5_000)
      for _ in list { list.removeAll() }
      #expect(list.isEmpty)
    }
  }

  @Test func `a list takes a hundred thousand elements`() throws {
    let test = try CollectionStore()
    var expected = (0..<100_000).map { $0 * 7 % 100_003 }
    let other = ListHolder(id: 2, ints: StoredList(expected))
    try test.store.write {
      try test.store.add(other)
      test.holder.ints = other.ints
      test.holder.texts.append(objectsIn: expected.lazy.map { "text \($0)" })
      other.ints.sort()
      test.holder.ints.removeSubrange(10_000..<20_000)
    }
    expected.removeSubrange(10_000..<20_000)
    #expect(Array(test.holder.ints) == expected)
    #expect(Array(other.ints) == other.ints.sorted() && other.ints.count == 100_000)
    #expect(test.holder.texts[99_999] == "text \(99_999 * 7 % 100_003)")
    #expect(Array(test.holder.ints.reversed().prefix(3)) == Array(expected.reversed().prefix(3)))
    try test.place.expectWhole()
  }
}
