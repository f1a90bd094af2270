import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Objects that belong to others: each has one owner, and goes with it.
struct EmbeddedObjectTests {
  private static let address = ClassSchema.embedded("Address", .required("town", .string))
  private static let person = ClassSchema(
    "Person", .required("name", .string), .link("home", to: "Address"),
    .link("work", to: "Address"), .list("others", .link(to: "Address")),
    .map("named", .link(to: "Address")), .required("any", .any))

  private func store() throws -> TestStore { try TestStore([Self.address, Self.person]) }

  private func address(_ session: Session, _ town: String) throws -> PropertyValue {
    .link(try session.create("Address", ["town": .string(town)]))
  }

  private func towns(_ store: TestStore) throws -> [PropertyValue] {
    try store.contents().values("Address", "town")
  }

  private func update(
    _ session: Session, _ id: ObjectID, _ name: String, _ value: PropertyValue
  ) throws {
    let table = try session.table("Person")
    try table.update(id) { try $0.set(table.resolved.requiredPosition(of: name), value) }
  }

  @Test func `children go with their owners, wherever they hang`() throws {
    let store = try store()
    try store.write { session in
      for number in 0..<2 {
        try session.create(
          "Person",
          [
            "name": "p", "home": address(session, "h\(number)"),
            "others": .list((0..<300).map { try address(session, "o\(number) \($0)") }),
            "named": .map(["a": address(session, "n\(number)")]),
          ])
      }
    }
    #expect(try towns(store).count == 604)
    #expect(try store.findings() == [])
    try store.write { try $0.table("Person").remove(ObjectID(rawValue: 1)) }
    #expect(try towns(store).count == 302)
    #expect(try store.findings() == [])
    try store.write { try $0.table("Person").removeAll() }
    #expect(try towns(store) == [])
    #expect(try store.findings() == [])
  }

  @Test func `a child goes when another, or nil, takes its place`() throws {
    let store = try store()
    try store.write { session in
      let id = try session.create(
        "Person",
        [
          "name": "p", "home": address(session, "a"), "work": address(session, "w"),
          "others": .list([address(session, "b"), address(session, "c")]),
          "named": .map(["x": address(session, "d"), "y": address(session, "e")]),
        ])
      try update(session, id, "home", address(session, "a2"))
      try update(session, id, "work", .null)
      let table = try session.table("Person")
      try table.editCollection(3, of: id) { editor in
        try editor.replace(at: 0, with: address(session, "b2"))
      }
      try table.editCollection(4, of: id) { editor in
        try editor.set(address(session, "d2"), forName: "x")
        let place = try editor.place(ofName: "y")
        try editor.removeSubrange(place.position..<place.position + 1)
      }
    }
    #expect(Set(try towns(store)) == ["a2", "c", "b2", "d2"])
    #expect(try store.findings() == [])
  }

  @Test func `the same child stays when it is set again, or moved in its list`() throws {
    let store = try store()
    for count in [3, 300] {
      try store.write { session in
        let home = try address(session, "home")
        let others = try (0..<count).map { try address(session, "o\($0)") }
        let id = try session.create(
          "Person", ["name": "p", "home": home, "others": .list(others)])
        try update(session, id, "home", home)
        try update(session, id, "others", .list(others.reversed()))
        let table = try session.table("Person")
        try table.editCollection(3, of: id) { editor in
          try editor.replace(at: 1, with: others[count - 2])
          try editor.move(from: 0, to: count - 1)
        }
      }
      #expect(try store.findings() == [])
    }
    #expect(try towns(store).count == 305)
  }

  /// Ways to give a child of one object to another, or to it once more.
  @Test(arguments: [1, 300])
  func `a second owner is refused, and nothing changes`(count: Int) throws {
    let store = try store()
    try store.write { session in
      let others = try (0..<count).map { try address(session, "o\($0)") }
      try session.create(
        "Person",
        ["name": "1", "home": address(session, "a"), "others": .list(others), "named": [:]])
      try session.create("Person", ["name": "2"])
    }
    let before = try store.contents()
    let child = try #require(before.list("Person")[0]["home"])
    let (first, second) = (ObjectID(rawValue: 1), ObjectID(rawValue: 2))
    try store.write { session in
      let table = try session.table("Person")
      func expectRefused(_ body: () throws -> Void) {
        #expect(storeError(body)?.code == .embeddedHasOwner)
      }
      expectRefused { try update(session, second, "home", child) }
      expectRefused { try update(session, first, "work", child) }
      expectRefused { try update(session, second, "others", .list([child])) }
      expectRefused { try update(session, second, "named", .map(["x": child])) }
      expectRefused { try session.create("Person", ["name": "3", "home": child]) }
      for id in [first, second] {
        expectRefused {
          try table.editCollection(3, of: id) { try $0.append(contentsOf: [child]) }
        }
        expectRefused { try table.editCollection(3, of: id) { try $0.insert(child, at: 0) } }
        expectRefused { try table.editCollection(4, of: id) { try $0.set(child, forName: "x") } }
      }
      expectRefused {
        try table.editCollection(3, of: first) { try $0.replace(at: 0, with: child) }
      }
    }
    #expect(try store.contents().objects == before.objects)
    #expect(try store.findings() == [])
  }

