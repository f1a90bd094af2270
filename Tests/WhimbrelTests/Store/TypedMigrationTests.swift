import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

/// Migrations whose old objects are read through frozen declarations.
@Suite struct TypedMigrationTests {
  private static let v1: [any Model.Type] = [V1.Person.self, V1.Dog.self, V1.Note.self]
  private static let v2: [any Model.Type] = [V2.Person.self, V2.Dog.self, V2.Address.self]

  /// A store of version 1, with so many persons and dogs.
  private func place(_ count: Int = 3) throws -> TestStore {
    let place = try TestStore(Self.v1, version: 1)
    let store = try place.open()
    try store.write {
      for number in 0..<count {
        let person = V1.Person(
          key: "p\(number)", first: "First\(number)", last: "Last\(number)", age: number,
          street: number == 1 ? nil : "Street \(number)")
        person.tags.append(contentsOf: ["a", "b\(number)"])
        try store.add(person)
        try store.add(V1.Dog(name: "dog\(number)", owner: person))
      }
      try store.add(V1.Note(text: "note"))
    }
    try store.close()
    return place
  }

  private func migrate(
    _ place: TestStore, _ models: [any Model.Type] = Self.v2,
    _ block: @escaping MigrationBlock
  ) throws -> Store {
    try place.open(models, version: 2, migration: block)
  }

