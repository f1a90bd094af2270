import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling

struct StoreAnonymizationTests {
  private let folder: TestFolder
  private let key: AnonymizationKey

  init() throws {
    folder = try TestFolder()
    key = try AnonymizationKey(text: "a key for tests")
  }

  @discardableResult
  private func anonymize(
    _ path: String, to name: String = "out.whimbrel",
    _ choose: (inout StoreAnonymization) throws -> Void = { _ in }
  ) throws -> AnonymizationSummary {
    var anonymization = StoreAnonymization(try StoreInspector(path: path), key: key)
    try choose(&anonymization)
    return try anonymization.write(to: .newFile(folder.path(name)))
  }

  @Test(arguments: seeds(4, long: 40))
  func `a store of anything stays whole, in the same shape, with the same bytes each time`(
    seed: UInt64
  ) throws {
    var maker = RandomStoreMaker(seed: seed)
    let path = folder.path("a.whimbrel")
    try maker.make(at: path)
    try anonymize(path)
    try anonymize(path, to: "again.whimbrel")
    let new = folder.path("out.whimbrel")
    #expect(try integrityFindings(new) == [])
    #expect(folder.contents("out.whimbrel") == folder.contents("again.whimbrel"))
    let (before, session) = (try readOnlySession(path), try readOnlySession(new))
    for table in before.classes {
      let other = try session.table(table.name)
      #expect(try other.objectIDs() == table.objectIDs())
      try table.forEachRecord { id, record in
        let copy = try #require(try other.record(id))
        for position in table.resolved.properties.indices {
          let old = try table.value(position, of: record, id)
          // NaN is not equal to itself, but is written the same.
          let new = try other.value(position, of: copy, id)
          #expect("\(form(new))" == "\(form(old))", "seed \(seed)")
        }
      }
    }
    before.close()
    session.close()
  }

  /// What has to stay of a value.
  private func form(_ value: PropertyValue) -> PropertyValue {
    switch value {
    case .string(let text): .string("\(text.unicodeScalars.count)")
    case .data(let data): .int(Int64(data.count))
    case .uuid, .objectId: .string(value.kind)
    // Elements of sets change their order.
    case .list(let elements): .list(elements.map(form).sorted { "\($0)" < "\($1)" })
    case .map(let elements): .list(elements.values.map(form).sorted { "\($0)" < "\($1)" })
    default: value
    }
  }

