import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Pages of another store with the same classes and object IDs.
@Suite struct ForeignPageTests {
  private static let note = ClassSchema(
    "Note", .indexed("number", .int), .required("text", .string), .required("body", .string))

  /// Makes a store with 200 notes and returns its bytes. Two stores have the same numbers in the
  /// same places, and other texts.
  private static func makeStore(_ word: String, uuid: String, at path: String) throws -> Data {
    var request = TestStore.request(path, [note], version: 1)
    request.identity.uuid = UUID(uuidString: uuid)
    let session = try Session(StoreFile.open(request))
    try session.write {
      for number in 1...200 {
        let body = String(repeating: word, count: number % 40 == 0 ? 3_000 : 1)
        try session.create(
          "Note",
          [
            "number": .int(Int64(number)), "text": .string("\(word) \(number)"),
            "body": .string(body),
          ])
      }
    }
    session.close()
    return try Data(contentsOf: URL(filePath: path))
  }

  /// Reads everything, and returns what a store with a word does not have.
  private static func wrongValues(_ path: String, _ word: String) throws -> [String] {
    var request = TestStore.request(path, [note], version: 1)
    request.isReadOnly = true
    let session = try Session(StoreFile.open(request))
    defer { session.close() }
    var wrong: [String] = []
    for number in 1...200 {
      let condition = QueryCondition.test("number", .equal, .int(Int64(number)))
      let query = try BoundQuery(QueryRequest("Note", [.filter(condition)]), in: session)
      if try query.count() != 1 { wrong.append("the number of notes \(number)") }
    }
    let table = try session.table("Note")
    let notes = try table.objectIDs()
    if notes.count != 200 { wrong.append("the number of notes") }
    for id in notes {
      let record = try #require(try table.record(id))
      for position in 1...2 {
        guard case .string(let text) = try table.value(position, of: record, id) else { continue }
        if !text.hasPrefix(word) { wrong.append(String(text.prefix(20))) }
      }
    }
    return wrong
  }

  @Test func `a page of another store is never taken for one of this store`() throws {
    let folder = URL.temporaryDirectory.appending(path: "whimbrel-foreign-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func file(_ name: String) -> String { folder.appending(path: "\(name).whimbrel").path }
    let first = file("first")
    let mine = try Self.makeStore("mine", uuid: "00000000-0000-4000-8000-000000000001", at: first)
    let other = try Self.makeStore(
      "ours", uuid: "00000000-0000-4000-8000-000000000002", at: file("second"))
    try #require(mine.count == other.count)
    #expect(try Self.wrongValues(first, "mine") == [])
    var (errors, same) = (0, 0)
    let path = file("damaged")
    for page in 2..<mine.count / 4_096 {
      let range = page * 4_096..<(page + 1) * 4_096
      if mine[range] == other[range] {
        same += 1
        continue
      }
      var bytes = mine
      bytes.replaceSubrange(range, with: other[range])
      try bytes.write(to: URL(filePath: path))
      do {
        let wrong = try Self.wrongValues(path, "mine")
        #expect(wrong == [], "page \(page)")
      } catch is StoreError {
        errors += 1
      } catch is LMDBError {
        errors += 1
      }
    }
    // The pages of notes, of their index and of their overflow.
    #expect(errors > 15, "\(errors) errors, \(same) pages that are the same")
  }

  @Test func `stores have salts of their own`() throws {
    let salts = try (1_000..<2_000).map { number in
      let text = "00000000-0000-4000-8000-00000000\(number)"
      return ChecksumSalt(of: try #require(UUID(uuidString: text)))
    }
    #expect(salts.allSatisfy { $0 != .none && ChecksumSalt.all.contains($0.rawValue) })
    // Of 1,000 in 65,535, about eight pairs are the same.
    #expect(Set(salts).count > 970)
  }
}
