internal import Foundation
internal import WhimbrelEngine

/// The first line of a dump; ``StoreDump`` says what is in it.
struct DumpHeader: Codable {
  /// The version of the format of dumps.
  static let currentVersion = 1
  /// What the first line begins with.
  static let kind = "dump"

  let whimbrel: String
  let version: Int
  let uuid: UUID
  let created: Date
  let schema: SchemaExport
  let objectIDs: [ClassObjectIDs]
  let history: [MigrationHistoryEntry]

  /// The names of all members.
  static let memberNames = [
    "whimbrel", "version", "uuid", "created", "schema", "objectIDs", "history",
  ]

  /// How many objects a class has, and what their IDs are.
  struct ClassObjectIDs: Codable {
    let className: String
    /// Left out by who does not want them counted.
    let objects: Int?
    /// The ID that is given out next; not in a class whose IDs are its keys.
    let next: UInt64?
    /// Whether the IDs are the primary keys, with the sign bit flipped.
    let areKeys: Bool?

    private enum CodingKeys: String, CodingKey {
      case className = "class"
      case objects, next, areKeys
    }
  }
}

extension DumpHeader {
  /// The line, without its end. The members stand in the order declared, so that
  /// the kind of the file is the first thing in it.
  func line() throws -> [UInt8] {
    let encoder = Coding.encoder()
    let members: [(String, any Encodable)] = [
      ("whimbrel", whimbrel), ("version", version), ("uuid", uuid), ("created", created),
      ("schema", schema), ("objectIDs", objectIDs), ("history", history),
    ]
    var line = Data()
    for (index, (name, value)) in members.enumerated() {
      line.append(contentsOf: Array("\(index == 0 ? "{" : ",")\"\(name)\":".utf8))
      line.append(try encoder.encode(value))
    }
    line.append(UInt8(ascii: "}"))
    return Array(line)
  }
}
