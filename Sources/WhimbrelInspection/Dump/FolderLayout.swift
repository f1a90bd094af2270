internal import Foundation
internal import WhimbrelEngine

/// The names of the files in the folder of a dump.
enum FolderLayout {
  /// The file with everything except the schema and the objects.
  static let storeName = "store.json"
  /// The file with the schema, as `whimbrel schema --json` writes it.
  static let schemaName = "schema.json"

  /// Returns the names of the class files, in the order of the classes.
  ///
  /// ASCII letters, digits, `_` and `-` stay as they are. Every other byte of the UTF-8 becomes `%`
  /// and two hexadecimal digits. Many file systems ignore case: if several names differ only in
  /// case, all but the first get `~` and a number.
  static func fileNames(ofClasses names: [String]) -> [String] {
    var taken: [String: Int] = [:]
    return names.map { name in
      let escaped = escaped(name)
      let number = taken[escaped.lowercased(), default: 0] + 1
      taken[escaped.lowercased()] = number
      return number == 1 ? "\(escaped).jsonl" : "\(escaped)~\(number).jsonl"
    }
  }

  private static func escaped(_ name: String) -> String {
    name.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        return String(Character(Unicode.Scalar(byte)))
      default:
        return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

/// The content of `store.json`: the header of a dump without the schema.
struct FolderHeader: Codable {
  private(set) var whimbrel: String
  let version: Int
  let uuid: UUID
  let created: Date
  let objectIDs: [DumpHeader.ClassObjectIDs]
  let history: [MigrationHistoryEntry]

  init(_ header: DumpHeader) {
    whimbrel = header.whimbrel
    version = header.version
    uuid = header.uuid
    created = header.created
    objectIDs = header.objectIDs
    history = header.history
  }

  func header(_ schema: SchemaExport) -> DumpHeader {
    DumpHeader(
      whimbrel: whimbrel, version: version, uuid: uuid, created: created, schema: schema,
      objectIDs: objectIDs, history: history)
  }

  /// The kind of a dump that is being replaced. If that is interrupted, only its files are known.
  private static let unfinishedKind = "unfinished dump"

  /// The same header for the time in which the files are replaced.
  var unfinished: FolderHeader {
    var copy = self
    copy.whimbrel = Self.unfinishedKind
    return copy
  }

  /// Whether the replacement of the dump was interrupted.
  var isUnfinished: Bool { whimbrel == Self.unfinishedKind }

  /// Reads the file in a folder. Returns nil if the folder is not a dump, not even an unfinished
  /// one.
  init?(folder path: String) {
    let data = FileManager.default.contents(atPath: "\(path)/\(FolderLayout.storeName)")
    guard let data, let header = try? Coding.decoder().decode(FolderHeader.self, from: data),
      header.whimbrel == DumpHeader.kind || header.isUnfinished
    else { return nil }
    self = header
  }
}
