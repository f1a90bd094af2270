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
}
