import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Model
final class Heron {
  @PrimaryKey var ring: String
  var wingspan: Double
  var count: Int8
  var seen: Date?
  var notes: StoredList<String>
  var marks: StoredSet<Int>
  var names: StoredMap<String, String>
  var habitat: Habitat
  var mate: Heron?
  var nest: Nest?
  var perches: StoredList<Nest>
  var neighbours: StoredList<Heron>
  var anything: AnyValue
  var weight: Decimal
  var code: UUID
  var photo: Data?
}

@Model
final class Egg {
  @PrimaryKey var number: Int
  @Indexed(.unique) var code: UUID
  @Indexed(.unique) var mark: String
  @Indexed(.unique) var laid: Date?
}

/// A class whose key and unique index have few values.
@Model
final class Perch {
  @PrimaryKey var habitat: Habitat
  @Indexed(.unique) var level: PerchLevel
}

@Model
@Index([\.mark, \.habitat], .unique)
@Index([\.note, \.nearest], .unique)
@Index([\.nearest], .unique)
final class Sighting {
  @PrimaryKey var number: Int8
  var mark: Int
  var habitat: Habitat
  var note: String
  var nearest: Heron?
}

enum PerchLevel: Int, PersistableEnum, CaseIterable {
  case low = 5
  case high = 9
}

@Model
final class Spot {
  @PrimaryKey var name: String
}

@Model(.embedded)
final class Nest {
  var height: Float
  var inner: Nest?
}

enum Habitat: String, PersistableEnum, CaseIterable {
  case marsh, coast
}

struct RandomObjectsTests {
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `the same seed adds the same objects`(seed: UInt64) throws {
    var all: [[String]] = []
    for _ in 0..<2 {
      let store = try Store.temporary(Heron.self, Nest.self)
      try store.write { try store.addRandomObjects(of: Heron.self, 50, seed: seed) }
      store.expectCount(of: Heron.self, 50)
      #expect(try store.integrityFindings() == [])
      all.append(
        store.objects(Heron.self).map { heron in
          "\(heron.ring) \(heron.wingspan) \(heron.count) \(heron.habitat) \(heron.notes.count) "
            + "\(heron.mate?.ring ?? "-") \(heron.nest?.height ?? -1) \(heron.code) \(heron.weight)"
        })
    }
    #expect(all[0] == all[1])
    #expect(Set(all[0]).count == 50)
  }

  // Integer keys were counted from 1 in each call, and a seed that was used before gave the texts,
  // dates and UUIDs of before.
  @Test func `objects that are added later have other keys and unique values`() throws {
    let store = try Store.temporary(Egg.self)
    for seed in [1, 1, 2] as [UInt64] {
      try store.write { try store.addRandomObjects(of: Egg.self, 20, seed: seed) }
    }
    let first = try #require(store.objects(Egg.self).first)
    try store.write {
      try store.delete(first)
      try store.addRandomObjects(of: Egg.self, 20, seed: 1)
    }
    store.expectCount(of: Egg.self, 79)
    #expect(try store.integrityFindings() == [])
  }

  // Keys of an enum were texts and numbers that are not its cases, unique indexes gave links a number,
  // and keys of `Int8` ended at 127.
  @Test func `keys and unique values fit their types`() throws {
    let store = try Store.temporary(Perch.self, Sighting.self, Heron.self, Nest.self)
    try store.write {
      try store.addRandomObjects(of: Perch.self, 2, seed: 1)
      for seed in [1, 2] as [UInt64] {
        try store.addRandomObjects(of: Sighting.self, 128, seed: seed)
      }
    }
    store.expectCount(of: Perch.self, 2)
    store.expectCount(of: Sighting.self, 256)
    #expect(Set(store.objects(Perch.self).map(\.level)) == [.low, .high])
    #expect(try store.integrityFindings() == [])
  }

  // Each value was compared with as many values as the class had: 10,000 objects took minutes.
  @Test func `tens of thousands of objects have their own keys`() throws {
    let store = try Store.temporary(Spot.self)
    try store.write { try store.addRandomObjects(of: Spot.self, 20_000, seed: 1) }
    store.expectCount(of: Spot.self, 20_000)
  }

  // The error was one of LMDB, which named neither the file nor what to do.
  @Test func `a check of a file with damaged pages throws a store error`() throws {
    let store = try Store.temporary(Heron.self, Nest.self)
    try store.write { try store.addRandomObjects(of: Heron.self, 100, seed: 4) }
    let file = try FileHandle(forUpdating: store.configuration.url)
    let size = try file.seekToEnd()
    // The meta pages stay.
    let start = 2 * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    try file.seek(toOffset: start)
    try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size - start)))
    try file.close()
    let error = try #require(throws: StoreError.self) { _ = try store.integrityFindings() }
    #expect(error.code == .damaged)
    #expect(error.context.path == store.configuration.url.path)
  }

  @Test func `a temporary store goes away`() throws {
    var store: Store? = try Store.temporary(Heron.self, Nest.self)
    let url = try #require(store).configuration.url
    #expect(FileManager.default.fileExists(atPath: url.path))
    store = nil
    #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
  }

  @Test func `a temporary store has the models of an array, and a schema version`() throws {
    let models: [any Model.Type] = [Heron.self, Nest.self]
    let store = try Store.temporary(models, schemaVersion: 3)
    #expect(store.configuration.schemaVersion == 3 && store.configuration.models.count == 2)
    #expect(try Store.temporary(models).objects(Heron.self).isEmpty)
    #expect(try Store.temporary([Heron.self, Nest.self]).objects(Nest.self).isEmpty)
  }

  @Test func `values are adjusted`() throws {
    let store = try Store.temporary(Heron.self, Nest.self)
    let herons = try store.write {
      try store.addRandomObjects(of: Heron.self, 20, seed: 3) { values, random in
        values["count"] = Int.random(in: 1...3, using: &random)
      }
    }
    #expect(herons.allSatisfy { (1...3).contains($0.count) })
  }
}
