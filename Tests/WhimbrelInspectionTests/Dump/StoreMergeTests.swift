import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct StoreMergeTests {
  let folder: TestFolder
  let store: String

  init() throws {
    folder = try TestFolder()
    store = folder.path("a.whimbrel")
  }

  /// A class with a primary key, one without, and an embedded one.
  private static let classes = [
    ClassSchema(
      name: "Address", isEmbedded: true, properties: [PropertySchema(name: "street", type: .string)]
    ),
    ClassSchema(
      name: "Person",
      properties: [
        PropertySchema(name: "email", type: .string, isPrimaryKey: true),
        PropertySchema(name: "name", type: .string, defaultValue: .value("nobody")),
        PropertySchema(name: "address", type: .link(to: "Address")),
        PropertySchema(name: "friends", type: .list(of: ElementType(.link(to: "Person")))),
      ]),
    ClassSchema(
      name: "Visit",
      properties: [
        PropertySchema(name: "who", type: .link(to: "Person")),
        PropertySchema(name: "before", type: .link(to: "Visit")),
        PropertySchema(name: "any", type: .any),
      ]),
  ]

  /// Makes a store in which people are each other's friends in turn, and each visits.
  private func make(_ path: String, _ people: [(email: String, name: String)]) throws {
    try makeStore(at: path, Self.classes) { session in
      let (addresses, persons, visits) = (
        try session.table("Address"), try session.table("Person"), try session.table("Visit")
      )
      var friend: ObjectID?
      var visit: ObjectID?
      for (email, name) in people {
        let address = try addresses.create(["street": .string("\(name) street")], replacing: false)
        let person = try persons.create(
          [
            "email": .string(email), "name": .string(name), "address": .link(address),
            "friends": .list(friend.map { [.link($0)] } ?? []),
          ], replacing: false)
        visit = try visits.create(
          [
            "who": .link(person), "before": visit.map(PropertyValue.link) ?? .null,
            "any": .list([.object(ObjectReference(classID: persons.resolved.id, id: person)), 1]),
          ], replacing: false)
        friend = person
      }
    }
  }

  private func lines() throws -> [String] {
    #expect(try integrityFindings(store) == [])
    return try dump(store).split(separator: "\n").dropFirst().map(String.init)
  }

  @discardableResult
  private func merge(
    _ text: String, _ policy: MergePolicy, _ unknown: StoreMerge.UnknownNames = .refused,
    _ mode: MergeMode = .commit
  ) throws -> MergeSummary {
    let path = folder.path("dump.jsonl")
    try Data(text.utf8).write(to: URL(filePath: path))
    return try StoreMerge(path: path, into: store, policy: policy, unknown: unknown, mode: mode)
      .run()
  }

  /// A dump of two people, of whom the store has the second under another name.
  private func incoming() throws -> String {
    let other = folder.path("other.whimbrel")
    try make(other, [("c@x", "Cid"), ("b@x", "Berta")])
    return try dump(other)
  }

  private func makePeople() throws { try make(store, [("a@x", "Ada"), ("b@x", "Bob")]) }

  @Test func `an object that is kept keeps what is embedded in it, and others link to it`() throws {
    try makePeople()
    let summary = try merge(incoming(), .keep)
    #expect(
      summary.text == "Address: 1 added\nPerson: 1 added, 1 kept\nVisit: 2 added\n")
    #expect(
      try lines() == [
        #"{"class":"Address","id":1,"values":{"street":"Ada street"}}"#,
        #"{"class":"Address","id":2,"values":{"street":"Bob street"}}"#,
        #"{"class":"Address","id":3,"values":{"street":"Cid street"}}"#,
        #"{"class":"Person","id":1,"values":{"email":"a@x","name":"Ada","address":{"link":1},"friends":[]}}"#,
        #"{"class":"Person","id":2,"values":{"email":"b@x","name":"Bob","address":{"link":2},"friends":[{"key":"a@x"}]}}"#,
        #"{"class":"Person","id":3,"values":{"email":"c@x","name":"Cid","address":{"link":3},"friends":[]}}"#,
        #"{"class":"Visit","id":1,"values":{"who":{"key":"a@x"},"before":null,"any":{"list":[{"object":{"class":"Person","key":"a@x"}},{"int":1}]}}}"#,
        #"{"class":"Visit","id":2,"values":{"who":{"key":"b@x"},"before":{"link":1},"any":{"list":[{"object":{"class":"Person","key":"b@x"}},{"int":1}]}}}"#,
        #"{"class":"Visit","id":3,"values":{"who":{"key":"c@x"},"before":null,"any":{"list":[{"object":{"class":"Person","key":"c@x"}},{"int":1}]}}}"#,
        #"{"class":"Visit","id":4,"values":{"who":{"key":"b@x"},"before":{"link":3},"any":{"list":[{"object":{"class":"Person","key":"b@x"}},{"int":1}]}}}"#,
      ])
  }

  // The line of the embedded class was 'Address:' and nothing else.
  @Test func `a class of which nothing is loaded is not in the summary`() throws {
    try makePeople()
    #expect(try merge(dump(store), .keep).text == "Person: 2 kept\nVisit: 2 added\n")
  }

  @Test func `an object that is replaced loses what was embedded in it`() throws {
    try makePeople()
    let summary = try merge(incoming(), .replace)
    #expect(
      summary.text == "Address: 2 added\nPerson: 1 added, 1 replaced\nVisit: 2 added\n")
    let lines = try lines()
    #expect(lines.contains(#"{"class":"Address","id":4,"values":{"street":"Berta street"}}"#))
    #expect(!lines.joined().contains("Bob"))
    #expect(
      lines.contains(
        #"{"class":"Person","id":2,"values":{"email":"b@x","name":"Berta","address":{"link":4},"friends":[{"key":"c@x"}]}}"#
      ))
  }

  @Test func `an object that is replaced gets defaults, and one that is updated keeps its values`()
    throws
  {
    try makePeople()
    let text = try incoming().replacing(#","name":"Berta""#, with: "")
      .replacing(#","friends":[{"key":"c@x"}]"#, with: "")
    try merge(text, .update)
    #expect(
      try lines().contains(
        #"{"class":"Person","id":2,"values":{"email":"b@x","name":"Bob","address":{"link":4},"friends":[{"key":"a@x"}]}}"#
      ))
    try merge(text, .replace)
    #expect(
      try lines().contains(
        #"{"class":"Person","id":2,"values":{"email":"b@x","name":"nobody","address":{"link":6},"friends":[]}}"#
      ))
  }

  @Test func `an object that is there is an error when that is wanted`() throws {
    try makePeople()
    let before = try dump(store)
    let text = try incoming()
    let error = #expect(throws: InspectionError.self) { try merge(text, .fail) }
    #expect(error?.code == .objectExists)
    let message = error?.message
    #expect(message?.contains("line 5: the object 'b@x' of class 'Person' is already") == true)
    #expect(try dump(store) == before)
  }

  @Test(arguments: MergePolicy.allCases)
  func `a dry run changes nothing and says what would be done`(policy: MergePolicy) throws {
    try make(store, [("a@x", "Ada")])
    let before = try dump(store)
    let text = try incoming()
    let told = try merge(text, policy, .refused, .dryRun)
    #expect(try dump(store) == before)
    #expect(try merge(text, policy) == told)
  }

  @Test func `merging into an empty store gives the same objects`() throws {
    try make(store, [])
    let text = try incoming()
    try merge(text, .fail)
    #expect(try lines() == text.split(separator: "\n").dropFirst().map(String.init))
  }

  @Test func `classes and properties that the store has not are told, all of them`() throws {
    try makeStore(
      at: store,
      [
        ClassSchema(
          name: "Person",
          properties: [PropertySchema(name: "email", type: .string, isPrimaryKey: true)])
      ])
    let text = try incoming()
    let error = #expect(throws: InspectionError.self) { try merge(text, .fail) }
    #expect(error?.code == .schemaMismatch)
    #expect(
      error?.message.hasSuffix(
        "the store has no class 'Address'; the store has no property 'Person.name'; the store has "
          + "no property 'Person.address'; the store has no property 'Person.friends'; the store "
          + "has no class 'Visit'.") == true)
    #expect(try merge(text, .fail, .ignored).text == "Person: 2 added\n")
  }

  @Test(arguments: [true, false])
  func `embedded objects of unknown owners are left out, however deep`(hasPerson: Bool) throws {
    let address = ClassSchema(
      name: "Address", isEmbedded: true,
      properties: [
        PropertySchema(name: "street", type: .string),
        PropertySchema(name: "parts", type: .list(of: ElementType(.link(to: "Address")))),
      ])
    let person = ClassSchema(
      name: "Person",
      properties: [
        PropertySchema(name: "email", type: .string, isPrimaryKey: true),
        PropertySchema(name: "home", type: .link(to: "Address")),
        PropertySchema(name: "others", type: .map(of: ElementType(.link(to: "Address")))),
      ])
    let source = folder.path("source.whimbrel")
    try makeStore(at: source, [address, person]) { session in
      let (addresses, persons) = (try session.table("Address"), try session.table("Person"))
      func address(_ street: String) throws -> ObjectID {
        let part = try addresses.create(["street": .string("inner")], replacing: false)
        return try addresses.create(
          ["street": .string(street), "parts": .list([.link(part)])], replacing: false)
      }
      _ = try persons.create(
        [
          "email": .string("a@x"), "home": .link(try address("home")),
          "others": .map(["x": .link(try address("other"))]),
        ], replacing: false)
    }
    let reduced = ClassSchema(
      name: hasPerson ? "Person" : "Animal", properties: Array(person.properties.dropLast()))
    try makeStore(at: store, [address, reduced])
    let summary = try merge(dump(source), .fail, .ignored)
    #expect(
      summary.text == (hasPerson ? "Address: 2 added\nPerson: 1 added\n" : "No objects.\n"))
    let merged = try lines()
    #expect(merged.count == (hasPerson ? 3 : 0))
    #expect(!merged.contains { $0.contains(#""street":"other""#) })
  }

  @Test func `a link that leads to another class in the store is an error`() throws {
    var classes = Self.classes
    classes[2] = ClassSchema(
      name: "Visit",
      properties: [PropertySchema(name: "who", type: .link(to: "Visit"))]
        + Self.classes[2].properties.dropFirst())
    try makeStore(at: store, classes)
    let text = try incoming()
    let error = #expect(throws: InspectionError.self) { try merge(text, .fail) }
    #expect(
      error?.message.contains("'Visit.who' is '<Person>' in the dump and '<Visit>' in the store")
        == true)
  }

  static let mistakes: [(old: String, new: String, reason: String)] = [
    (#""email":"b@x""#, #""email":"c@x""#, "an earlier object has the same primary key"),
    (#"{"email":"b@x","#, "{", "it has no value for 'email', the primary key"),
    (#""friends":[{"key":"c@x"}]"#, #""friends":[{"link":9}]"#, "links to object '9'"),
    (#""friends":[{"key":"c@x"}]"#, #""friends":[{"key":"z@x"}]"#, "links to object 'z@x'"),
    (#""who":{"key":"b@x"}"#, #""who":5"#, "line 7, column 41"),
    (#""address":{"link":2}"#, #""address":null"#, "object 2 of class 'Address' is embedded"),
    (#""address":{"link":2}"#, #""address":{"link":1}"#, "also belongs to another object"),
    (#""street":"Cid street""#, #""strut":"x""#, "class 'Address' has no property 'strut'"),
    (#"{"class":"Visit","id":2"#, #"{"class":"Visit","id":1"#, "two objects have the ID 1"),
  ]

  @Test(arguments: mistakes)
  func `a mistake changes nothing, and is told with its line`(
    old: String, new: String, reason: String
  ) throws {
    try make(store, [("a@x", "Ada")])
    let before = try dump(store)
    let text = try incoming()
    try #require(text.contains(old))
    let error = #expect(throws: InspectionError.self) {
      try merge(text.replacing(old, with: new), .replace)
    }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(try dump(store) == before)
  }

  @Test(arguments: [MergePolicy.replace, .update], [MergeMode.commit, .dryRun])
  func `objects may exchange unique values, in any order`(
    policy: MergePolicy, mode: MergeMode
  ) throws {
    let classes = [
      ClassSchema(
        name: "Zone",
        properties: [
          PropertySchema(name: "number", type: .int, isPrimaryKey: true),
          PropertySchema(name: "code", type: .string),
        ], indexes: [IndexSchema(["code"], .unique)])
    ]
    func make(_ path: String, _ codes: [Int64: String]) throws {
      try makeStore(at: path, classes) { session in
        let table = try session.table("Zone")
        for (number, code) in codes.sorted(by: { $0.key < $1.key }) {
          _ = try table.create(["number": .int(number), "code": .string(code)], replacing: false)
        }
      }
    }
    try make(store, [2: "a", 3: "b", 4: "c"])
    let before = try lines()
    let (incoming, conflicting) = (folder.path("b.whimbrel"), folder.path("c.whimbrel"))
    try make(incoming, [1: "a", 2: "b", 3: "d"])
    try merge(dump(incoming), policy, .refused, mode)
    let merged = try lines()
    if mode == .dryRun {
      #expect(merged == before)
    } else {
      #expect(
        merged.map { $0.suffix(12) } == [
          "\"code\":\"a\"}}", "\"code\":\"b\"}}", "\"code\":\"d\"}}", "\"code\":\"c\"}}",
        ])
    }
    try make(conflicting, [7: "e", 8: "c"])
    let error = #expect(throws: InspectionError.self) {
      try merge(dump(conflicting), policy, .refused, mode)
    }
    #expect(error?.message.contains("line 3") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("already has the same 'code'") == true)
    #expect(try lines() == merged)
  }

  @Test func `the first of several objects without an owner is named`() throws {
    try make(store, [])
    let other = folder.path("other.whimbrel")
    try make(other, (10..<30).map { ("\($0)@x", "") })
    let text = try dump(other).replacing(#/"address":\{"link":\d+\}/#, with: #""address":null"#)
    let error = #expect(throws: InspectionError.self) { try merge(text, .fail) }
    #expect(
      error?.message.contains("object 1 of class 'Address' is embedded") == true,
      "\(error?.message ?? "")")
  }

  /// They were the same key to a merge and to CSV and JSON, although the store has both.
  @Test func `keys that differ only in the form of an accent are different keys`() throws {
    let incoming = folder.path("b.whimbrel")
    try make(incoming, [("\u{E9}", "composed"), ("e\u{301}", "decomposed"), ("z", "last")])
    try make(store, [])
    let text = try dump(incoming)
    try merge(text, .fail)
    #expect(try lines() == text.split(separator: "\n").dropFirst().map(String.init))
  }

  @Test func `a dump that was cut short changes nothing`() throws {
    try makePeople()
    let before = try dump(store)
    let lines = try incoming().split(separator: "\n")
    expectError(.incompleteDump) {
      try merge(lines.dropLast().joined(separator: "\n"), .replace)
    }
    #expect(try dump(store) == before)
  }

  @Test(arguments: seeds(6, long: 60))
  func `a random store replaced by itself is itself, but for what has no key`(seed: UInt64) throws {
    var maker = RandomStoreMaker(seed: seed)
    try maker.make(at: store)
    let before = try dump(store)
    let text = before
    try merge(text, .replace)
    let after = try lines()
    let classes = try StoreInspector(path: store).schema.schemas
    let keyed = Set(classes.filter { $0.primaryKey != nil }.map(\.name))
    for name in keyed {
      func count(_ lines: [String]) -> Int {
        lines.count { $0.hasPrefix(#"{"class":"\#(name)","#) }
      }
      #expect(count(after) == count(before.split(separator: "\n").map(String.init)))
    }
    if keyed.count == classes.count {
      #expect(after == before.split(separator: "\n").dropFirst().map(String.init))
    }
  }

  @Test(arguments: seeds(6, long: 60))
  func `a random store merged into an empty one has the same objects`(seed: UInt64) throws {
    var maker = RandomStoreMaker(seed: seed)
    let source = folder.path("source.whimbrel")
    try maker.make(at: source)
    try makeStore(at: store, StoreInspector(path: source).schema.schemas)
    let text = try dump(source)
    try merge(text, .fail)
    // Object IDs are new, so only their number is the same, and what needs none.
    #expect(try lines().count == text.split(separator: "\n").count - 1)
  }
}
