internal import Foundation
internal import WhimbrelEngine

/// The first line of a dump. ``StoreDump`` describes its members.
struct DumpHeader: Codable {
  /// The version of the dump format.
  ///
  /// | version | difference |
  /// |---|---|
  /// | 1 | links are always object IDs, and integers of any size are numbers: `{"link":9223372036854775813}` |
  /// | 2 | links are primary keys where the class has one, and integers beyond 2⁵³ are strings |
  static let currentVersion = 2
  /// The value of the member `whimbrel`, with which a dump begins.
  static let kind = "dump"

  let whimbrel: String
  let version: Int
  let uuid: UUID
  let created: Date
  let schema: SchemaExport
  let objectIDs: [ClassObjectIDs]
  let history: [MigrationHistoryEntry]

  /// The names of all members, in the order of the line.
  static let memberNames = [
    "whimbrel", "version", "uuid", "created", "schema", "objectIDs", "history",
  ]

  /// The number of objects of a class, and how its object IDs are assigned.
  struct ClassObjectIDs: Codable {
    let className: String
    /// Nil if the header was written without counts.
    let objects: Int?
    /// The next object ID, or nil if the object IDs are the primary keys.
    let next: ObjectID?
    /// Whether the object IDs are the integer primary keys with the sign bit flipped.
    let areKeys: Bool?

    private enum CodingKeys: String, CodingKey {
      case className = "class"
      case objects, next, areKeys
    }
  }
}

extension DumpHeader {
  /// Returns the line without its line end. The members keep the declared order (an encoder would
  /// sort them), so that the file begins with its kind.
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
