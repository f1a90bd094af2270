import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

struct EditReversalTests {
  private let folder: TestFolder
  private let path: String

  private static let address = ClassSchema(
    name: "Address", isEmbedded: true,
    properties: [
      PropertySchema(name: "street", type: .string),
      PropertySchema(name: "parts", type: .list(of: ElementType(.link(to: "Address")))),
    ])
  private static let person = ClassSchema(
    name: "Person",
    properties: [
      PropertySchema(name: "number", type: .int, isPrimaryKey: true),
      PropertySchema(name: "email", type: .string, isOptional: true),
      PropertySchema(name: "tags", type: .set(of: ElementType(.string))),
      PropertySchema(name: "weight", type: .double, defaultValue: .value(.double(0))),
      PropertySchema(name: "home", type: .link(to: "Address")),
      PropertySchema(name: "others", type: .map(of: ElementType(.link(to: "Address")))),
      PropertySchema(name: "friends", type: .list(of: ElementType(.link(to: "Person")))),
      PropertySchema(name: "best", type: .link(to: "Person")),
      PropertySchema(name: "note", type: .any),
    ],
    indexes: [IndexSchema(["email"], .unique)])
  private static let dog = ClassSchema(
    name: "Dog",
    properties: [
      PropertySchema(name: "name", type: .string),
      PropertySchema(name: "owner", type: .link(to: "Person")),
    ],
    indexes: [IndexSchema(["name"], .unique)])

