import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct EditTests {
  let folder: TestFolder
  let path: String
  static let address = ClassSchema(
    name: "Address", isEmbedded: true, properties: [PropertySchema(name: "street", type: .string)])
  static let person = ClassSchema(
    name: "Person",
    properties: [
      PropertySchema(name: "number", type: .int, isPrimaryKey: true),
      PropertySchema(name: "email", type: .string, isOptional: true),
      PropertySchema(name: "tags", type: .list(of: ElementType(.string))),
      PropertySchema(name: "home", type: .link(to: "Address")),
      PropertySchema(name: "others", type: .list(of: ElementType(.link(to: "Address")))),
      PropertySchema(name: "friends", type: .map(of: ElementType(.link(to: "Person")))),
      PropertySchema(name: "note", type: .any),
    ],
    indexes: [IndexSchema(["email"], .unique)])

  init() throws {
    folder = try TestFolder()
    path = folder.path("a.whimbrel")
    try makeStore(at: path, [Self.address, Self.person]) { session in
      let people = try session.table("Person")
      for number in 1...3 {
        _ = try people.create(
          ["number": .int(Int64(number)), "email": .string("p\(number)@example.com")],
          replacing: false)
      }
    }
  }

  /// What an edit reports when it is looked at; doing it has to report the same.
  private func run(_ operations: [StoreEdit.Operation]) throws -> String {
    let before = folder.contents("a.whimbrel")
    var preview = ""
    let counts = try StoreEdit(path: path, operations).run(.preview) { preview += $0.text }
    #expect(folder.contents("a.whimbrel") == before)
    var done = ""
    let doneCounts = try StoreEdit(path: path, operations).run(.write(backup: nil)) {
      done += $0.text
    }
    #expect(done == preview)
    #expect(doneCounts == counts)
    #expect(try integrityFindings(path) == [])
    return done
  }

  /// The error of an edit, which changes nothing.
  private func failure(_ operations: [StoreEdit.Operation]) throws -> String {
    let before = try dump(path)
    for mode in [StoreEdit.Mode.preview, .write(backup: nil)] {
      do {
        try StoreEdit(path: path, operations).run(mode) { _ in }
        Issue.record("It was done.")
      } catch let error as InspectionError {
        if mode == .preview { continue }
        #expect(try dump(path) == before)
        return "\(error)"
      } catch let error as StoreError {
        if mode == .preview { continue }
        #expect(try dump(path) == before)
        return "\(error.message) \(error.recovery)"
      }
    }
    return ""
  }

  private func set(_ name: String, _ texts: String...) -> StoreEdit.Operation {
    .set(class: "Person", .named([name]), .texts(texts))
  }

  private func set(_ name: String, json: String) -> StoreEdit.Operation {
    .set(class: "Person", .named([name]), .json(json))
  }

  @Test func `values are given as texts`() throws {
    #expect(
      try run([set("2", "email=null", #"tags=["a","b"]"#, #"note={"int":5}"#)]) == """
        ~ Person 2
            email: "p2@example.com" → null
            tags: +2
              + [0] "a"
              + [1] "b"
            note: null → 5

        """)
    // What is the same already is no change.
    #expect(try run([set("2", "email=null", "number=2")]) == "")
  }

  @Test func `values are given as JSON, with links by name and embedded objects as they are`()
    throws
  {
    let json = """
      {"home": {"street": "Main Street"}, "others": [{"street": "A"}, {"street": "B"}],
       "friends": {"best": 2, "next": {"link": \(ObjectID(clusteredKey: 3).rawValue)}}}
      """
    let id = ObjectID(clusteredKey: 3).rawValue
    #expect(
      try run([set("1", json: json)]).hasPrefix(
        """
        ~ Person 1
            home: null → {street: "Main Street"}
            others: +2
              + [0] {street: "A"}
              + [1] {street: "B"}
            friends: +2
              + ["best"] 2
              + ["next"] 3
        """), "\(id)")
    // The embedded objects of before go with it.
    #expect(
      try run([set("1", json: #"{"others": [{"street": "B"}]}"#)]) == """
        ~ Person 1
            others: -1
              - [0] {street: "A"}

        """)
    #expect(try StoreInspector(path: path).description().classes.map(\.objects) == [2, 3])
    #expect(
      try run([.remove(class: "Person", .named(["1", "1"]))]) == """
        - Person 1
            removes Address id:1, which is embedded in it
            removes Address id:4, which is embedded in it

        """)
    #expect(try StoreInspector(path: path).description().classes.map(\.objects) == [0, 2])
  }

  @Test func `removing says what it unlinks`() throws {
    _ = try run([set("1", json: #"{"friends": {"best": 2, "other": 3}}"#)])
    #expect(
      try run([.remove(class: "Person", .query("number == 2"))]) == """
        - Person 2
            unlinks 'friends' of Person 1

        """)
    // One that goes itself is not worth mentioning.
    #expect(
      try run([.remove(class: "Person", .query(""))]) == """
        - Person 1
        - Person 3

        """)
  }

  @Test func `several things are done together`() throws {
    #expect(
      try run([
        .add(class: "Person", .texts(["number=4", "email=x"])), set("4", "email=y"),
        .set(class: "Person", .query("number < 3"), .texts(["note={\"bool\":true}"])),
      ]) == """
        + Person 4
            number: 4
            email: "x"
            tags: []
            home: null
            others: []
            friends: {}
            note: null
        ~ Person 4
            email: "x" → "y"
        ~ Person 1
            note: null → true
        ~ Person 2
            note: null → true

        """)
    // The last of these fails, and nothing is done.
    #expect(
      try failure([
        set("1", "email=z"), .remove(class: "Person", .named(["2"])), set("9", "email=z"),
      ])
      .hasPrefix("Could not find the object '9' of class 'Person'"))
  }

  @Test func `what the store refuses is not done`() throws {
    #expect(try failure([set("1", "email=p2@example.com")]).contains("'email'"))
    #expect(
      try failure([set("1", "number=7")]).hasPrefix(
        "Could not set 'Person.number': it is the primary"))
    #expect(
      try failure([set("1", "emial=x")]).hasSuffix("Did you mean 'email'?"))
    #expect(
      try failure([.add(class: "Persn", .texts([]))]).hasSuffix("Did you mean 'Person'?"))
    #expect(
      try failure([.add(class: "Person", .texts(["email=x"]))])
        .contains("its property 'number' has no value"))
    let duplicate = try failure([.add(class: "Person", .texts(["number=1"]))])
    #expect(duplicate.contains("another object already has 1 as its 'number'"))
    let number = try failure([.add(class: "Person", .texts(["number=one"]))])
    #expect(number.hasSuffix("Property 'Person.number' holds 'int'."))
    // The message was "Could not understand '':  does not fit into 'int'."
    #expect(number.contains("'one': it is not a value of type 'int'."))
    #expect(
      try failure([.add(class: "Person", .texts(["number="]))])
        .contains("'': it is not a value of type 'int'."))
    #expect(
      try failure([.add(class: "Person", .texts(["number=1.5"]))])
        .contains("1.5 does not fit into 'int'"))
    #expect(
      try failure([.add(class: "Address", .texts(["street=x"]))])
        .hasPrefix("Could not add an object of class 'Address': its objects are embedded"))
    #expect(try failure([set("1", "home=id:1")]).contains("no object has this object ID"))
    #expect(
      try failure([set("1", "tags=[1]")]).contains("but is a number, in 'Person.tags', at column 2")
    )
    #expect(try failure([set("1", "tags")]).contains("it is not a property and a value"))
    #expect(try failure([set("1", "email=a", "email=b")]).contains("is given twice"))
    #expect(try failure([set("1", json: "[]")]).contains("it is an array"))
    #expect(try failure([set("1", json: "{\n\"email\":\n1}")]).contains("at column 12"))
    #expect(
      try failure([set("1", json: #"{"others":[{"stret":"x"}]}"#)]).hasSuffix(
        "Did you mean 'street'?"))
    #expect(try failure([.remove(class: "Person", .query("numbr > 1"))]).contains("'numbr'"))
  }

  @Test func `a store is copied before it is changed`() throws {
    let before = try dump(path)
    let backup = folder.path("backup.whimbrel")
    let edit = StoreEdit(path: path, [.remove(class: "Person", .query(""))])
    try edit.run(.write(backup: backup)) { _ in }
    #expect(try dump(backup) == before)
    let after = try dump(path)
    do {
      try edit.run(.write(backup: backup)) { _ in }
      Issue.record("There is a file already.")
    } catch InspectionError.Code.cannotWrite {}
    #expect(try dump(path) == after)
    // Where nothing was changed, no copy stays.
    let other = folder.path("other.whimbrel")
    let failing = StoreEdit(path: path, [.remove(class: "Person", .named(["1"]))])
    #expect(throws: InspectionError.self) { try failing.run(.write(backup: other)) { _ in } }
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  @Test func `who does not want what is reported has nothing done`() throws {
    struct Unwanted: Error {}
    let before = try dump(path)
    #expect(throws: Unwanted.self) {
      try StoreEdit(path: path, [.remove(class: "Person", .query(""))]).run(.write(backup: nil)) {
        _ in throw Unwanted()
      }
    }
    #expect(try dump(path) == before)
  }

  @Test func `an edit upgrades no file of an older format`() throws {
    let copy = folder.path("old.whimbrel")
    try copyStore(sampleStores.appending(path: "Formats/1.Zones.v3.whimbrel").path, copy)
    let before = folder.contents("old.whimbrel")
    do {
      try StoreEdit(path: copy, [.remove(class: "Zone", .query(""))]).run(.write(backup: nil)) {
        _ in
      }
      Issue.record("It was done.")
    } catch InspectionError.Code.formatTooOld {}
    #expect(folder.contents("old.whimbrel") == before)
  }
}
