import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// What `ForEach` and lists that are compared know objects by.
@Suite struct IdentityTests {
  // Two Swift objects for one object were equal, and yet had two identities.
  @Test func `objects that are equal have the same identity`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add([Named(name: "a"), Named(name: "b")]) }
    let first = try #require(store.object(ofType: Named.self, forPrimaryKey: "a"))
    let second = try #require(store.objects(Named.self).first)
    let elsewhere = try #require(try test.open().objects(Named.self).first)
    #expect(first == second && first.id == second.id)
    #expect(first == elsewhere && first.id == elsewhere.id)
    #expect(first.id != store.objects(Named.self)[1].id)
    #expect(Set(store.objects(Named.self).map(\.id)).count == 2)
  }

  @Test func `objects of two classes and of two files have two identities`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add(Numbered(number: 1, named: Named(name: "a"))) }
    let numbered = try #require(store.objects(Numbered.self).first)
    let named = try #require(store.objects(Named.self).first)
    #expect(numbered.id != named.id)
    // A copy has the same UUID.
    let copy = test.url.deletingLastPathComponent().appending(path: "Copy.whimbrel")
    try FileManager.default.copyItem(at: test.url, to: copy)
    var configuration = test.configuration
    configuration.url = copy
    let other = try Store(configuration)
    let copied = try #require(other.objects(Named.self).first)
    #expect(other.uuid == store.uuid && copied != named && copied.id != named.id)
  }

  @Test func `an identity outlives the store, a refresh, a write and the object`() throws {
    let test = try TestStore()
    var store = try test.open()
    try store.write { try store.add([Node(name: "a"), Node(name: "b")]) }
    let id = try #require(store.objects(Node.self).first?.id)
    try test.open().write { try #require(store.object(ofType: Node.self, for: id)) }
    try store.refresh()
    #expect(store.objects(Node.self).first?.id == id)
    try store.close()
    store = try test.open()
    let node = try #require(store.objects(Node.self).first)
    #expect(node.id == id)
    try store.write {
      node.name = "c"
      try store.delete(node)
    }
    #expect(node.isInvalidated && node.id == id)
    #expect(store.object(ofType: Node.self, for: id) == nil)
    try store.close()
    #expect(node.id == id)
  }

  @Test func `an object keeps its identity when it is added`() throws {
    let test = try TestStore()
    let store = try test.open()
    let node = Node(name: "a", next: Node(name: "b"))
    let next = try #require(node.next)
    let ids = [node.id, next.id]
    #expect(ids[0] != ids[1] && node.id == ids[0])
    struct Stop: Error {}
    _ = try? store.write {
      try store.add(node)
      #expect([node.id, next.id] == ids)
      throw Stop()
    }
    let again = Node(name: "a", next: Node(name: "b"))
    let kept = again.id
    try store.write { try store.add(again) }
    #expect(again.id == kept)
    let found = try #require(store.objects(Node.self).filter { $0.name == "a" }.first)
    #expect(found == again && found.id == kept)
    #expect(try test.open().objects(Node.self).map(\.id).contains(kept))
    #expect(store.object(ofType: Node.self, for: kept) == again)
    #expect(again.next?.id != kept)
  }

  @Test func `an object that is refused keeps its identity, too`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add(Named(name: "a")) }
    let twin = Named(name: "a", number: 1)
    let id = twin.id
    try store.write { try expectError(.duplicatePrimaryKey) { try store.add(twin) } }
    #expect(!twin.isManaged && twin.id == id)
    // It takes the place of the object that is there, and with it the identity of that.
    let existing = try #require(store.objects(Named.self).first?.id)
    try store.write { try store.add(twin, update: .modified) }
    #expect(twin.id == existing && store.objects(Named.self).first?.id == existing)
  }

  @Test func `embedded objects have identities`() throws {
    let (_, store) = try townStore()
    let town = Town(code: "a", place: TownPlace(latitude: 1), border: [TownPlace(latitude: 2)])
    let id = try #require(town.place?.id)
    try store.write { try store.add(town) }
    let found = try #require(store.object(ofType: Town.self, forPrimaryKey: "a"))
    #expect(found.place?.id == id && found.border[0].id != id)
    #expect(store.object(ofType: TownPlace.self, for: id)?.latitude == 1)
  }

  @Test func `a model's own id is its identity`() throws {
    let test = try TestStore([OwnIdentity.self])
    let store = try test.open()
    let object = OwnIdentity(id: 7)
    #expect(OwnIdentity.ID.self == Int.self && object.id == 7)
    try store.write { try store.add([object, OwnIdentity(id: 8)]) }
    let found = try #require(store.object(ofType: OwnIdentity.self, forPrimaryKey: 7))
    #expect(found == object && found.id == object.id)
    #expect(found.objectIdentity == object.objectIdentity)
    #expect(store.objects(OwnIdentity.self).where { $0.id == 8 }.count == 1)
    #expect(Named.ID.self == ObjectIdentity.self)
  }

  @Test func `an id that can be seen less far than the model is a property like any other`()
    throws
  {
    let test = try TestStore([HiddenIdentity.self, OwnTypeOfID.self])
    let store = try test.open()
    func identity<Value: Identifiable>(_ value: Value) -> Value.ID { value.id }
    let (first, second) = (HiddenIdentity(), OwnTypeOfID(id: .second))
    first.id = "a"
    try store.write {
      try store.add(first)
      try store.add(second)
    }
    #expect(first.id == "a" && identity(first) == first.objectIdentity)
    #expect(identity(second) == .second)
    #expect(store.object(ofType: OwnTypeOfID.self, forPrimaryKey: .second) == second)
    #expect(store.objects(HiddenIdentity.self).where { $0.id == "a" }.count == 1)
  }

  @Test func `an object is found by its identity within the class`() throws {
    let test = try TestStore()
    let store = try test.open()
    let node = Node(name: "a")
    try store.write { try store.add([node, Node(name: "b")]) }
    let id = try #require(node.objectID)
    #expect(store.object(ofType: Node.self, for: id) == node)
    #expect(store.object(ofType: Named.self, for: id) == nil)
    #expect(store.object(ofType: Node.self, for: ObjectID(rawValue: 99)) == nil)
    #expect(try store.dynamicObject(ofType: "Node", for: id)?["name"] == "a")
    #expect(try store.dynamicObject(ofType: "Node", for: ObjectID(rawValue: 99)) == nil)
    // An identity is of one class.
    #expect(store.object(ofType: Named.self, for: node.id) == nil)
    #expect(store.object(ofType: Node.self, for: Node(name: "c").id) == nil)
    try store.write { try store.delete(node) }
    #expect(store.object(ofType: Node.self, for: id) == nil)
  }

  @Test func `only an integer as its key makes a deleted object the same object again`() throws {
    let store = try TestStore().open()
    let (numbered, named) = (Numbered(number: 7), Named(name: "a"))
    try store.write {
      try store.add(numbered)
      try store.add(named)
    }
    let numberedHandle = try #require(numbered.objectHandle)
    let namedHandle = try #require(named.objectHandle)
    try store.write {
      try store.delete(numbered)
      try store.delete(named)
    }
    #expect(numbered.isInvalidated && named.isInvalidated)
    try store.write {
      try store.add(Numbered(number: 7, text: "again"))
      try store.add(Named(name: "a"))
    }
    #expect(!numbered.isInvalidated && numbered.text == "again")
    #expect(store.resolve(numberedHandle)?.text == "again")
    #expect(named.isInvalidated)
    #expect(store.resolve(namedHandle) == nil)
  }

  @Test func `an object knows its store`() throws {
    let test = try TestStore()
    let node = Node(name: "a")
    #expect(node.store == nil)
    do {
      let store = try test.open()
      try store.write { try store.add(node) }
      #expect(node.store === store && store.objects(Node.self).first?.store === store)
    }
    // Nobody holds the store but the object.
    let store = try #require(node.store)
    let other = try test.open()
    #expect(store === node.store && store.uuid == other.uuid)
    try store.write { node.name = "b" }
    #expect(try test.open().objects(Node.self).first?.name == "b")
    #expect(store.configuration.url == test.configuration.url)
  }
}

@Model
final class OwnIdentity {
  @PrimaryKey var id: Int
  var text: String = ""
}