  // Each property for itself saw no owner.
  @Test func `one child cannot be in two places of a new object`() throws {
    let store = try store()
    try store.write { session in
      let child = try address(session, "a")
      for values in [
        ["home": child, "work": child], ["home": child, "others": .list([child])],
        ["others": .list([child, child])], ["named": .map(["a": child, "b": child])],
      ] as [[String: PropertyValue]] {
        let all = values.merging(["name": "p"]) { $1 }
        #expect(storeError { try session.create("Person", all) }?.code == .embeddedHasOwner)
      }
      let id = try session.create("Person", ["name": "p"])
      let table = try session.table("Person")
      let error = storeError {
        try table.update(id) { encoder in
          try encoder.set(1, child)
          try encoder.set(2, child)
        }
      }
      #expect(error?.code == .embeddedHasOwner)
      let twice = storeError {
        try table.editCollection(3, of: id) { try $0.append(contentsOf: [child, child]) }
      }
      #expect(twice?.code == .embeddedHasOwner)
      try update(session, id, "home", child)
    }
    #expect(try store.contents().list("Person").count == 1)
    #expect(try store.findings() == [])
  }

  @Test func `a child may be taken out and put back in one edit`() throws {
    let store = try store()
    try store.write { session in
      let others = try (0..<300).map { try address(session, "o\($0)") }
      let id = try session.create("Person", ["name": "1", "others": .list(others)])
      try session.table("Person").editCollection(3, of: id) { editor in
        try editor.removeSubrange(0..<2)
        try editor.insert(others[1], at: 0)
      }
    }
    #expect(try towns(store).count == 299)
    #expect(try store.findings() == [])
  }

  @Test func `a child that is deleted leaves its owner`() throws {
    let store = try store()
    try store.write { session in
      let home = try address(session, "h")
      let others = try (0..<300).map { try address(session, "o\($0)") }
      guard case .link(let id) = home else { return }
      try session.create("Person", ["name": "p", "home": home, "others": .list(others)])
      try session.table("Address").remove(id)
      guard case .link(let other) = others[7] else { return }
      try session.table("Address").remove(other)
    }
    let person = try #require(try store.contents().list("Person").first)
    #expect(person["home"] == .null)
    #expect(try store.findings() == [])
    try store.write { try $0.table("Address").removeAll() }
    #expect(try store.contents().list("Person").first?["others"] == [])
    #expect(try store.findings() == [])
  }

  @Test func `a value of any type can lead to no embedded object`() throws {
    let store = try store()
    try store.write { session in
      let home = try address(session, "h")
      guard case .link(let id) = home else { return }
      let classID = try session.table("Address").resolved.id
      let reference = PropertyValue.object(ObjectReference(classID: classID, id: id))
      let person = try session.create("Person", ["name": "p", "home": home])
      for value in [reference, [1, reference], .map(["a": [reference]])] {
        let created = storeError { try session.create("Person", ["name": "q", "any": value]) }
        #expect(created?.code == .embeddedHasOwner)
        let object = try StoredObjects(session, "Person").object(person)
        let set = storeError { try object.set("any", to: value) }
        #expect(
          set?.description.hasPrefix(
            """
            Could not set 'Person.any': object 1 of 'Address' is embedded, and a value of any type \
            cannot own it. Link to the object that owns it, or store its values.
            """) == true, "\(String(describing: set))")
      }
    }
    #expect(try store.findings() == [])
    // A file may have such a value all the same.
    try store.write { session in
      let table = try session.table("Person")
      let classID = try session.table("Address").resolved.id
      let reference = ObjectReference(classID: classID, id: ObjectID(rawValue: 1))
      let position = try table.resolved.requiredPosition(of: "any")
      try table.update(ObjectID(rawValue: 1)) { try $0.set(position, [.object(reference)]) }
    }
    #expect(
      try store.findings() == [
        """
        object 1 of class 'Person': its value 'any' leads to object 1 of class 'Address', which is \
        embedded: only a link to its class may lead to it
        """
      ])
    // Salvage leaves it out, and deleting the object makes it nil.
    try store.write { try $0.table("Address").remove(ObjectID(rawValue: 1)) }
    #expect(try store.contents().values("Person", "any") == [[nil]])
    #expect(try store.findings() == [])
  }

  @Test(.takesLong) func `a chain of ten thousand goes at once`() throws {
    let node = ClassSchema.embedded(
      "Node", .link("next", to: "Node"), .list("children", .link(to: "Node")))
    let root = ClassSchema("Root", .link("first", to: "Node"))
    let store = try TestStore([node, root])
    for isList in [false, true] {
      try store.write { session in
        var last = try session.create("Node", [:])
        for _ in 0..<10_000 {
          last = try session.create(
            "Node", isList ? ["children": [.link(last)]] : ["next": .link(last)])
        }
        try session.create("Root", ["first": .link(last)])
      }
      #expect(try store.contents().list("Node").count == 10_001)
      #expect(try store.findings() == [])
      try store.write { session in
        if isList {
          try session.table("Root").update(try session.table("Root").objectIDs()[0]) {
            $0.setNull(0)
          }
        } else {
          try session.table("Root").removeAll()
        }
      }
      #expect(try store.contents().list("Node").isEmpty)
      #expect(try store.findings() == [])
    }
  }
}