  /// What brings everything over that needs code.
  private static func fill(_ migration: Migration) throws {
    try migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
      new.fullName = "\(old.first) \(old.last)"
    }
  }

  @Test func `new properties are computed from old ones`() throws {
    let place = try place()
    let store = try migrate(place) { migration, _ in
      try migration.renameProperty(onType: "Person", from: "age", to: "years")
      try migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
        #expect(new.years == old.age)
        new.fullName = "\(old.first) \(old.last)"
        new.years = old.age + 100
        #expect(new.years == old.age + 100)
        #expect(new.fullName == "\(old.first) \(old.last)")
        if let street = old.street { new.address = V2.Address(street: street, city: nil) }
        #expect(new.address?.street == old.street)
        new.tags.append("c")
        #expect(Array(new.tags) == Array(old.tags) + ["c"])
        new.score = 0.5
      }
    }
    let people = Array(store.objects(V2.Person.self))
    #expect(people.map(\.fullName) == ["First0 Last0", "First1 Last1", "First2 Last2"])
    #expect(people.map(\.years) == [100, 101, 102])
    #expect(people.map { $0.address?.street } == ["Street 0", nil, "Street 2"])
    #expect(people.map { Array($0.tags) }.last == ["a", "b2", "c"])
    #expect(people.map(\.score) == [0.5, 0.5, 0.5])
    #expect(store.objects(V2.Dog.self).map { $0.owner?.fullName }.last == "First2 Last2")
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `links and inverses can be followed on both sides`() throws {
    let place = try place()
    let store = try migrate(place) { migration, _ in
      try Self.fill(migration)
      try migration.enumerate(V1.Dog.self, V2.Dog.self) { old, new in
        #expect(old.owner?.first == "First\(old.name.dropFirst(3))")
        #expect(old.owner?.dogs.map(\.name) == [old.name])
        #expect(new.owner?.fullName == old.owner.map { "\($0.first) \($0.last)" })
        #expect(new.owner?.dogs.count == 1)
        new.name = "\(old.name) of \(old.owner?.first ?? "")"
        new.owner?.fullName += "!"
      }
    }
    #expect(store.objects(V2.Dog.self).map(\.name).first == "dog0 of First0")
    #expect(store.objects(V2.Person.self).map(\.fullName).last == "First2 Last2!")
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `new objects of classes that are not enumerated yet can be changed`() throws {
    let place = try place()
    let store = try migrate(place) { migration, _ in
      try migration.enumerate(V1.Dog.self, V2.Dog.self) { old, new in
        new.owner?.fullName = "ahead \(old.name)"
      }
      try migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
        #expect(new.fullName.hasPrefix("ahead dog"))
        new.fullName += " \(old.last)"
      }
    }
    #expect(store.objects(V2.Person.self).map(\.fullName).first == "ahead dog0 Last0")
  }

  @Test func `objects are looked up, added and deleted`() throws {
    let place = try place()
    let store = try migrate(place) { migration, _ in
      try Self.fill(migration)
      #expect(try migration.oldObject(ofType: V1.Person.self, forPrimaryKey: "p1")?.age == 1)
      #expect(try migration.oldObject(ofType: V1.Person.self, forPrimaryKey: "none") == nil)
      let new = try #require(try migration.object(ofType: V2.Person.self, forPrimaryKey: "p1"))
      #expect(new.fullName == "First1 Last1")
      try migration.delete(new)
      #expect(try migration.object(ofType: V2.Person.self, forPrimaryKey: "p1") == nil)
      let added = V2.Person(key: "p9", fullName: "Nine", years: 9)
      added.address = V2.Address(street: "s", city: "c")
      try migration.add(V2.Dog(name: "new dog", owner: added))
      #expect(added.isManaged)
      added.years = 10
      try migration.add(V2.Dog(name: "known", owner: new.isInvalidated ? nil : new))
    }
    #expect(Set(store.objects(V2.Person.self).map(\.key)) == ["p0", "p2", "p9"])
    #expect(store.objects(V2.Dog.self).map { $0.owner?.key } == ["p0", nil, "p2", "p9", nil])
    let nine = store.object(ofType: V2.Person.self, forPrimaryKey: "p9")
    #expect(nine?.years == 10 && nine?.address?.city == "c")
    #expect(try store.integrityFindings().isEmpty)
  }

  private static let titles = (0..<400).map {
    "a title that begins like all others \(100_000 + $0 * 7_919 % 100_003)"
  }

  private func album() throws -> TestStore {
    let place = try TestStore([V1.Album.self, V1.Song.self], version: 1)
    let store = try place.open()
    try store.write {
      let songs = Self.titles.enumerated().map { V1.Song(title: $1, length: $0) }
      for song in songs { try store.add(song) }
      let album = V1.Album(name: "all")
      album.songs.append(contentsOf: songs.indices.map { songs[$0 * 149 % songs.count] })
      try store.add(album)
    }
    try store.close()
    return place
  }

  // Reading a new song copies it before its turn. That moved the texts that were being sorted.
  @Test(arguments: [true, false])
  func `new objects are sorted by long texts`(isAscending: Bool) throws {
    let place = try album()
    _ = try migrate(place, [V2.Album.self, V2.Song.self]) { migration, _ in
      try migration.enumerate(V1.Album.self, V2.Album.self) { _, new in
        let songs = new.songs.sorted(by: \.title, ascending: isAscending)
        let titles = (0..<songs.count).map { songs[$0].title }
        #expect(titles == Self.titles.sorted { ($0 < $1) == isAscending })
      }
    }
  }

  // A loop found none of them.
  @Test func `a loop over results visits new objects`() throws {
    let place = try album()
    let store = try migrate(place, [V2.Album.self, V2.Song.self]) { migration, _ in
      try migration.enumerate(V1.Album.self, V2.Album.self) { old, new in
        #expect(new.songs.results.map(\.title) == old.songs.map(\.title))
        for song in new.songs.where({ $0.title.contains("9") }) {
          song.title = "nine"
          if song.length == "1" { try migration.delete(song) }
        }
      }
    }
    let nines = Self.titles.enumerated().filter { $1.contains("9") && $0 != 1 }
    let songs = store.objects(V2.Song.self).where { $0.title == "nine" }
    #expect(Set(songs.map(\.length)) == Set(nines.map { "\($0.offset)" }))
    #expect(try store.integrityFindings().isEmpty)
  }

  // It had the number of another table.
  @Test func `an explanation has the number of new objects in a collection`() throws {
    let place = try album()
    _ = try migrate(place, [V2.Album.self, V2.Song.self]) { migration, _ in
      try migration.enumerate(V1.Album.self, V2.Album.self) { old, new in
        let ofNew = try new.songs.where { $0.title != "" }.explain()
        let ofOld = try old.songs.where { $0.title != "" }.explain()
        #expect(ofNew.objectCount == 400 && ofOld.objectCount == 400)
      }
    }
  }

  @Test func `objects of a class that is gone become others`() throws {
    let place = try place()
    let store = try migrate(place) { migration, _ in
      try Self.fill(migration)
      try migration.enumerate(V1.Note.self) { old in
        try migration.add(V2.Dog(name: old.text, owner: nil))
      }
      try migration.deleteData(forType: "Note")
    }
    #expect(store.objects(V2.Dog.self).map(\.name) == ["dog0", "dog1", "dog2", "note"])
    #expect(store.schema.classes.map(\.name) == ["Address", "Dog", "Person"])
  }

  @Test func `an old object that is linked to stands for the new one`() throws {
    let place = try TestStore(version: 1)
    let first = try place.open()
    try first.write {
      let last = Node(name: "b", next: nil, other: nil, named: nil)
      try first.add(Node(name: "a", next: last, other: nil, named: nil))
    }
    try first.close()
    let store = try place.open(TestStore.models, version: 2) { migration, _ in
      try migration.enumerate(Node.self, Node.self) { old, new in
        new.other = old.next
        new.next = new
      }
    }
    let nodes = Array(store.objects(Node.self)).sorted { $0.name < $1.name }
    #expect(nodes.map(\.next) == nodes)
    #expect(nodes.map(\.other) == [nodes[1], nil])
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `a renamed class is paired under both names`() throws {
    let place = try place()
    let store = try migrate(place, [V3.Human.self, V3.Dog.self]) { migration, _ in
      try migration.renameClass(from: "Person", to: "Human")
      try migration.enumerate(V1.Person.self, V3.Human.self) { old, new in
        new.name = "\(old.first) \(old.last)"
      }
      try migration.enumerate(V1.Dog.self, V3.Dog.self) { old, new in
        #expect(new.owner?.name == old.owner.map { "\($0.first) \($0.last)" })
      }
    }
    #expect(store.objects(V3.Dog.self).map { $0.owner?.name }.first == "First0 Last0")
  }

  @Test(.takesLong) func `many objects go through many batches`() throws {
    let place = try place(30_000)
    let store = try migrate(place) { migration, _ in
      var kept: [V2.Person] = []
      try migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
        new.fullName = old.first + String(repeating: "x", count: 300)
        if old.age % 5_000 == 0 { kept.append(new) }
        // One that was written many batches ago.
        if let first = kept.first, old.age % 999 == 0 { first.score += 1 }
      }
      #expect(kept.map { $0.fullName.prefix(6) }.last == "First2")
    }
    let people = store.objects(V2.Person.self)
    #expect(people.count == 30_000 && people.first?.score == 31)
    #expect(people.allSatisfy { $0.fullName.utf8.count > 300 })
    #expect(try store.integrityFindings().isEmpty)
  }

  // MARK: Mistakes

  @Test func `a declaration that does not fit names all that differs`() throws {
    let place = try place()
    let error = try expectError(.shapeMismatch) {
      try migrate(place) { migration, _ in
        try migration.enumerate(Wrong.Person.self, V2.Person.self) { _, _ in }
      }
    }
    #expect(
      error.message == """
        Could not read old objects of 'Person': the frozen declaration does not match the file:
        - the file has no property 'frist'. Did you mean 'first'?
        - 'age' is 'string' in the declaration, and 'int' in the file.
        - 'street' is 'string' in the declaration, and 'string?' in the file.
        """)
    #expect(try place.open().objects(V1.Person.self).count == 3)
  }

  @Test func `types that do not belong together are errors`() throws {
    let place = try place()
    let notPaired = try expectError(.shapeMismatch) {
      try migrate(place) { migration, _ in
        try migration.enumerate(V1.Person.self, V2.Dog.self) { _, _ in }
      }
    }
    #expect(
      notPaired.message
        == "Could not enumerate 'Person' with 'Dog': objects of 'Person' do not become objects "
        + "of 'Dog'.")
    let undeclared = try expectError(.shapeMismatch) {
      try migrate(place) { migration, _ in
        try migration.enumerate(V1.Person.self, V1.Person.self) { _, _ in }
      }
    }
    #expect(undeclared.message.hasSuffix("declares for the class."))
    try expectError(.unknownClass) {
      try migrate(place) { migration, _ in
        try migration.enumerate(V1.Person.self, V1.Note.self) { _, _ in }
      }
    }
    try expectError(.unknownClass) {
      try migrate(place) { migration, _ in
        try migration.enumerate(Wrong.Cat.self) { _ in }
      }
    }
    let ambiguous = try expectError(.shapeMismatch) {
      try migrate(place) { migration, _ in
        try migration.enumerate(Wrong.Dog.self) { _ in }
      }
    }
    #expect(ambiguous.message.contains("more than one type declares the class"))
    #expect(try place.open().objects(V1.Person.self).count == 3)
  }

  @Test func `an object left without a value is named`() throws {
    let place = try place()
    let error = try expectError(.migrationUnset) {
      try migrate(place) { migration, _ in
        try migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
          if old.age != 1 { new.fullName = old.first }
        }
      }
    }
    #expect(error.context.propertyName == "fullName" && error.context.objectID?.rawValue == 2)
  }

  @Test func `what the block throws names the object`() throws {
    let place = try place()
    let error = try expectError(.migrationBlockFailed) {
      try migrate(place) { migration, _ in
        try migration.enumerate(V1.Dog.self, V2.Dog.self) { old, new in
          if old.name == "dog1" { throw RollBack() }
        }
      }
    }
    #expect(error.context.className == "Dog" && error.context.objectID?.rawValue == 2)
  }

  @Test func `an old object cannot be changed`() async {
    await #expect(processExitsWith: .failure) {
      let tests = TypedMigrationTests()
      _ = try tests.migrate(tests.place()) { migration, _ in
        try migration.enumerate(V1.Person.self) { old in old.age = 5 }
      }
    }
    await #expect(processExitsWith: .failure) {
      let tests = TypedMigrationTests()
      _ = try tests.migrate(tests.place()) { migration, _ in
        try migration.enumerate(V1.Person.self) { old in old.tags.append("x") }
      }
    }
  }

  @Test func `an object that was deleted cannot be read`() async {
    await #expect(processExitsWith: .failure) {
      let tests = TypedMigrationTests()
      _ = try tests.migrate(tests.place()) { migration, _ in
        var gone: V2.Person?
        try migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
          new.fullName = old.first
          // What was read is at hand until the object is gone.
          guard new.years == 0 else { return }
          if let gone {
            _ = gone.fullName
            exit(0)
          }
          gone = new
          try migration.delete(new)
        }
      }
      exit(0)
    }
  }

  @Test func `objects cannot be used after the migration`() async throws {
    await #expect(processExitsWith: .failure) {
      let tests = TypedMigrationTests()
      nonisolated(unsafe) var kept: V2.Person?
      let store = try tests.migrate(tests.place()) { migration, _ in
        try migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
          new.fullName = old.first
          kept = new
        }
      }
      _ = store
      _ = kept?.fullName
    }
    let place = try place()
    nonisolated(unsafe) var kept: V2.Person?
    _ = try migrate(place) { migration, _ in
      try migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
        new.fullName = old.first
        unsafe kept = new
      }
    }
    #expect(unsafe kept?.isInvalidated == true)
  }
}