  @Test(arguments: 1...4)
  func `no text of a sample store is left anywhere in the file`(version: Int) throws {
    let path = SampleStorePath.zones(version)
    try anonymize(path)
    let bytes = try #require(folder.contents("out.whimbrel"))
    #expect(try integrityFindings(folder.path("out.whimbrel")) == [])
    // The areas of time zones stay.
    let areas = ["Antarctica", "Australia", "Indian", "America", "Atlantic", "Pacific", "Europe"]
    let texts = try texts(of: path).filter { text in
      text.count(where: \.isLetter) >= 4 && !areas.contains { $0.contains(text) }
    }
    #expect(texts.count > 400)
    for text in texts { #expect(bytes.range(of: Data(text.utf8)) == nil, "'\(text)' is left") }
  }

  /// All texts of a store that are no enum's cases.
  private func texts(of path: String) throws -> Set<String> {
    var texts: Set<String> = []
    let session = try readOnlySession(path)
    defer { session.close() }
    for table in session.classes {
      try table.forEachRecord { id, record in
        for (position, property) in table.resolved.properties.enumerated()
        where property.cases == nil {
          collect(try table.value(position, of: record, id), &texts)
        }
      }
    }
    return texts
  }

  private func collect(_ value: PropertyValue, _ texts: inout Set<String>) {
    switch value {
    case .string(let text): texts.insert(text)
    case .list(let elements): for element in elements { collect(element, &texts) }
    case .map(let elements):
      for (name, element) in elements {
        texts.insert(name)
        collect(element, &texts)
      }
    default: break
    }
  }

  /// A class of values of every kind that may name somebody, and a property that is removed.
  private func makePeople(_ path: String) throws {
    let removed = PropertySchema(name: "maidenName", type: .string)
    let properties = [
      PropertySchema(name: "identifier", type: .uuid, isPrimaryKey: true),
      PropertySchema(name: "name", type: .string, isIndexed: true),
      PropertySchema(name: "kind", type: .string, cases: ["friend", "colleague"]),
      PropertySchema(name: "note", type: .string, defaultValue: .value("no note so far")),
      PropertySchema(name: "photo", type: .data, isOptional: true),
      PropertySchema(name: "mails", type: .list(of: ElementType(.string))),
      PropertySchema(name: "tags", type: .set(of: ElementType(.string))),
      PropertySchema(name: "phones", type: .map(of: ElementType(.string))),
      PropertySchema(name: "extra", type: .any),
      PropertySchema(name: "account", type: .objectId),
      PropertySchema(name: "age", type: .uint8),
    ]
    let counted = ClassSchema(
      name: "Visit",
      properties: [
        PropertySchema(name: "count", type: .int), removed,
      ])
    try makeStore(
      at: path, [ClassSchema(name: "Person", properties: properties + [removed]), counted]
    ) { session in
      for number in 0..<3 {
        let identifier = UUID(uuidString: "F47AC10B-58CC-4372-A567-0E02B2C3D47\(number)")
        _ = try session.table("Person").create(
          [
            "identifier": .uuid(try #require(identifier)),
            "name": .string("Winterbottom \(number)"),
            "kind": .string(number == 0 ? "friend" : "colleague"),
            "note": .string(number == 0 ? "no note so far" : "owes me money"),
            "photo": .data(Data("photograph".utf8)),
            "mails": ["winterbottom@example.org", "friend"],
            "tags": .list((0..<200).map { .string("tagged \($0)") }),
            "phones": ["grandmother": "0171 5550123", "work": .string(Self.long)],
            "extra": ["secret", ["brother": "Archibald", "age": 50]],
            "account": .objectId(try #require(ObjectId("6740c1d2a3b4c5d6e7f80912"))),
            "age": 42, "maidenName": "Featherstone",
          ], replacing: false)
        _ = try session.table("Visit").create(
          ["count": .int(Int64(number)), "maidenName": "Featherstone"], replacing: false)
      }
    }
    try migrateStore(
      at: path,
      [
        ClassSchema(name: "Person", properties: properties),
        ClassSchema(name: "Visit", properties: [counted.properties[0]]),
      ], version: 2
    ) { _, _ in }
  }

  private static let long = String(repeating: "a long memory ", count: 2_000)

  @Test func `values of every kind are replaced, and what was removed is gone`() throws {
    let path = folder.path("a.whimbrel")
    try makePeople(path)
    let old = try #require(folder.contents("a.whimbrel"))
    let summary = try anonymize(path)
    let new = try #require(folder.contents("out.whimbrel"))
    let secrets =
      [
        "Winterbottom", "winterbottom", "owes me", "photograph", "tagged", "grandmother", "5550123",
        "memory", "secret", "brother", "Archibald", "Featherstone",
      ].map { Data($0.utf8) } + [Data([0xF4, 0x7A, 0xC1, 0x0B]), Data([0x67, 0x40, 0xC1, 0xD2])]
    for secret in secrets.dropLast(2) {
      #expect(old.range(of: secret) != nil)
      #expect(new.range(of: secret) == nil, "\(String(decoding: secret, as: UTF8.self)) is left")
    }
    for secret in secrets { #expect(new.range(of: secret) == nil) }
    #expect(try integrityFindings(folder.path("out.whimbrel")) == [])
    let text = try dump(folder.path("out.whimbrel"))
    #expect(text.contains(#""kind":"friend","note":"no note so far""#))
    #expect(!text.contains(#""note":"owes"#))
    #expect(text.contains(#""age":42"#))
    #expect(summary.objects == 6)
    #expect(
      summary.text == """
        property           type              treatment  values
        Person.identifier  uuid              replaced        3
        Person.name        string            replaced        3
        Person.kind        string            replaced        3
        Person.note        string            replaced        3
        Person.photo       data              replaced        3
        Person.mails       [string]          replaced        3
        Person.tags        {string}          replaced        3
        Person.phones      [string: string]  replaced        3
        Person.extra       any               replaced        3
        Person.account     objectId          replaced        3
        Person.age         uint8             left            3
        Visit.count        int               left            3

        """)
    #expect(try AnonymizationSummary(json: summary.json()) == summary)
  }

  @Test func `equal values stay equal, also across versions of a store`() throws {
    func names(_ version: Int, _ property: String) throws -> [PropertyValue] {
      try anonymize(SampleStorePath.zones(version), to: "\(version).whimbrel")
      let session = try readOnlySession(folder.path("\(version).whimbrel"))
      defer { session.close() }
      let table = try session.table("Zone")
      let position = try table.resolved.requiredPosition(of: property)
      return try table.objectIDs().map { id in
        try table.value(position, of: #require(try table.record(id)), id)
      }
    }
    let first = try names(1, "name")
    #expect(Set(first).count == first.count)
    #expect(try Set(names(2, "name")) == Set(first))
  }

  /// Returns the values of a property in the new store, ordered by object ID.
  private func newValues(of property: String, _ className: String) throws -> [PropertyValue] {
    let session = try readOnlySession(folder.path("out.whimbrel"))
    defer { session.close() }
    let table = try session.table(className)
    let position = try table.resolved.requiredPosition(of: property)
    return try table.objectIDs().map { id in
      try table.value(position, of: #require(try table.record(id)), id)
    }
  }

  /// The default value stayed, while all others got another beginning.
  @Test func `a default value keeps its place when the order is kept`() throws {
    let path = folder.path("a.whimbrel")
    let properties = [
      PropertySchema(name: "name", type: .string, defaultValue: .value("knot m")),
      PropertySchema(
        name: "kind", type: .string, defaultValue: .value("friend"), cases: ["friend", "other"]),
    ]
    try makeStore(at: path, [ClassSchema(name: "Person", properties: properties)]) { session in
      for name in ["knot a", "knot m", "knot z"] {
        _ = try session.table("Person").create(["name": .string(name)], replacing: false)
      }
    }
    try anonymize(path) { anonymization in
      try anonymization.keepOrder(of: "Person.name")
      try anonymization.keepOrder(of: "Person.kind")
    }
    let names = try newValues(of: "name", "Person").map { "\($0)" }
    #expect(names == names.sorted())
    #expect(Set(names).count == 3)
    #expect(try newValues(of: "kind", "Person") == ["friend", "friend", "friend"])
  }

  /// One of the other letters became "a", the default value, which stays. So did a byte, and an
  /// element.
  @Test func `no value becomes a default value that stays`() throws {
    let path = folder.path("a.whimbrel")
    let properties = [
      PropertySchema(name: "letter", type: .string, defaultValue: .value("a")),
      PropertySchema(name: "byte", type: .data, defaultValue: .value(.data(Data([0])))),
      PropertySchema(
        name: "letters", type: .list(of: ElementType(.string)), defaultValue: .value(["a"])),
    ]
    let letters = "abcdefghijklmnopqrstuvwxyz".map { PropertyValue.string(String($0)) }
    try makeStore(at: path, [ClassSchema(name: "Mark", properties: properties)]) { session in
      for number in 0..<256 {
        let letter = letters[number % letters.count]
        _ = try session.table("Mark").create(
          [
            "letter": letter, "byte": .data(Data([UInt8(number)])), "letters": .list([letter]),
          ], replacing: false)
      }
    }
    try anonymize(path)
    #expect(try Set(newValues(of: "letter", "Mark")) == Set(letters))
    #expect(try Set(newValues(of: "byte", "Mark")).count == 256)
    #expect(try Set(newValues(of: "letters", "Mark")).count == letters.count)
    #expect(try newValues(of: "letter", "Mark").first == "a")
  }

  /// The names stayed: a map was either replaced or moved.
  @Test func `the names in a map are replaced also if its numbers or dates are moved`() throws {
    let path = folder.path("a.whimbrel")
    let properties = [
      PropertySchema(name: "debts", type: .map(of: ElementType(.int))),
      PropertySchema(name: "shares", type: .map(of: ElementType(.decimal, isOptional: true))),
      PropertySchema(name: "met", type: .map(of: ElementType(.date))),
      PropertySchema(name: "phones", type: .map(of: ElementType(.string))),
    ]
    let day = Date(timeIntervalSinceReferenceDate: 86_400)
    try makeStore(at: path, [ClassSchema(name: "Person", properties: properties)]) { session in
      _ = try session.table("Person").create(
        [
          "debts": ["Winterbottom": 10_000], "shares": ["Winterbottom": .null],
          "met": ["Winterbottom": .date(day)], "phones": ["Winterbottom": "0171"],
        ], replacing: false)
    }
    try anonymize(path) { anonymization in
      try anonymization.jitter("Person.debts", by: "20%")
      try anonymization.jitterNumbers(by: "5%")
      try anonymization.shiftDates(by: "30d")
    }
    let bytes = try #require(folder.contents("out.whimbrel"))
    #expect(bytes.range(of: Data("Winterbottom".utf8)) == nil)
    #expect(try integrityFindings(folder.path("out.whimbrel")) == [])
    var maps: [[String: PropertyValue]] = []
    for property in properties {
      if case .map(let map)? = try newValues(of: property.name, "Person").first { maps.append(map) }
    }
    #expect(maps.count == 4)
    // Equal names stay equal.
    #expect(Set(maps.flatMap(\.keys)).count == 1)
    #expect(maps.first?.values.first != 10_000)
    #expect(maps[2].values.first != .date(day))
  }

  /// A map counted as replaced, because its names are.
  @Test func `unchanged numbers and dates in maps and values of any type are named`() throws {
    let path = folder.path("a.whimbrel")
    let properties = [
      PropertySchema(name: "met", type: .map(of: ElementType(.date))),
      PropertySchema(name: "likes", type: .map(of: ElementType(.bool))),
      PropertySchema(name: "phones", type: .map(of: ElementType(.string))),
      PropertySchema(name: "friends", type: .map(of: ElementType(.link(to: "Person")))),
      PropertySchema(name: "extra", type: .any),
    ]
    try makeStore(at: path, [ClassSchema(name: "Person", properties: properties)]) { session in
      let day = Date(timeIntervalSinceReferenceDate: 86_400)
      _ = try session.table("Person").create(
        ["met": ["Winterbottom": .date(day)], "extra": 42], replacing: false)
    }
    let options = "See '--jitter', '--jitter-numbers' and '--shift-dates'."
    let all = "Numbers and dates are unchanged in Person.met, Person.extra. \(options)"
    #expect(try anonymize(path).notes == [all])
    let moved = try anonymize(path, to: "moved.whimbrel") { try $0.shiftDates(by: "30d") }
    #expect(moved.notes == ["Numbers and dates are unchanged in Person.extra. \(options)"])
  }

  @Test func `kept values stay, and are warned of`() throws {
    let path = folder.path("a.whimbrel")
    try Sample.make(at: path)
    let summary = try anonymize(path) { anonymization in
      try anonymization.keepValues(of: "Country.*")
      try anonymization.keepValues(of: "Zone.comments")
    }
    let text = try dump(folder.path("out.whimbrel"))
    #expect(text.contains(#""values":{"code":"AD","name":"Andorra"}"#))
    #expect(text.contains(#""comments":"a \"b\"""#))
    #expect(!text.contains("Europe/Andorra"))
    #expect(
      summary.warnings == [
        "1 value of 'Country.code' is unchanged.", "1 value of 'Country.name' is unchanged.",
        "2 values of 'Zone.comments' are unchanged.",
      ])
    #expect(
      summary.sentence
        == "3 objects. Properties: 2 replaced, 0 jittered, 3 kept, 1 unchanged.")
  }

  @Test func `what cannot be done is said before anything is`() throws {
    let path = folder.path("a.whimbrel")
    try Sample.make(at: path)
    var anonymization = StoreAnonymization(try StoreInspector(path: path), key: key)
    #expect(throws: InspectionError.self) { try anonymization.keepValues(of: "Zone") }
    #expect(throws: StoreError.self) { try anonymization.keepValues(of: "Zon.comments") }
    #expect(throws: StoreError.self) { try anonymization.keepValues(of: "Zone.coments") }
    #expect(throws: InspectionError.self) { try anonymization.keepOrder(of: "Zone.latitude") }
    #expect(throws: InspectionError.self) { try anonymization.jitter("Zone.latitude", by: "3d") }
    #expect(throws: InspectionError.self) { try anonymization.jitter("Zone.comments", by: "3%") }
    #expect(throws: InspectionError.self) { try anonymization.jitter("Zone.latitude", by: "-3%") }
    #expect(throws: InspectionError.self) { try AnonymizationKey(text: " \n") }
    try Data().write(to: folder.url.appending(path: "out.whimbrel"))
    #expect(throws: InspectionError.self) {
      try anonymization.write(to: .newFile(folder.path("out.whimbrel")))
    }
  }

  @Test func `work that is cancelled leaves nothing`() throws {
    let path = folder.path("a.whimbrel")
    try Sample.make(at: path)
    let anonymization = StoreAnonymization(try StoreInspector(path: path), key: key)
    #expect(throws: InspectionError.self) {
      try anonymization.write(
        to: .newFile(folder.path("out.whimbrel")), monitor: WorkMonitor(isCancelled: { true }))
    }
    #expect(try folder.names() == ["a.whimbrel", "a.whimbrel-lock"])
  }

  @Test func `a store can be replaced by what it becomes`() throws {
    let path = folder.path("a.whimbrel")
    try Sample.make(at: path)
    try anonymize(path)
    let inspector = try StoreInspector(path: path)
    _ = try StoreAnonymization(inspector, key: key).write(to: .inPlace)
    #expect(try dump(path) == dump(folder.path("out.whimbrel")))
  }
}

/// Where the sample stores are.
enum SampleStorePath {
  /// The store of time zones as a version of its app wrote it.
  static func zones(_ version: Int) -> String {
    sampleStores.appending(path: "Zones.v\(version).whimbrel").path
  }
}
