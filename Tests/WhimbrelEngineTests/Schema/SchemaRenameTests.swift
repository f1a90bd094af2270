import Testing
import WhimbrelEngine

/// Which property of an old class becomes which of a new one, and what that
/// means for primary keys and the order.
struct SchemaRenameTests {
  @Test func `the first previous name that the old class has is the source`() {
    let changes = zoneChanges(
      from: [int("first"), int("second")],
      to: [int("now", previously: ["never", "second", "first"])])
    #expect(
      changes == [
        .propertyRemoved(class: "Zone", property: "first"),
        .propertyRenamed(class: "Zone", from: "second", to: "now"),
      ])
  }

  // Trap 7: a rename read as a removal and an addition loses data in silence,
  // and so would one that takes the data of a living property.
  @Test func `a property that lives on is no source`() {
    let changes = zoneChanges(from: [int("a")], to: [int("a"), int("b", previously: ["a"])])
    #expect(changes == [.propertyAdded(class: "Zone", property: "b")])
  }

  @Test func `a property that existed already is not renamed`() {
    let changes = zoneChanges(from: [int("a"), int("b")], to: [int("b", previously: ["a"])])
    #expect(changes == [.propertyRemoved(class: "Zone", property: "a")])
  }

  @Test func `one source has one successor`() {
    let changes = zoneChanges(
      from: [int("a")], to: [int("b", previously: ["a"]), int("c", previously: ["a"])])
    #expect(
      changes == [
        .propertyRenamed(class: "Zone", from: "a", to: "b"),
        .propertyAdded(class: "Zone", property: "c"),
      ])
  }

  @Test func `a chain of names is followed from any version`() {
    let now = [int("c", previously: ["b", "a"])]
    for old in ["a", "b"] {
      #expect(
        zoneChanges(from: [int(old)], to: now)
          == [.propertyRenamed(class: "Zone", from: old, to: "c")])
    }
  }

  @Test func `a matching tells the names in both directions`() {
    let matching = PropertyMatching(
      from: ClassSchema(name: "Zone", properties: [int("a"), int("b"), int("gone")]),
      to: ClassSchema(
        name: "Zone", properties: [int("b"), int("c", previously: ["a"]), int("new")]))
    #expect(matching.newNames == ["a": "c", "b": "b"])
    #expect(matching.oldNames == ["c": "a", "b": "b"])
  }

  @Test func `primary keys come, go and change`() {
    let plain = [int("a"), int("b")]
    let keyA = [key("a"), int("b")]
    let keyB = [int("a"), key("b")]
    #expect(
      zoneChanges(from: plain, to: keyA) == [.primaryKeyAdded(class: "Zone", property: "a")])
    #expect(
      zoneChanges(from: keyA, to: plain) == [.primaryKeyRemoved(class: "Zone", property: "a")])
    #expect(
      zoneChanges(from: keyA, to: keyB) == [.primaryKeyChanged(class: "Zone", from: "a", to: "b")])
  }

  @Test func `a renamed primary key is the same key`() {
    #expect(
      zoneChanges(from: [key("a")], to: [key("b", previously: ["a"])])
        == [.propertyRenamed(class: "Zone", from: "a", to: "b")])
  }

  @Test func `a new primary key in place of a removed one is another key`() {
    #expect(
      zoneChanges(from: [key("a")], to: [key("b")]) == [
        .propertyRemoved(class: "Zone", property: "a"),
        .propertyAdded(class: "Zone", property: "b"),
        .primaryKeyChanged(class: "Zone", from: "a", to: "b"),
      ])
  }

  @Test func `another order is one change`() {
    let changes = zoneChanges(
      from: [int("a"), int("b"), int("c")], to: [int("c"), int("a"), int("b")])
    #expect(changes == [.reordered(class: "Zone")])
  }

  @Test func `what came or went does not disturb the order`() {
    let changes = zoneChanges(
      from: [int("gone"), int("a"), int("b")],
      to: [int("new"), int("a"), int("newer"), int("c", previously: ["b"])])
    #expect(!changes.contains(.reordered(class: "Zone")))
    #expect(changes.count == 4)
  }

  private func int(_ name: String, previously: [String] = []) -> PropertySchema {
    PropertySchema(name: name, type: .int, previousNames: previously)
  }

  private func key(_ name: String, previously: [String] = []) -> PropertySchema {
    PropertySchema(name: name, type: .int, isPrimaryKey: true, previousNames: previously)
  }
}