  init() throws {
    folder = try TestFolder()
    path = folder.path("a.whimbrel")
    try makeStore(at: path, [Self.address, Self.person, Self.dog])
    let people = (1...4).map { number in
      """
      {"number": \(number), "email": "p\(number)", "tags": ["a", "b"], "weight": "nan",
       "home": {"street": "home \(number)", "parts": [{"street": "inner"}]},
       "others": {"x": {"street": "x \(number)"}}}
      """
    }
    try edit(
      people.map { .add(class: "Person", .json($0)) } + [
        set(
          "1",
          #"{"friends": [2, 3, 2, 4], "best": 2, "note": {"list": [{"object": {"class": "Person", "key": 2}}, {"int": 7}]}}"#
        ),
        set("2", #"{"friends": [1, 2], "best": 1}"#),
        .add(class: "Dog", .json(#"{"name": "Rex", "owner": 2}"#)),
        .add(class: "Dog", .json(#"{"name": "Bello", "owner": 1}"#)),
      ])
  }

  private func set(_ name: String, _ json: String) -> StoreEdit.Operation {
    .set(class: "Person", .named([name]), .json(json))
  }

  private func edit(_ operations: [StoreEdit.Operation]) throws {
    try StoreEdit(path: path, operations).run(.write(backup: nil)) { _ in }
  }

  /// The lines of all objects. The first line of a dump has the next object IDs, which stay used.
  private func objects(of path: String? = nil) throws -> String {
    let lines = try dump(path ?? self.path).split(separator: "\n")
    return lines.dropFirst().joined(separator: "\n")
  }

  private func takeBack(_ reversal: EditReversal?) throws {
    let reversal = try #require(reversal)
    try StoreEdit(path: path, takingBack: reversal).run(.write(backup: nil)) { _ in }
  }

  /// Performs an edit and expects that it is taken back completely, and then done again.
  ///
  /// - Returns: what taking it back reports.
  @discardableResult
  private func expectReversible(_ operations: [StoreEdit.Operation]) throws -> String {
    let before = try objects()
    let edit = StoreEdit(path: path, operations)
    let preview = try edit.runReversibly(.preview) { _ in }
    #expect(preview.summary.isReversible && preview.reversal == nil)
    let done = try edit.runReversibly(.write(backup: nil)) { _ in }
    #expect(done.summary == preview.summary)
    let after = try objects()
    let reversal = try #require(done.reversal)
    var report = ""
    let back = try StoreEdit(path: path, takingBack: reversal).runReversibly(.write(backup: nil)) {
      report += $0.text
    }
    #expect(try objects() == before)
    #expect(try integrityFindings(path) == [])
    let inverse = try #require(back.reversal)
    let again = try StoreEdit(path: path, takingBack: inverse)
      .runReversibly(.write(backup: nil)) { _ in }
    #expect(try objects() == after)
    #expect(try integrityFindings(path) == [])
    try takeBack(again.reversal)
    #expect(try objects() == before)
    return report
  }

  /// Performs an edit, and expects that it cannot be taken back after `meanwhile`.
  private func conflict(
    _ operations: [StoreEdit.Operation], meanwhile: () throws -> Void
  ) throws -> String {
    let done = try StoreEdit(path: path, operations).runReversibly(.write(backup: nil)) { _ in }
    try meanwhile()
    let before = try objects()
    let reversal = try #require(done.reversal)
    do {
      try StoreEdit(path: path, takingBack: reversal).run(.write(backup: nil)) { _ in }
      Issue.record("It was taken back.")
    } catch let error as InspectionError {
      #expect(error.code == .changedMeanwhile)
      #expect(try objects() == before)
      return error.message
    }
    return ""
  }

  @Test func `changed values are restored`() throws {
    let report = try expectReversible([
      set("1", #"{"email": null, "tags": ["c"], "weight": 3.5}"#), set("1", #"{"email": "z"}"#),
      set("2", #"{"email": "p1", "note": {"int": 5}}"#),
    ])
    #expect(
      report == """
        ~ Person 1
            email: "z" → "p1"
            tags: +2 -1
              - "c"
              + "a"
              + "b"
            weight: 3.5 → nan
        ~ Person 2
            email: "p1" → "p2"
            note: 5 → null

        """)
  }

  /// Each object waited for the value of the other, so the edit could not be taken back.
  @Test func `exchanged unique values are restored`() throws {
    let exchange = [
      set("1", #"{"email": null}"#), set("2", #"{"email": "p1"}"#), set("1", #"{"email": "p2"}"#),
    ]
    try expectReversible(exchange)
    try expectReversible([set("1", #"{"email": "p2"}"#), set("2", #"{"email": "p1"}"#)])
    let name = { (dog: String, name: String) in
      StoreEdit.Operation.set(class: "Dog", .named([dog]), .json(#"{"name": "\#(name)"}"#))
    }
    // The names are not optional.
    try expectReversible([name("id:1", "Bello"), name("id:2", "Rex")])
    let twice = StoreEdit(path: path, [name("id:1", "Bello")])
    let error = #expect(throws: StoreError.self) { try twice.run(.preview) { _ in } }
    #expect(error?.code == .duplicateValues)
    // A value that another object has taken stays with it.
    let change = try StoreEdit(path: path, [set("1", #"{"email": "new"}"#)])
      .runReversibly(.write(backup: nil)) { _ in }
    try edit([set("3", #"{"email": "p1"}"#)])
    let before = try objects()
    #expect(throws: StoreError.self) { try takeBack(change.reversal) }
    #expect(try objects() == before)
  }

  @Test func `added objects are removed, and what was embedded with them`() throws {
    let report = try expectReversible([
      .add(class: "Person", .json(#"{"number": 9, "email": "n", "home": {"street": "new"}}"#)),
      set("1", #"{"best": 9, "friends": [9, 2]}"#), set("9", #"{"home": {"street": "newer"}}"#),
      .add(class: "Dog", .json(#"{"name": "New", "owner": 9}"#)),
    ])
    #expect(
      report == """
        - Person 9
        ~ Person 1
            friends: +3 -1
              - [0] 9
              + [0] 2
              + [1] 3
              + [3] 4
            best: 9 → 2
        - Dog id:3

        """)
  }

  @Test func `removed objects come back with their IDs, their parts, and the links to them`() throws
  {
    let report = try expectReversible([.remove(class: "Person", .named(["2", "1"]))])
    #expect(report.contains("+ Person 2\n"))
    #expect(report.contains(#"home: {street: "home 2", parts: [{street: "inner", parts: []}]}"#))
    #expect(report.contains("~ Dog id:1\n    owner: null → 2\n"))
    try expectReversible([.remove(class: "Person", .query(""))])
    try expectReversible([
      .remove(class: "Dog", .named(["1"])), .remove(class: "Person", .named(["3"])),
    ])
  }

  /// The objects of a map were reported in a random order, so a write of Studio refused the digest
  /// of its own preview.
  @Test func `an edit reports the embedded objects of a map in the order of their IDs`() throws {
    let parts = (1...6).map { #""k\#($0)": {"street": "s\#($0)"}"# }.joined(separator: ", ")
    try edit([set("1", #"{"others": {\#(parts)}}"#)])
    var ids: [Int] = []
    try StoreEdit(path: path, [.remove(class: "Person", .named(["1"]))]).run(.preview) { object in
      for case .removesPart(let part) in object.effects { ids.append(Int(part.id.rawValue)) }
    }
    // The first twelve belong to the objects that `init()` adds.
    let added = ids.filter { $0 > 12 }
    #expect(ids.count == 8)
    #expect(added.count == 6)
    #expect(added == added.sorted())
  }

  /// The digest had the IDs of objects that the edit adds, so Studio refused to write what it had
  /// previewed.
  @Test func `previews of an edit that removes what it adds have one digest`() throws {
    let edit = StoreEdit(
      path: path,
      [
        set("1", #"{"home": {"street": "new"}}"#),
        .add(class: "Dog", .json(#"{"name": "Laika", "owner": 1}"#)),
        .remove(class: "Person", .named(["1"])),
      ])
    let digests = try digestsOfTwoPreviews(edit, path)
    #expect(digests[0] == digests[1])
    var other = ChangeDigest()
    try StoreEdit(path: path, [.remove(class: "Person", .named(["1"]))])
      .run(.preview) { other.add($0) }
    #expect(other.text != digests[0])
  }

  /// The digest had the ID of the embedded object, which is not reported, so Studio never wrote
  /// such an edit.
  @Test func `previews of an edit that unlinks an embedded object that it adds have one digest`()
    throws
  {
    let path = folder.path("seats.whimbrel")
    try makeStore(
      at: path,
      [
        ClassSchema(
          name: "Seat", isEmbedded: true,
          properties: [PropertySchema(name: "neighbour", type: .link(to: "Guest"))]),
        ClassSchema(
          name: "Guest",
          properties: [
            PropertySchema(name: "number", type: .int, isPrimaryKey: true),
            PropertySchema(name: "seat", type: .link(to: "Seat")),
          ]),
      ])
    let guests = (1...3).map { number in
      StoreEdit.Operation.add(class: "Guest", .texts(["number=\(number)"]))
    }
    let old = StoreEdit.Operation.set(
      class: "Guest", .named(["3"]), .json(#"{"seat": {"neighbour": 2}}"#))
    try StoreEdit(path: path, guests + [old]).run(.write(backup: nil)) { _ in }
    let remove = StoreEdit.Operation.remove(class: "Guest", .named(["2"]))
    let edit = StoreEdit(
      path: path,
      [.set(class: "Guest", .named(["1"]), .json(#"{"seat": {"neighbour": 2}}"#)), remove])
    let digests = try digestsOfTwoPreviews(edit, path)
    #expect(digests[0] == digests[1])
    let other = try digestsOfTwoPreviews(StoreEdit(path: path, [remove]), path)
    #expect(other[0] == other[1])
    #expect(other[0] != digests[0])
  }

  private func digestsOfTwoPreviews(_ edit: StoreEdit, _ path: String) throws -> [String] {
    // While the file is open, the IDs of a preview are not assigned again.
    let file = try StoreFile.attach(OpenRequest(path: path))
    defer { file.close() }
    return try (1...2).map { _ in
      var digest = ChangeDigest()
      try edit.run(.preview) { digest.add($0) }
      return digest.text
    }
  }

  @Test func `embedded objects come back where they were`() throws {
    try expectReversible([
      set("1", #"{"home": {"street": "other"}, "others": {"y": {"street": "y"}}}"#),
      set("2", #"{"home": null, "others": {}}"#),
    ])
    try expectReversible([
      .set(class: "Address", .named(["id:1"]), .json(#"{"street": "changed", "parts": []}"#))
    ])
    try expectReversible([.remove(class: "Address", .query(""))])
  }

  @Test func `what is done one after another in one edit is taken back as a whole`() throws {
    try expectReversible([
      .remove(class: "Person", .named(["3"])),
      .add(class: "Person", .json(#"{"number": 3, "email": "p3"}"#)),
    ])
    try expectReversible([
      .add(class: "Person", .json(#"{"number": 9}"#)), set("9", #"{"home": {"street": "h"}}"#),
      .remove(class: "Person", .named(["9"])), set("4", #"{"email": "p9"}"#),
      .remove(class: "Person", .named(["2"])), set("4", #"{"email": "p2"}"#),
    ])
    try expectReversible([set("1", #"{"email": "p1"}"#)])
  }

  @Test func `what others changed meanwhile stays, and is named`() throws {
    let change = set("1", #"{"email": "mine"}"#)
    // Another property and another object are nobody's concern.
    let done = try StoreEdit(path: path, [change]).runReversibly(.write(backup: nil)) { _ in }
    try edit([set("1", #"{"tags": ["theirs"]}"#), set("2", #"{"email": "x"}"#)])
    try takeBack(done.reversal)
    #expect(try objects().contains(#""email":"p1","tags":["theirs"]"#))

    #expect(
      try conflict([change]) { try edit([set("1", #"{"email": "theirs"}"#)]) }
        .hasSuffix("object '1' of class 'Person' has changed since: its 'email' has changed."))
    #expect(
      try conflict([set("3", #"{"weight": 1}"#)]) {
        try edit([.remove(class: "Person", .named(["3"]))])
      }.hasSuffix("of class 'Person' has changed since: it has been removed."))
    #expect(
      try conflict([.add(class: "Person", .json(#"{"number": 9}"#))]) {
        try edit([.set(class: "Dog", .named(["1"]), .json(#"{"owner": 9}"#))])
      }.hasSuffix("object '9' of class 'Person' has changed since: Dog id:1 links to it."))
    #expect(
      try conflict([.remove(class: "Person", .named(["4"]))]) {
        try edit([.add(class: "Person", .json(#"{"number": 4}"#))])
      }.hasSuffix("has changed since: an object with its ID exists again."))
    #expect(
      try conflict([.set(class: "Dog", .named(["2"]), .json(#"{"owner": null}"#))]) {
        try edit([.remove(class: "Person", .named(["1"]))])
      }.hasSuffix("has changed since: the target of its 'owner' has been removed."))
  }

  @Test func `what an edit left as it was may change`() throws {
    let edit = StoreEdit(
      path: path, [set("1", #"{"email": "p1", "tags": ["c"]}"#), set("2", #"{"email": "p2"}"#)])
    let done = try edit.runReversibly(.write(backup: nil)) { _ in }
    #expect(done.reversal?.count == 1)
    try self.edit([
      set("1", #"{"email": "theirs"}"#), .remove(class: "Person", .named(["2"])),
    ])
    try takeBack(done.reversal)
    #expect(try objects().contains(#""email":"theirs","tags":["a","b"]"#))
    let none = try StoreEdit(path: path, [set("3", #"{"email": "p3"}"#)])
      .runReversibly(.write(backup: nil)) { _ in }
    #expect(none.summary.same == 1 && none.reversal?.count == 0)
  }

  @Test func `a unique value that others took meanwhile is not taken from them`() throws {
    let done = try StoreEdit(path: path, [set("1", #"{"email": null}"#)])
      .runReversibly(.write(backup: nil)) { _ in }
    try edit([set("2", #"{"email": "p1"}"#)])
    let before = try objects()
    let reversal = try #require(done.reversal)
    let error = #expect(throws: StoreError.self) {
      try StoreEdit(path: path, takingBack: reversal).run(.write(backup: nil)) { _ in }
    }
    #expect(error?.code == .duplicateValues)
    #expect(try objects() == before)
  }

  @Test func `a reversal is of its store`() throws {
    let done = try StoreEdit(path: path, [set("1", #"{"email": null}"#)])
      .runReversibly(.write(backup: nil)) { _ in }
    let reversal = try #require(done.reversal)
    let other = folder.copySampleOrMake()
    expectError(.changedMeanwhile) {
      try StoreEdit(path: other, takingBack: reversal).run(.preview) { _ in }
    }
  }

  @Test func `an edit of too many objects says before that it cannot be taken back`() throws {
    let edit = StoreEdit(path: path, [.remove(class: "Person", .named(["2"]))])
    #expect(try edit.run(.preview) { _ in }.isReversible == false)
    for (limit, isReversible) in [(2, false), (100, true)] {
      let preview = try edit.runReversibly(.preview, objectLimit: limit) { _ in }
      #expect(preview.summary.isReversible == isReversible)
    }
    let done = try edit.runReversibly(.write(backup: nil), objectLimit: 2) { _ in }
    #expect(!done.summary.isReversible && done.reversal == nil)
    #expect(done.summary.removed == 1)
  }

  @Test func `an edit in a transition is taken back if its objects are converted`() throws {
    let path = folder.path("transition.whimbrel")
    try TransitionSample.make(at: path)
    let before = try objects(of: path)
    func run(_ operations: [StoreEdit.Operation]) throws -> EditReversal? {
      let done = try StoreEdit(path: path, operations).runReversibly(.write(backup: nil)) { _ in }
      return done.reversal
    }
    let change = StoreEdit.Operation.set(
      class: "Reading", .named(["r2"]), .texts(["calibrated=9", "note=x"]))
    let reversal = try #require(try run([change]))
    try StoreEdit(path: path, takingBack: reversal).run(.write(backup: nil)) { _ in }
    #expect(try objects(of: path) == before)
    #expect(try run([.remove(class: "Reading", .named(["r1"]))]) == nil)
  }

  /// Whatever an edit does to a store, taking it back leaves nothing of it.
  @Test(arguments: seeds(15, long: 400))
  func `random edits are taken back`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var operations: [StoreEdit.Operation] = []
    for step in 0..<Int.random(in: 1...6, using: &random) {
      let name = String(Int.random(in: 1...4, using: &random))
      let other = Int.random(in: 1...4, using: &random)
      switch Int.random(in: 0..<7, using: &random) {
      case 0: operations.append(.remove(class: "Person", .query("number == \(name)")))
      case 1: operations.append(.remove(class: "Dog", .query("name BEGINSWITH 'R'")))
      case 2:
        operations.append(
          .add(class: "Person", .json(#"{"number": \#(step + 10), "home": {"street": "s"}}"#)))
        operations.append(
          .set(
            class: "Person", .query("number == \(name)"),
            .json(#"{"best": \#(step + 10), "friends": [\#(step + 10)]}"#)))
      case 3:
        operations.append(
          .set(
            class: "Person", .query("number == \(name)"),
            .json(#"{"others": {"x": {"street": "n", "parts": [{"street": "m"}]}}, "home": null}"#))
        )
      case 4:
        operations.append(
          .set(class: "Person", .query("number == \(name)"), .json(#"{"email": "e\#(step)"}"#)))
      case 5:
        operations.append(
          .set(
            class: "Address", .query("street BEGINSWITH 'home \(other)'"),
            .json(#"{"parts": [], "street": "z"}"#)))
      default: operations.append(.remove(class: "Address", .query("street == 'x \(other)'")))
      }
    }
    try expectReversible(operations)
  }
}

extension TestFolder {
  /// Makes another store, and returns its path.
  fileprivate func copySampleOrMake() -> String {
    (try? copySampleStore("Zones.v4", as: "other.whimbrel")) ?? ""
  }
}
