import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspectionTestSupport
import WhimbrelLMDB
import WhimbrelTestSupport

@testable import WhimbrelInspection

/// Lines that are as a dump writes them are read in another way than all others; nothing may
/// tell which of the two it was.
struct LineShapeTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// The same dump with lines that have to be read as JSON: each has a space at its end.
  private func unusual(_ dump: String) -> String {
    let lines = dump.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { $0 == 0 || $1.isEmpty ? String($1) : $1 + " " }
      .joined(separator: "\n")
  }

  /// The same dump with an empty line behind the first object, which lets the indexes be made
  /// one object after the other.
  private func interrupted(_ dump: String) -> String {
    var lines = dump.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count > 2 { lines.insert("", at: 2) }
    return lines.joined(separator: "\n")
  }

  /// What comes of a dump: an error, or everything that is in the store.
  private func outcome(_ dump: String, skippingLines skipped: Int = 0) throws -> [String] {
    let name = "\(UUID().uuidString).whimbrel"
    do {
      try load(dump, into: folder.path(name))
    } catch let error as InspectionError {
      let line = error.line.map { $0 > 2 ? $0 - skipped : $0 }
      // A line with a space at its end ends one character later.
      let column = error.message.contains("the line ends") ? 0 : error.column ?? 0
      let reason = error.message.drop { $0 != "'" }
      return ["\(error.code) \(line ?? 0) \(column) \(reason)"]
    }
    return try contents(name)
  }

  private func contents(_ name: String) throws -> [String] {
    let path = folder.path(name)
    var found = try integrityFindings(path)
    found.append(try WhimbrelInspectionTestSupport.dump(path))
    let session = try readOnlySession(path)
    for table in session.classes {
      try table.forEachRecord { id, record in
        found.append("\(table.name) \(id.rawValue) \(Data(record.array).base64EncodedString())")
      }
    }
    session.close()
    return found
  }

  @Test(arguments: seeds(6, long: 60))
  func `a random store comes out the same whatever its lines look like`(seed: UInt64) throws {
    var maker = RandomStoreMaker(seed: seed)
    try maker.make(at: folder.path("a.whimbrel"))
    let text = try dump(folder.path("a.whimbrel"))
    let expected = try outcome(text)
    #expect(expected.contains(text))
    #expect(try outcome(unusual(text)) == expected)
    #expect(try outcome(interrupted(text)) == expected)
    #expect(try outcome(text.replacing(#""values":{"#, with: #""values":{ "#)) == expected)
    #expect(
      try outcome(text.replacing(#"{"class":"Class"#, with: #"{ "class":"Class"#)) == expected)
  }

  @Test(arguments: seeds(12, long: 400))
  func `a changed line comes out the same whatever it looks like`(seed: UInt64) throws {
    var maker = RandomStoreMaker(seed: seed % 12 + 100)
    try maker.make(at: folder.path("a.whimbrel"))
    var lines = try dump(folder.path("a.whimbrel")).split(separator: "\n").map { Array($0.utf8) }
    guard lines.count > 1 else { return }
    var random = SeededGenerator(seed: seed)
    let place = Int.random(in: 1..<lines.count, using: &random)
    let characters = Array(#""{}[]:,0123456789eE+-.nul\az=/ "#.utf8)
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let byte = Int.random(in: 0..<lines[place].count, using: &random)
      let character = characters.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<4, using: &random) {
      case 0: lines[place].remove(at: byte)
      case 1: lines[place].insert(character, at: byte)
      default: lines[place][byte] = character
      }
    }
    let text = lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n") + "\n"
    #expect(try outcome(unusual(text)) == outcome(text))
  }

  private static let uniqueSchema = ClassSchema(
    name: "Zöne",
    properties: [
      PropertySchema(name: "key", type: .string, isPrimaryKey: true),
      PropertySchema(name: "first", type: .int, isOptional: true),
      PropertySchema(name: "second", type: .string),
    ],
    indexes: [
      IndexSchema(["first", "second"], .unique), IndexSchema(["first"], .unique),
    ])

  /// Dumps in which some keys and some values are there twice, and some have another mistake.
  @Test(.takesLong, arguments: 1...60 as ClosedRange<UInt64>)
  func `what is there twice is told as if each object had been looked at alone`(
    seed: UInt64
  ) throws {
    try makeStore(at: folder.path("a.whimbrel"), [Self.uniqueSchema])
    var text = try dump(folder.path("a.whimbrel")).replacing(#""objects":0,"#, with: "")
    var random = SeededGenerator(seed: seed)
    let range = [20, 300, 5_000].randomElement(using: &random) ?? 20
    for id in 1...60 {
      let key = Int.random(in: 0..<range * 4, using: &random)
      let first = Int.random(in: 0..<range, using: &random)
      let isNil = Int.random(in: 0..<3, using: &random) == 0
      let long = String(repeating: "x", count: id % 5 == 0 ? 600 : 1)
      let mistake = Int.random(in: 0..<80, using: &random) == 0 ? "x" : ""
      text +=
        #"{"class":"Zöne","id":\#(id * 3),"values":{"key":"\#(key)","first":"#
        + #"\#(isNil ? "null" : "\(first)"),"second":"\#(long)\#(first % 3)"\#(mistake)}}"# + "\n"
    }
    let expected = try outcome(interrupted(text), skippingLines: 1)
    #expect(try outcome(text) == expected)
    #expect(try outcome(unusual(text)) == expected)
  }
}