private enum V1 {
  @Model final class Person {
    @PrimaryKey var key: String
    var first: String
    var last: String
    var age: Int
    var street: String?
    var tags: StoredList<String>
    @Inverse(of: \V1.Dog.owner) var dogs: LinkingObjects<V1.Dog>
  }

  @Model final class Dog {
    var name: String
    var owner: V1.Person?
  }

  @Model final class Note {
    var text: String
  }

  @Model final class Song {
    var title: String
    var length: Int
  }

  @Model final class Album {
    var name: String
    var songs: StoredList<V1.Song>
  }
}

private enum V2 {
  @Model final class Person {
    @PrimaryKey var key: String
    var fullName: String
    var years: Int = 0
    var score: Double = 0
    var tags: StoredList<String>
    var address: V2.Address?
    @Inverse(of: \V2.Dog.owner) var dogs: LinkingObjects<V2.Dog>
  }

  @Model final class Dog {
    var name: String
    var owner: V2.Person?
  }

  @Model(.embedded) final class Address {
    var street: String
    var city: String?
  }

  @Model final class Song {
    var title: String
    var length: String
  }

  @Model final class Album {
    var name: String
    var songs: StoredList<V2.Song>
  }
}

private enum V3 {
  @Model final class Human {
    @PrimaryKey var key: String
    var name: String
  }

  @Model final class Dog {
    var name: String
    var owner: V3.Human?
  }
}

private enum Wrong {
  @Model final class Person {
    var frist: String
    var age: String
    var street: String
  }

  @Model final class Cat {
    var name: String
  }

  @Model final class Dog {
    var owner: V1.Person?
    @Inverse(of: \Wrong.Visit.dog) var visits: LinkingObjects<Wrong.Visit>
  }

  @Model("Person") final class Visit {
    var dog: Wrong.Dog?
  }
}
