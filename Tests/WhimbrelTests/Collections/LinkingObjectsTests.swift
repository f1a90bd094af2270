import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Model
final class WrongInverse {
  var link: WrongInverse?
  var other: Friend?
  var text: String = ""
  @Transient var computed: WrongInverse?
  @Inverse(of: \WrongInverse.text) var ofText: LinkingObjects<WrongInverse>
  @Inverse(of: \WrongInverse.other) var ofOther: LinkingObjects<WrongInverse>
  @Inverse(of: \WrongInverse.computed) var ofTransient: LinkingObjects<WrongInverse>
  @Inverse(of: \Node.next) var ofMissing: LinkingObjects<Node>
  @Inverse(of: \WrongInverse.link) var right: LinkingObjects<WrongInverse>
}

@Suite struct LinkingObjectsTests {
  @Test func `the objects that link are found`() throws {
    let test = try CollectionStore()
    let (a, b) = (Friend(name: "a"), Friend(name: "b"))
    #expect(a.holders.isEmpty && a.admirers.first == nil)
    let other = ListHolder(id: 2, friends: [a, a, b])
    let admirers = a.admirers
    try test.store.write {
      try test.store.add(other)
      #expect(Array(a.holders) == [other])
      test.holder.friends.append(a)
      test.sets.friends.insert(a)
      test.sets.friendsByName = ["x": a, "y": a]
      a.best = a
      b.best = a
      b.others.append(objectsIn: [a, b])
    }
    #expect(admirers.isEmpty && Array(a.admirers) == [a, b])
    #expect(Array(a.holders) == [test.holder, other] && Array(b.holders) == [other])
    #expect(Array(a.setHolders) == [test.sets] && Array(a.mapHolders) == [test.sets])
    #expect(Array(a.knownBy) == [b] && Array(b.knownBy) == [b] && a.knownBy.count == 1)
    #expect("\(a.holders)".contains("ListHolder"))
    let holders = a.holders
    try test.store.write {
      #expect(holders.count == 2)
      other.friends.remove(at: 0)
      #expect(holders.count == 2)
      other.friends.remove(at: 0)
      #expect(Array(holders) == [test.holder])
      b.others.removeAll()
      try test.store.delete(b)
    }
    #expect(Array(a.admirers) == [a] && a.knownBy.isEmpty)
    try test.place.expectWhole()
  }

  @Test func `objects may be deleted while the links are gone through`() throws {
    let test = try CollectionStore()
    let center = Friend(name: "center")
    try test.store.write {
      try test.store.add((0..<10).map { Friend(name: "\($0)", best: center) })
      var names: [String] = []
      for friend in center.admirers {
        names.append(friend.name)
        if let next = center.admirers.dropFirst().first { try test.store.delete(next) }
        friend.best = nil
      }
      #expect(names == ["0", "2", "4", "6", "8"])
    }
    #expect(center.admirers.isEmpty)
  }

  @Test func `inverses that are none are found at opening`() throws {
    let place = try TestStore([
      WrongInverse.self, Friend.self, ListHolder.self, SetHolder.self, Part.self,
    ])
    let error = try expectError(.invalidSchema) { try place.open() }
    let text = "\(error)"
    for sentence in [
      "Inverse 'WrongInverse.ofText' follows property 'WrongInverse.text', which is not a link.",
      """
      Inverse 'WrongInverse.ofOther' follows property 'WrongInverse.other', which links to \
      class 'Friend'.
      """,
      """
      Inverse 'WrongInverse.ofTransient' follows property 'WrongInverse.computed', which is \
      not stored.
      """,
      "Inverse 'WrongInverse.ofMissing' needs class 'Node', which is not among the models.",
    ] {
      #expect(text.contains(sentence), "\(text)")
    }
    #expect(!text.contains("right"))
  }
}
