import Foundation
import Testing

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// What of objects lies outside of their records, in a store.
struct OverflowTests {
  private static let schema = ClassSchema(
    "Note", .required("text", .string), .optional("more", .string), .required("bytes", .data),
    .list("tags", .string))

  private static func text(_ length: Int) -> PropertyValue {
    .string(String(repeating: "abcdefgh", count: length / 8))
  }

  private func overflowCount(_ store: TestStore) throws -> Int {
    let session = try store.session()
    return try session.table("Note").overflowTable.map { try session.view.count($0) } ?? 0
  }

  private func values(_ length: Int) -> [String: PropertyValue] {
    [
      "text": Self.text(length), "more": Self.text(length), "bytes": .data(Data(count: length)),
      "tags": .list((0..<length / 100).map { .string("tag \($0)") }),
    ]
  }

  @Test func `long values become short and long again, and nothing is left behind`() throws {
    let store = try TestStore([Self.schema])
    try store.write { session in
      for _ in 0..<3 { try session.create("Note", values(200_000)) }
    }
    let most = try overflowCount(store)
    #expect(most > 3 * 3 * 4)
    for length in [80, 200_000, 2_000, 0, 200_000] {
      try store.write { session in
        let table = try session.table("Note")
        for id in try table.objectIDs() {
          try table.update(id) { encoder in
            for (name, value) in values(length) {
              try encoder.set(table.resolved.requiredPosition(of: name), value)
            }
          }
        }
      }
      #expect(try store.findings() == [])
      let count = try overflowCount(store)
      if length <= 80 { #expect(count == 0) }
      if length == 200_000 { #expect(count == most) }
      let contents = try store.contents().list("Note")
      #expect(contents.count == 3 && contents.allSatisfy { $0 == values(length) })
    }
    try store.write { session in
      try session.table("Note").update(ObjectID(rawValue: 2)) { $0.setNull(1) }
    }
    #expect(try store.findings() == [])
    #expect(try overflowCount(store) < most)
  }

  @Test func `a deleted object takes its parts with it`() throws {
    let store = try TestStore([Self.schema]) { session in
      for length in [200_000, 80, 5_000] { try session.create("Note", values(length)) }
    }
    for id in [1, 3, 2] as [UInt64] {
      try store.write { try $0.table("Note").remove(ObjectID(rawValue: id)) }
      #expect(try store.findings() == [])
      if id != 1 { #expect(try overflowCount(store) == 0) }
    }
    try store.write { session in
      for length in [200_000, 80] { try session.create("Note", values(length)) }
      try session.table("Note").removeAll()
    }
    #expect(try overflowCount(store) == 0)
  }

  @Test func `a text of ten megabytes is kept`() throws {
    let long = String((0..<1_250_000).flatMap { _ in "zéro☂a" })
    let store = try TestStore([Self.schema]) { session in
      try session.create("Note", ["text": .string(long), "bytes": .data(Data(long.utf8))])
    }
    let note = try #require(try store.contents().list("Note").first)
    #expect(note["text"] == .string(long) && note["bytes"] == .data(Data(long.utf8)))
    #expect(try store.findings() == [])
    try store.write { session in
      try session.table("Note").update(ObjectID(rawValue: 1)) { try $0.set(0, "short") }
    }
    #expect(try store.contents().list("Note").first?["bytes"] == .data(Data(long.utf8)))
    #expect(try store.findings() == [])
  }

  @Test func `a write that is rolled back leaves the parts as they were`() throws {
    let store = try TestStore([Self.schema]) { session in
      try session.create("Note", values(200_000))
    }
    let before = try store.contents()
    #expect(throws: BlockError.self) {
      try store.write { session in
        let table = try session.table("Note")
        try table.update(ObjectID(rawValue: 1)) { encoder in
          try encoder.set(0, "short")
          try encoder.set(1, Self.text(500_000))
        }
        try session.create("Note", values(100_000))
        throw BlockError()
      }
    }
    #expect(try store.contents() == before)
    #expect(try store.findings() == [])
  }

  // Long texts are also keys, and their indexes.
  @Test func `long texts are found by their keys`() throws {
    let schema = ClassSchema(
      "Name", .key("key", .string), .indexed("text", .string),
      .required("number", .int, default: 0))
    let texts = (0..<5).map { String(repeating: "x", count: 3_000) + "\($0)" }
    let store = try TestStore([schema]) { session in
      for text in texts {
        try session.create("Name", ["key": .string(text), "text": .string(text)])
      }
    }
    let session = try store.session()
    let table = try session.table("Name")
    for (number, text) in texts.enumerated() {
      let id = ObjectID(rawValue: UInt64(number + 1))
      #expect(try table.find(.string(text)) == id)
      #expect(try table.find(1, equalTo: .string(text)) == [id])
    }
    try store.write { session in
      let table = try session.table("Name")
      #expect(
        storeError {
          try session.create("Name", ["key": .string(texts[2]), "text": ""])
        }?.code == .duplicatePrimaryKey)
      try table.remove(ObjectID(rawValue: 3))
      try table.update(ObjectID(rawValue: 4)) { try $0.set(1, .string(texts[0])) }
      for id in try table.objectIDs() {
        try table.update(id) { try $0.set(2, .int(7)) }
      }
    }
    #expect(try store.findings() == [])
    let after = try store.session()
    let found = try after.table("Name").find(1, equalTo: .string(texts[0]))
    #expect(found.map(\.rawValue) == [1, 4])
  }
}
