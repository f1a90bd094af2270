import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// Programming errors stop the program, with a message that says what to do.
@Suite struct MisuseTests {
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

  @Test func `setting a property outside of a write stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStore().open()
      let node = Node(name: "a")
      try store.write { try store.add(node) }
      node.name = "b"
    }
    try expectMessage(result, "Could not change 'Node'", "store.write")
  }

  @Test func `setting a link outside of a write stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStore().open()
      let node = Node(name: "a")
      try store.write { try store.add(node) }
      node.next = Node(name: "b")
    }
    try expectMessage(result, "no write is in progress")
  }

  @Test func `reading a deleted object stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStore().open()
      let node = Node(name: "a")
      try store.write { try store.add(node) }
      try store.write { try store.delete(node) }
      _ = node.name
    }
    try expectMessage(result, "of 'Node'", "has been deleted")
  }

  @Test func `setting a deleted object stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStore().open()
      let node = Node(name: "a")
      try store.write { try store.add(node) }
      try store.write {
        try store.delete(node)
        node.next = nil
      }
    }
    try expectMessage(result, "has been deleted")
  }

  @Test func `reading an object of a write that was rolled back stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStore().open()
      let node = Node(name: "a")
      try? store.write {
        try store.add(node)
        throw RollBack()
      }
      _ = node.name
    }
    try expectMessage(result, "has been deleted")
  }

  @Test func `reading after the store was closed stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStore().open()
      let node = Node(name: "a")
      try store.write { try store.add(node) }
      try store.close()
      _ = node.name
    }
    try expectMessage(result, "has been closed")
  }

  // It did nothing, and said nothing.
  @Test func `setting a link after the store was closed stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStore().open()
      let node = Node(name: "a")
      try store.write { try store.add(node) }
      try store.close()
      node.next = Node(name: "b")
    }
    try expectMessage(result, "has been closed")
  }

  @Test func `counting after the store was closed stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStore().open()
      try store.close()
      _ = store.objects(Node.self).count
    }
    try expectMessage(result, "has been closed")
  }

  @Test func `changing a primary key stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStore().open()
      let object = Named(name: "a")
      try store.write {
        try store.add(object)
        object.name = "b"
      }
    }
    try expectMessage(result, "'Named.name'", "primary key")
  }

  @Test func `a class that the store does not have stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStore().open()
      _ = store.objects(Small.self).count
    }
    try expectMessage(result, "'Small'")
  }

  @Test func `a closure that changes the list that it sorts stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let test = try CollectionStore()
      try test.store.write {
        test.holder.ints.append(objectsIn: [3, 1, 2])
        test.holder.ints.sort {
          if test.holder.ints.count == 3 { test.holder.ints.removeLast() }
          return $0 < $1
        }
      }
    }
    try expectMessage(result, "'sort(by:)'", "from 3 to 2 elements")
  }

  // It removed the elements that had moved to the places of those that it met.
  @Test func `a condition that removes numbers from the list that it is asked for stops`()
    async throws
  {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let test = try CollectionStore()
      try test.store.write {
        test.holder.ints.append(objectsIn: [1, 2, 3])
        test.holder.ints.removeAll { number in
          if number == 3 { test.holder.ints.removeFirst() }
          return number == 2
        }
      }
    }
    try expectMessage(result, "'removeAll(where:)'", "from 3 to 2 elements")
  }

  // It visited the elements that the condition had added, and did not end.
  @Test(.mustEnd)
  func `a condition that adds texts to the list that it is asked for stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let test = try CollectionStore()
      try test.store.write {
        test.holder.texts.append("a")
        test.holder.texts.removeAll { _ in
          test.holder.texts.append("b")
          return true
        }
      }
    }
    try expectMessage(result, "'removeAll(where:)'", "from 1 to 2 elements")
  }

  @Test func `reading a required property that was never set stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Unset(value: nil).value
    }
    try expectMessage(result, "'Unset.value'", "never set")
  }
}
