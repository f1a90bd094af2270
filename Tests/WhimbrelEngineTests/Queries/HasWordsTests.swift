import Testing
import WhimbrelEngine

/// Conditions on the words of a text.
struct HasWordsTests {
  private static let classes = [
    ClassSchema(
      name: "A", properties: [.optional("text", .string), .required("name", .string)],
      indexes: [IndexSchema(["text"], .fullText)])
  ]

  @Test(arguments: [
    ("swan lake", [1]), ("swan OR duck", [1, 2, 3]), ("-swan", [3, 4]), ("swan -lake", [2]),
    ("l*", [1, 3]), ("", []), ("ÉCLUSE", [4]), ("swan -lak*", [2]),
  ])
  func `a search finds objects, whoever finds them`(search: String, found: [UInt64]) throws {
    let store = try TestStore(Self.classes) { session in
      for text: PropertyValue in ["Swan lake", "a swan", "Duck, lake", "écluse", nil] {
        try session.create("A", ["text": text, "name": "x"])
      }
    }
    let condition = QueryCondition.hasWords(QueryPath("text"), search: search)
    // Outside of a write, and inside of one.
    let session = try store.session()
    func ids(_ condition: QueryCondition) throws -> [UInt64] {
      try BoundQuery(QueryRequest("A", [.filter(condition)]), in: session).objectIDs()
        .map(\.rawValue)
    }
    #expect(try ids(condition) == found)
    #expect(try ids(.and([condition, .not(.always(false))])) == found)
    #expect(try ids(.not(condition)) == (1...5).filter { !found.contains($0) })
    try session.write {
      let id = try session.create("A", ["text": .string(search + " swan lake"), "name": "x"])
      #expect(try ids(condition).starts(with: found))
      try session.table("A").remove(id)
      #expect(try ids(condition) == found)
    }
  }

  @Test func `a search takes a full-text index`() throws {
    let store = try TestStore(Self.classes)
    let session = try store.session()
    let request = QueryRequest("A", [.filter(.hasWords(QueryPath("name"), search: "x"))])
    let error = storeError { _ = try BoundQuery(request, in: session) }
    #expect(error?.code == .queryMismatch)
    #expect(error?.recovery == "Mark the property with '@Indexed(.fullText)'.")
  }

  /// The error said that the property has no full-text index, although it has one.
  @Test func `words are searched for through links and collections too`() throws {
    let owner = ClassSchema(
      "B", .link("a", to: "A"), .required("list", .list(of: ElementType(.link(to: "A")))))
    let store = try TestStore(Self.classes + [owner]) { session in
      let texts: [PropertyValue] = ["Swan lake", "a duck", nil]
      let ids = try texts.map { text in
        try session.create("A", ["text": text, "name": "x"])
      }
      for (number, id) in ids.enumerated() {
        let list = ids.prefix(number).map(PropertyValue.link)
        try session.create("B", ["a": .link(id), "list": .list(list)])
      }
      try session.create("B", ["list": []])
    }
    let session = try store.session()
    func ids(_ text: String) throws -> [UInt64] {
      let request = try QueryRequest(
        "B", parsing: text, in: StoreSchema(classes: Self.classes + [owner]))
      return try BoundQuery(request, in: session).objectIDs().map(\.rawValue)
    }
    #expect(try ids("a.text TEXT 'swan'") == [1])
    #expect(try ids("NOT a.text TEXT 'swan'") == [2, 3, 4])
    #expect(try ids("list.text TEXT 'duck OR goose'") == [3])
    #expect(try ids("ALL list.text TEXT 'swan'") == [1, 2, 4])
    #expect(try ids("SUBQUERY(list, $x, $x.text TEXT 'swan').@count == 1") == [2, 3])
    withExtendedLifetime(store) {}
  }
}
