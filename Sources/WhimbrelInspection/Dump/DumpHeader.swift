internal import Foundation
internal import WhimbrelEngine

/// The first line of a dump; ``StoreDump`` says what is in it.
struct DumpHeader: Codable {
  /// The version of the format of dumps.
  ///
  /// | version | what |
  /// |---|---|
  /// | 1 | links, and IDs of all sizes, were numbers: `{"link":9223372036854775813}` |
  /// | 2 | links are the primary key where the class has one, and whole numbers beyond 2⁵³ are strings |
  static let currentVersion = 2
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

    init(className: String, objects: Int?, next: UInt64?, areKeys: Bool?) {
      self.className = className
      self.objects = objects
      self.next = next
      self.areKeys = areKeys
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      className = try container.decode(String.self, forKey: .className)
      objects = try container.decodeIfPresent(Int.self, forKey: .objects)
      next = try container.decodeIfPresent(ObjectID.self, forKey: .next)?.rawValue
      areKeys = try container.decodeIfPresent(Bool.self, forKey: .areKeys)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(className, forKey: .className)
      try container.encodeIfPresent(objects, forKey: .objects)
      try container.encodeIfPresent(next.map(ObjectID.init(rawValue:)), forKey: .next)
      try container.encodeIfPresent(areKeys, forKey: .areKeys)
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
