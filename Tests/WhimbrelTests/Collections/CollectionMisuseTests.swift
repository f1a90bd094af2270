import Testing
import Whimbrel
import WhimbrelTesting

/// Programming errors stop the program, with a message that says what to do.
@Suite struct CollectionMisuseTests {
  private func expectMessage(
    _ result: ExitTest.Result?, _ parts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let bytes = try #require(result, sourceLocation: sourceLocation).standardErrorContent
    let text = String(decoding: bytes, as: UTF8.self)
    for part in parts {
      #expect(text.contains(part), "\(text)", sourceLocation: sourceLocation)
    }
  }

  @Test func `changing a list outside of a write stops`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try CollectionStore().holder.ints.append(1)
    }
    try expectMessage(result, "Could not change 'ListHolder'", "store.write")
  }

  @Test func `setting a list outside of a write stops`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try CollectionStore().holder.ints = [1]
    }
    try expectMessage(result, "Could not change 'ListHolder'", "store.write")
  }

  @Test func `changing a set outside of a write stops`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try CollectionStore().sets.ints.remove(1)
    }
    try expectMessage(result, "Could not change 'SetHolder'", "store.write")
  }

  @Test func `changing a map outside of a write stops`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try CollectionStore().sets.numbers["a"] = 1
    }
    try expectMessage(result, "Could not change 'SetHolder'", "store.write")
  }

  @Test func `a position past the end stops`() async throws {
    let managed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let test = try CollectionStore()
      try test.store.write { test.holder.ints = [1, 2] }
      _ = test.holder.ints[2]
    }
    try expectMessage(managed, "use element 2 of 'ListHolder.ints'", "has 2 elements")
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list: StoredList = [1, 2]
      print(list[2])
    }
    try expectMessage(unmanaged, "position 2", "has 2 elements")
    let unmanagedInserted = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let list: StoredList = [1, 2]
      list.insert(3, at: 4)
    }
    try expectMessage(unmanagedInserted, "position 4", "has 2 elements")
    let unmanagedSingle = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let list: StoredList = [1]
      print(list[5])
    }
    try expectMessage(unmanagedSingle, "position 5", "has 1 element.")
    let range = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let test = try CollectionStore()
      try test.store.write { test.holder.ints = [1, 2] }
      print(Array(test.holder.ints[1..<4]))
    }
    try expectMessage(range, "use element 4 of 'ListHolder.ints'", "has 2 elements")
    let inserted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let test = try CollectionStore()
      try test.store.write { test.holder.ints.insert(1, at: 1) }
    }
    try expectMessage(inserted, "use element 1 of 'ListHolder.ints'", "has 0 elements")
    let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let test = try CollectionStore()
      try test.store.write { test.holder.ints.removeLast() }
    }
    try expectMessage(empty, "use element -1 of 'ListHolder.ints'")
    let linking = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let friend = Friend(name: "a")
      let test = try CollectionStore()
      try test.store.write { try test.store.add(friend) }
      _ = friend.holders[0]
    }
    try expectMessage(linking, "use element 0", "'ListHolder.friends'")
  }

  @Test func `reading a list of a deleted object stops`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let test = try CollectionStore()
      let list = test.holder.ints
      try test.store.write { try test.store.delete(test.holder) }
      _ = list.count
    }
    try expectMessage(result, "of 'ListHolder'", "has been deleted")
  }

  @Test func `changing a list of a deleted object stops`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let test = try CollectionStore()
      try test.store.write {
        try test.store.delete(test.holder)
        test.holder.ints.append(1)
      }
    }
    try expectMessage(result, "of 'ListHolder'", "has been deleted")
  }

  @Test func `reading a map of a closed store stops`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let test = try CollectionStore()
      let map = test.sets.numbers
      try test.store.close()
      _ = map["a"]
    }
    try expectMessage(result, "closed")
  }
}
