import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

/// Stores whose file does not have quite the schema that the app declares.
@Suite struct SchemaGapTests {
  private static let old: [any Model.Type] = [GapOld.Paint.self, GapOld.Pot.self]
  private static let new: [any Model.Type] = [GapNew.Paint.self, GapNew.Pot.self]

  private func filled(_ version: SchemaVersion = 1) throws -> TestStore {
    let test = try TestStore(Self.old, version: version)
    let store = try test.open()
    try store.write {
      for key in 0..<20 {
        let paint = GapOld.Paint(
          key: key, name: "n\(key)", color: key % 2 == 0 ? .red : .blue, words: ["w\(key)"])
        try store.add(GapOld.Pot(label: "p\(key)", paint: paint))
      }
    }
    return test
  }

  private func reading(
    _ test: TestStore, _ models: [any Model.Type], version: SchemaVersion = 1,
    migration: MigrationBlock? = nil
  ) throws -> Store {
    var configuration = test.configuration
    configuration.isReadOnly = true
    configuration.models = models
    configuration.schemaVersion = version
    configuration.migration = migration
    return try Store(configuration)
  }

  // MARK: Reading only

  @Test(arguments: [1, 2] as [SchemaVersion])
  func `a class that the file lacks reads as empty`(version: SchemaVersion) throws {
    let test = try filled()
    let bytes = try Data(contentsOf: test.url)
    let store = try reading(
      test, [GapExtension.Paint.self, GapExtension.Shelf.self], version: version)
    let shelves = store.objects(GapExtension.Shelf.self)
    #expect(shelves.isEmpty && shelves.first == nil && shelves.last == nil)
    #expect(shelves.map(\.number) == [])
    #expect(store.object(ofType: GapExtension.Shelf.self, forPrimaryKey: 5) == nil)
    #expect(shelves.where { $0.place == "here" && $0.number > 2 }.isEmpty)
    #expect(shelves.where { $0.paints.name == "n1" }.count == 0)
    #expect(shelves.sorted(by: \.place).map(\.number) == [])
    #expect(try shelves.where("place BEGINSWITH 'h' AND next != nil").isEmpty)
    #expect(shelves.max(of: \.number) == nil && shelves.sum(of: \.number) == 0)
    #expect(try store.dynamicObjects("Shelf").isEmpty)
    #expect(try store.dynamicObject(ofType: "Shelf", forPrimaryKey: .int(5)) == nil)
    // The properties that the app declares have another order and are fewer.
    let paints = store.objects(GapExtension.Paint.self)
    #expect(paints.map(\.name) == (0..<20).map { "n\($0)" })
    #expect(paints.where { $0.name == "n7" }.map(\.key) == [7])
    #expect(paints.first?.shelves.isEmpty == true)
    #expect(try !store.refresh())
    try expectError(.readOnlyStore) { try store.write {} }
    #expect(try store.integrityFindings().isEmpty)
    #expect(try Data(contentsOf: test.url) == bytes)
  }

  @Test func `a class becomes embedded, or no longer is, for who only reads`() throws {
    let plain = try TestStore([GapPlain.Part.self, GapPlain.Whole.self], version: 1)
    do {
      let store = try plain.open()
      try store.write {
        let part = GapPlain.Part(size: 5)
        try store.add(GapPlain.Whole(part: part, parts: [part, GapPlain.Part(size: 6)]))
      }
    }
    let embedded = try reading(plain, [GapEmbedded.Part.self, GapEmbedded.Whole.self])
    let whole = try #require(embedded.objects(GapEmbedded.Whole.self).first)
    #expect(whole.part?.size == 5 && whole.parts.map(\.size) == [5, 6])

    let other = try TestStore([GapEmbedded.Part.self, GapEmbedded.Whole.self], version: 1)
    do {
      let store = try other.open()
      try store.write {
        try store.add(GapEmbedded.Whole(part: GapEmbedded.Part(size: 7), parts: []))
      }
    }
    let top = try reading(other, [GapPlain.Part.self, GapPlain.Whole.self])
    #expect(top.objects(GapPlain.Whole.self).first?.part?.size == 7)
    #expect(top.objects(GapPlain.Part.self).map(\.size) == [7])
  }

