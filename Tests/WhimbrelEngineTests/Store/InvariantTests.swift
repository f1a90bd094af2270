import Foundation
import Testing

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// What no checksum shows: tables that are sound by themselves and do not agree. The check says
/// which objects it is about, and nothing of the others.
struct InvariantTests {
  private static let classes = [
    ClassSchema("Owner", .key("id"), .required("name", .string)),
    ClassSchema.embedded("Tag", .required("text", .string)),
    ClassSchema(
      name: "Dog",
      properties: [
        .indexed("name", .string), .required("code", .string), .link("owner", to: "Owner"),
        .list("friends", .link(to: "Owner")), .required("any", .any), .link("tag", to: "Tag"),
        .list("tags", .link(to: "Tag")),
      ], indexes: [IndexSchema(["code"], .unique)]),
  ]

  /// How many dogs there are: each has an owner, a friend, an object of any type and three tags
  /// of its own.
  private static let count = 40

  /// How far the IDs of the owners are apart: the check keeps a bit for each only where they are
  /// close.
  @Test(arguments: [1, 7, 1 << 40])
  func `a link that leads to nothing is found`(distance: Int) throws {
    let store = try makeStore(distance: distance)
    #expect(try store.findings() == [])
    let gone = ObjectID(clusteredKey: Int64(3 * distance))
    try store.write { session in
      let owners = try session.table("Owner").objects
      #expect(try session.requireWriting("damage").remove(owners, gone.rawValue))
    }
    let findings = try store.findings()
    #expect(
      findings
        == ["owner", "friends", "any"].map { name in
          "object 4 of class 'Dog': its link '\(name)' leads to the object with primary key "
            + "\(3 * distance) of class 'Owner', which does not exist"
        })
    // The file as a whole, on several cores.
    let report = try FileCheck.run(path: store.path, depth: .everything)
    #expect(report.findings.kept.map(\.description) == findings)
    #expect(try FileCheck.run(path: store.path, depth: .checksums).findings.count == 0)
  }

  @Test func `of many objects those with wrong links are named in their order`() throws {
    let store = try TestStore([Self.classes[0], ClassSchema("Dog", .link("owner", to: "Owner"))]) {
      session in
      for number in 0..<12_000 {
        try session.create("Owner", ["id": .int(Int64(number)), "name": "o"])
      }
      for number in 0..<12_000 {
        let owner = ObjectID(clusteredKey: Int64(number * 7 % 12_000))
        try session.create("Dog", ["owner": number % 10 == 0 ? .null : .link(owner)])
      }
    }
    #expect(try FileCheck.run(path: store.path, depth: .everything).findings.count == 0)
    let gone = (0..<12_000).filter { $0 % 700 == 3 }
    try store.write { session in
      let owners = try session.table("Owner").objects
      for key in gone {
        let id = ObjectID(clusteredKey: Int64(key))
        #expect(try session.requireWriting("damage").remove(owners, id.rawValue))
      }
    }
    let expected = (0..<12_000).filter { $0 % 10 != 0 && gone.contains($0 * 7 % 12_000) }
    let report = try FileCheck.run(path: store.path, depth: .everything)
    #expect(report.findings.kept.map(\.object?.rawValue) == expected.map { UInt64($0 + 1) })
    #expect(report.findings.kept.allSatisfy { $0.kind == .link && $0.property == "owner" })
  }

  @Test func `an embedded object without an owner is found, and one with two`() throws {
    let store = try makeStore()
    try store.write { session in
      let (dogs, view) = (try session.table("Dog"), try session.requireWriting("damage"))
      let index = try #require(dogs.indexes[dogs.resolved.requiredPosition(of: "tag")])
      // Dog 2 has tags 4 to 6, and dog 3 the next ones.
      #expect(try PageBytes.with(Self.key(4, 2)) { try view.remove(index, $0) })
      try view.put(index, Self.key(8, 20), [])
    }
    let findings = try store.findings()
    #expect(
      Set(findings) == [
        "object 4 of class 'Tag': it is embedded, and 0 links lead to it",
        "object 8 of class 'Tag': it is embedded, and 2 links lead to it",
        "object 2 of class 'Dog': the index of 'tag' does not contain it",
        "object 20 of class 'Dog': the index of 'tag' contains it under a wrong value",
      ])
  }

  @Test func `an index that lacks an entry, or has another one, is found`() throws {
    let store = try makeStore()
    try store.write { session in
      let (dogs, view) = (try session.table("Dog"), try session.requireWriting("damage"))
      let index = try #require(dogs.indexes[dogs.resolved.requiredPosition(of: "name")])
      let record = try #require(try dogs.record(ObjectID(rawValue: 9)))
      var key: [UInt8] = []
      let layout = try #require(dogs.resolved.layout(of: record))
      try layout.appendKey(
        dogs.resolved.requiredPosition(of: "name"), of: record, .none, isOptional: true, to: &key)
      KeyEncoding.append(ObjectID(rawValue: 9), to: &key)
      #expect(try PageBytes.with(key) { try view.remove(index, $0) })
      key[key.count - 1] = 77
      try view.put(index, key, [])
    }
    #expect(
      Set(try store.findings()) == [
        "object 9 of class 'Dog': the index of 'name' does not contain it",
        "object 77 of class 'Dog': the index of 'name' contains it, but it does not exist",
      ])
  }

  @Test func `two objects with the values of a unique index are found`() throws {
    let store = try makeStore()
    try store.write { session in
      let (dogs, view) = (try session.table("Dog"), try session.requireWriting("damage"))
      let id = ObjectID(rawValue: 12)
      let (old, new) = (Array("code 11".utf8), Array("code 10".utf8))
      var record = try #require(try dogs.record(id)).array
      let place = try #require(record.indices.first { record[$0...].starts(with: old) })
      record.replaceSubrange(place..<place + old.count, with: new)
      let sum = PageBytes.with(record) {
        Checksum.record(
          $0, hole: RecordLayout.checksumOffset, seed: dogs.resolved.checksumSeed(id))
      }
      for byte in 0..<4 {
        record[RecordLayout.checksumOffset + byte] = UInt8(truncatingIfNeeded: sum >> (8 * byte))
      }
      _ = try PageBytes.with(record) { try view.put(dogs.objects, id.rawValue, $0) }
      func entry(_ text: [UInt8]) -> [UInt8] {
        var key: [UInt8] = []
        KeyEncoding.append(
          part: .string(String(decoding: text, as: UTF8.self)), textLimit: 400, to: &key)
        KeyEncoding.append(id, to: &key)
        return key
      }
      let index = try #require(dogs.classIndexes.first).table
      #expect(try PageBytes.with(entry(old)) { try view.remove(index, $0) })
      try view.put(index, entry(new), [])
    }
    let findings = try store.findings()
    #expect(findings.count == 1, "\(findings)")
    #expect(
      findings.first?.hasPrefix("object 12 of class 'Dog': it has the same values as object 11")
        == true)
  }

  // MARK: - The store

  private func makeStore(distance: Int = 1) throws -> TestStore {
    try TestStore(Self.classes) { session in
      for number in 0..<Self.count {
        try session.create("Owner", ["id": .int(Int64(number * distance)), "name": "owner"])
      }
      let owners = try session.table("Owner").resolved.id
      for number in 0..<Self.count {
        let owner = ObjectID(clusteredKey: Int64(number * distance))
        let tags = try (0..<3).map { tag in
          PropertyValue.link(try session.create("Tag", ["text": .string("tag \(tag)")]))
        }
        try session.create(
          "Dog",
          [
            "name": .string("dog \(number)"), "code": .string("code \(number)"),
            "owner": .link(owner), "friends": [.link(owner)],
            "any": .object(ObjectReference(classID: owners, id: owner)), "tag": tags[0],
            "tags": .list(Array(tags.dropFirst())),
          ])
      }
    }
  }

  /// The key of a link in its index.
  private static func key(_ target: UInt64, _ source: UInt64) -> [UInt8] {
    var key: [UInt8] = []
    KeyEncoding.append(ObjectID(rawValue: target), to: &key)
    KeyEncoding.append(ObjectID(rawValue: source), to: &key)
    return key
  }
}