  @Test func `fewer cases, other defaults, indexes and order are read`() throws {
    let test = try TestStore(Self.new, version: 1)
    do {
      let store = try test.open()
      try store.write {
        try store.add(GapNew.Paint(color: .blue, key: 1, words: ["a"], layers: [1], name: "x"))
        try store.add(GapNew.Paint(color: .green, key: 2, words: [], layers: [], name: "y"))
      }
    }
    let store = try reading(test, Self.old)
    let paints = store.objects(GapOld.Paint.self)
    #expect(paints.map(\.name) == ["x", "y"])
    #expect(paints[0].color == .blue && Array(paints[0].words) == ["a"])
    // A case that the app does not know is an error of whoever reads it.
    _ = paints[1].color
    let error = try expectError(.outOfRange) { try store.refresh() }
    #expect(
      error.message.hasPrefix(
        "Could not read 'Paint.color' of the object with primary key 2: the stored value 'green' is not"
      ))
    #expect(error.context.objectID == paints[1].objectID)
  }

  @Test func `what needs no code is read where no code is declared`() throws {
    let test = try filled()
    let models: [any Model.Type] = [
      GapRenamed.Pot.self, GapExtension.Shelf.self, GapExtension.Paint.self,
    ]
    for version in [1, 2] as [SchemaVersion] {
      let store = try reading(test, models, version: version)
      let pots = store.objects(GapRenamed.Pot.self)
      #expect(pots.map(\.title) == (0..<20).map { "p\($0)" })
      #expect(pots.allSatisfy { $0.size == 3 && $0.shelf == nil })
      #expect(pots.where { $0.size == 3 && $0.title == "p4" && $0.shelf == nil }.count == 1)
      #expect(pots.where { $0.size == 4 || $0.shelf != nil }.isEmpty)
    }
    // What a block would make of them nobody knows.
    let error = try expectError(.migrationNeeded) {
      try reading(test, models, version: 2) { _, _ in }
    }
    #expect(
      Set(error.context.changes) == [
        .propertyRenamed(class: "Pot", from: "label", to: "title"),
        .madeOptional(class: "Pot", property: "title"),
        .propertyAdded(class: "Pot", property: "size"),
        .propertyAdded(class: "Pot", property: "shelf"),
      ])
    // A lower version stays an error.
    try expectError(.schemaVersionTooNew) { try reading(test, models, version: 0) }
  }

  @Test func `a migration under a read-only store goes through where it can be read`()
    async throws
  {
    let test = try filled()
    let reader = try reading(test, Self.old)
    let first = try #require(reader.objects(GapOld.Paint.self).first)
    // A process has a file open for reading or for writing.
    await #expect(processExitsWith: .success) { [path = test.url.path as String] in
      let configuration = Store.Configuration(
        url: URL(fileURLWithPath: path), models: SchemaGapTests.new, schemaVersion: 2)
      let writer = try Store(configuration)
      try writer.write { writer.objects(GapNew.Paint.self).first?.name = "changed" }
    }
    #expect(try reader.refresh())
    #expect(first.name == "changed" && reader.schemaVersion == 2)
    #expect(reader.objects(GapOld.Paint.self).map(\.key) == Array(0..<20))
  }

  // MARK: Writing

  @Test func `an open store keeps properties that another has added, and gives their defaults`()
    throws
  {
    let test = try filled()
    let store = try test.open()
    let paints = Array(store.objects(GapOld.Paint.self))
    let newer = try test.open(Self.new, version: 2)
    try newer.write {
      for paint in newer.objects(GapNew.Paint.self) where paint.key % 3 == 0 {
        paint.price = Double(paint.key)
        paint.maker = String(repeating: "m", count: paint.key * 100)
        paint.layers.append(objectsIn: Array(0..<paint.key * 50))
        paint.note = "note \(paint.key)"
        paint.mixed = newer.objects(GapNew.Pot.self).first
      }
    }
    #expect(try store.refresh())
    #expect(paints.map(\.name) == (0..<20).map { "n\($0)" })
    try store.write {
      for paint in paints {
        paint.name = "changed \(paint.key)"
        paint.words.append("more")
      }
      try store.add(GapOld.Paint(key: 100, name: "new", color: .blue, words: ["a", "b"]))
      // Replaces what is there.
      for (key, policy) in [(3, UpdatePolicy.all), (6, .modified), (7, .all)] {
        try store.add(
          GapOld.Paint(key: key, name: "replaced", color: .red, words: []), update: policy)
      }
      try store.create(GapOld.Paint.self, value: ["key": 9, "name": "made"], update: .modified)
      try store.dynamicCreate("Paint", ["key": 101, "name": "dynamic", "color": "red"])
    }
    try newer.refresh()
    for paint in newer.objects(GapNew.Paint.self) where paint.key < 100 {
      let isSet = paint.key % 3 == 0
      #expect(paint.price == (isSet ? Double(paint.key) : 2.5))
      #expect(
        paint.maker
          == (isSet
            ? String(repeating: "m", count: paint.key * 100)
            : "Whimbrel & Sons, painters since 1826"))
      #expect(Array(paint.layers) == (isSet ? Array(0..<paint.key * 50) : []))
      #expect(paint.note == (isSet ? "note \(paint.key)" : nil))
      #expect(paint.mixed?.label == (isSet ? "p0" : nil))
    }
    let name = { (key: Int) in
      newer.object(ofType: GapNew.Paint.self, forPrimaryKey: key)?.name
    }
    #expect(name(3) == "replaced" && name(6) == "replaced" && name(9) == "made")
    #expect(name(1) == "changed 1")
    for key in [100, 101] {
      let new = try #require(newer.object(ofType: GapNew.Paint.self, forPrimaryKey: key))
      #expect(new.price == 2.5 && new.maker.hasPrefix("Whimbrel") && new.layers.isEmpty)
    }
    #expect(try newer.integrityFindings().isEmpty)
    #expect(
      newer.objects(GapNew.Paint.self).where { $0.maker.starts(with: "Whimbrel") }.count == 15)
  }

  @Test func `a value that only the newer app can give is not made up`() throws {
    let test = try filled()
    let store = try test.open()
    let newer = try test.open([GapRequired.Paint.self, GapRequired.Pot.self], version: 2)
    let before = newer.objects(GapRequired.Paint.self).map(\.uuid)
    #expect(Set(before).count == 20)
    try store.write { for paint in store.objects(GapOld.Paint.self) { paint.name += "!" } }
    let error = try expectError(.missingValue) {
      try store.write {
        try store.add(GapOld.Paint(key: 100, name: "new", color: .blue, words: []))
      }
    }
    #expect(error.message.contains("'uuid', which this app does not declare"))
    try newer.refresh()
    #expect(newer.objects(GapRequired.Paint.self).map(\.uuid) == before)
    #expect(newer.objects(GapRequired.Paint.self).map(\.name) == (0..<20).map { "n\($0)!" })
    #expect(try newer.integrityFindings().isEmpty)
  }

  @Test func `a class that is gone from the file reads as empty and is not written`() throws {
    let test = try TestStore([GapOld.Paint.self, GapOld.Pot.self, Small.self], version: 1)
    let store = try test.open()
    let small = Small(key: 5)
    try store.write { try store.add(small) }
    let other = try test.open([GapOld.Paint.self, GapOld.Pot.self], version: 2) { migration, _ in
      try migration.deleteData(forType: "Small")
    }
    withExtendedLifetime(other) {}
    #expect(try store.refresh())
    #expect(small.isInvalidated && store.objects(Small.self).isEmpty)
    #expect(store.object(ofType: Small.self, forPrimaryKey: Int8(5)) == nil)
    let error = try expectError(.schemaChangedElsewhere) {
      try store.write { try store.add(Small(key: 6)) }
    }
    #expect(error.context.changes == [.classRemoved(class: "Small")])
    try store.write {
      try store.add(GapOld.Paint(key: 1, name: "a", color: .red, words: []))
      try store.deleteAll()
    }
    #expect(try store.integrityFindings().isEmpty)
  }

  // The class read as empty, as if its objects had been deleted.
  @Test(arguments: [false, true])
  func `a class that is renamed elsewhere is an error at refresh`(isReadOnly: Bool) throws {
    let test = try TestStore([Small.self], version: 1)
    let writer = try test.open()
    try writer.write { try writer.add(Small(key: 5)) }
    var configuration = test.configuration
    configuration.isReadOnly = isReadOnly
    let store = try Store(configuration)
    let small = try #require(store.objects(Small.self).first)
    let other = try test.open([SmallRenamed.Tiny.self], version: 2) { migration, _ in
      try migration.renameClass(from: "Small", to: "Tiny")
    }
    let error = try expectError(.schemaChangedElsewhere) { try store.refresh() }
    #expect(error.context.changes == [.classRenamed(from: "Small", to: "Tiny")])
    #expect(small.key == 5 && store.objects(Small.self).count == 1)
    #expect(other.objects(SmallRenamed.Tiny.self).map(\.key) == [5])
  }

  // The object had the values of the new class's object with its ID, and writes changed that one.
  @Test func `an object stays deleted if another class gets the name of its class`() throws {
    let test = try TestStore([Replaced.Note.self, Replaced.Memo.self], version: 1)
    let writer = try test.open()
    try writer.write {
      try writer.add(Replaced.Note(text: "note"))
      try writer.add(Replaced.Memo(text: "memo"))
    }
    let store = try test.open([Replaced.Note.self], version: 1)
    let notes = store.objects(Replaced.Note.self)
    let note = try #require(notes.first)
    var deletions = 0
    let token = note.observe { if case .deleted = $0 { deletions += 1 } }
    defer { token.invalidate() }
    _ = try test.open([Replaced.Memo.self], version: 2) { migration, _ in
      try migration.deleteData(forType: "Note")
    }
    _ = try test.open([Replaced.Note.self], version: 3) { migration, _ in
      try migration.renameClass(from: "Memo", to: "Note")
    }
    try store.refresh()
    let memo = try #require(notes.first)
    #expect(memo.text == "memo" && memo.objectID == note.objectID)
    #expect(note.isInvalidated && !memo.isInvalidated)
    #expect(note != memo)
    #expect(deletions == 1)
    try expectError(.objectDeleted) { _ = try note.frozen }
    try expectError(.objectDeleted) { try store.write { try store.delete(note) } }
    try expectError(.objectDeleted) { try store.write { try store.delete([note]) } }
    #expect(notes.map(\.text) == ["memo"])
  }

  // They found their class by its name, so they showed, changed and deleted objects of the new class.
  @Test func `slices and objects by name stay deleted if another class gets the name`() throws {
    let test = try TestStore([Replaced.Note.self, Replaced.Memo.self], version: 1)
    let writer = try test.open()
    try writer.write {
      for number in 0..<4 {
        try writer.add(Replaced.Note(text: "note \(number)"))
        try writer.add(Replaced.Memo(text: "memo \(number)"))
      }
    }
    let store = try test.open([Replaced.Note.self], version: 1)
    let notes = store.objects(Replaced.Note.self)
    let (note, slice) = (notes[1], notes.sorted(by: \.text)[1..<3])
    var loops = (whole: notes.makeIterator(), slice: slice.makeIterator())
    #expect(loops.whole.next()?.text == "note 0" && loops.slice.next()?.text == "note 1")
    let named = try store.dynamicObjects("Note")
    let object = named[1]
    let text = try object.property("text")
    _ = try test.open([Replaced.Memo.self], version: 2) { migration, _ in
      try migration.deleteData(forType: "Note")
    }
    _ = try test.open([Replaced.Note.self], version: 3) { migration, _ in
      try migration.renameClass(from: "Memo", to: "Note")
    }
    try store.refresh()
    #expect(slice.count == 2 && slice.map(\.text) == [])
    #expect(slice[1].isInvalidated && slice[1...][2].isInvalidated)
    #expect(loops.whole.next() == nil && loops.slice.next() == nil)
    #expect(!notes.contains(note) && notes.index(of: note) == nil)
    #expect("\(note)" == "Note(object 2: deleted)" && "\(object)" == "\(note)")
    try expectError(.objectDeleted) { _ = try object.value("text") }
    try expectError(.objectDeleted) { _ = try object.value(text) }
    try expectError(.objectDeleted) { try store.write { try object.set("text", to: "new") } }
    try expectError(.objectDeleted) { try store.write { try store.delete(object) } }
    let memos = (0..<4).map { "memo \($0)" }
    #expect(notes.map(\.text) == memos)
    #expect(try named.map { try $0["text", as: String.self] } == memos)
  }

  // Conditions compared the ID of the object alone, so they found links to an object of the new class.
  @Test func `a condition finds no links to an object whose class has lost its name`() throws {
    let models: [any Model.Type] = [Replaced.Note.self, Replaced.Memo.self, Linking.Ref.self]
    let test = try TestStore(models, version: 1)
    let writer = try test.open()
    try writer.write {
      try writer.add(Replaced.Note(text: "note"))
      try writer.add(Replaced.Memo(text: "memo"))
      try writer.add(Linking.Ref())
    }
    let store = try test.open([Replaced.Note.self, Linking.Ref.self], version: 1)
    let (notes, refs) = (store.objects(Replaced.Note.self), store.objects(Linking.Ref.self))
    let note = try #require(notes.first)
    let id = try #require(note.objectID)
    _ = try test.open([Replaced.Memo.self, Unlinked.Ref.self], version: 2) { migration, _ in
      try migration.deleteData(forType: "Note")
    }
    _ = try test.open([Replaced.Note.self, Linking.Ref.self], version: 3) { migration, _ in
      try migration.renameClass(from: "Memo", to: "Note")
      try migration.enumerateObjects(ofType: "Ref") { _, new in
        try new?.set("note", to: PropertyValue.link(id))
      }
    }
    try store.refresh()
    let memo = try #require(notes.first)
    #expect(memo.objectID == id && refs.first?.note?.text == "memo")
    #expect(refs.where { $0.note == memo }.count == 1 && refs.where { $0.note == note }.isEmpty)
    #expect(try refs.where("note == $0", memo).count == 1)
    #expect(try refs.where("note == $0", note).isEmpty)
    #expect(try refs.where("note IN $0", [note]).isEmpty)
  }

  @Test func `another process adds properties under an open store that writes`() async throws {
    let test = try filled()
    let store = try test.open()
    await #expect(processExitsWith: .success) { [path = test.url.path as String] in
      let configuration = Store.Configuration(
        url: URL(fileURLWithPath: path), models: SchemaGapTests.new, schemaVersion: 2)
      let newer = try Store(configuration)
      try newer.write {
        for paint in newer.objects(GapNew.Paint.self) {
          paint.note = "kept \(paint.key)"
          if paint.key == 5 { paint.color = .green }
        }
      }
    }
    try store.write {
      for paint in store.objects(GapOld.Paint.self) { paint.name = "old \(paint.key)" }
    }
    #expect(store.objects(GapOld.Paint.self).map(\.name) == (0..<20).map { "old \($0)" })
    let newer = try test.open(Self.new, version: 2)
    let paints = newer.objects(GapNew.Paint.self)
    #expect(paints.map(\.note) == (0..<20).map { "kept \($0)" })
    #expect(paints.map(\.name) == (0..<20).map { "old \($0)" })
    #expect(paints[5].color == .green)
    #expect(try newer.integrityFindings().isEmpty)
  }
}

private enum SmallRenamed {
  @Model final class Tiny {
    @PrimaryKey var key: Int8
  }
}

private enum Linking {
  @Model final class Ref {
    var note: Replaced.Note?
  }
}

private enum Unlinked {
  @Model final class Ref {
    var count: Int?
  }
}

private enum Replaced {
  @Model final class Note {
    var text: String
  }

  @Model final class Memo {
    var text: String
  }
}
