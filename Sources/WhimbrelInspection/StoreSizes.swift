public import Foundation
internal import WhimbrelEngine

/// The bytes of a store by what they hold, as `whimbrel info --sizes` shows them.
///
/// All numbers are bytes in whole pages, except those of pages and objects. The pages of all classes
/// and ``other`` together are the used pages.
///
/// ```swift
/// let sizes = try StoreSizes(of: StoreOverview(path: "zones.whimbrel"))
/// print(sizes.classes.map { ($0.name, $0.bytes) })
/// ```
public struct StoreSizes: Hashable, Sendable, Codable {
  /// The size of a page in bytes.
  public let pageSize: Int
  /// The number of pages in use.
  public let usedPages: Int
  /// The number of pages that are free for later writes.
  public let freePages: Int
  /// The size of the file in bytes.
  public let fileSize: Int
  /// The classes, sorted by name.
  public let classes: [ClassSizes]
  /// The bytes of all else: the catalog, the list of free pages, and tables that a migration has
  /// left.
  public let other: Int

  private enum CodingKeys: String, CodingKey {
    case pageSize, fileSize, classes, other
    case usedPages = "used"
    case freePages = "free"
  }

  /// The bytes of a class.
  public struct ClassSizes: Hashable, Sendable, Codable {
    /// The name of the class.
    public let name: String
    /// The number of objects.
    public let objects: Int
    /// The bytes of the records.
    public let records: Int
    /// The bytes of values outside of the records: long texts and data, and large collections.
    public let overflow: Int
    /// The bytes of the tables that say which objects link to an object.
    public let links: Int
    /// The indexes, that of the primary key first.
    public let indexes: [IndexSize]

    /// The bytes of all that belongs to the class.
    public var bytes: Int { records + overflow + links + indexes.reduce(0) { $0 + $1.bytes } }
  }

  /// The bytes of an index.
  public struct IndexSize: Hashable, Sendable, Codable {
    /// The names of the properties, separated by `, `.
    public let name: String
    /// The kind: `primaryKey`, `ordered`, `unique` or `fullText`.
    public let kind: String
    /// The bytes.
    public let bytes: Int
  }

  /// Adds up the pages of a store.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(*classes* + *free pages*).
  public init(of inspector: StoreInspector) throws { try self.init(inspector.session) }

  /// Adds up the pages of a store.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(*classes* + *free pages*).
  public init(of overview: StoreOverview) throws { try self.init(overview.session) }

  private init(_ session: Session) throws {
    do {
      let size = try session.file.statistics()
      (pageSize, fileSize) = (size.pageSize, size.fileSize)
      (usedPages, freePages) = (size.usedPages, size.freePages)
      classes = try session.classes.sorted { $0.name < $1.name }.map { table in
        let pages = try table.pageShares()
        return ClassSizes(
          name: table.name, objects: try table.count(), records: pages.records * size.pageSize,
          overflow: pages.overflow * size.pageSize, links: pages.links * size.pageSize,
          indexes: pages.indexes.map { index in
            IndexSize(
              name: index.properties.joined(separator: ", "),
              kind: index.kind?.rawValue ?? "primaryKey", bytes: index.pages * size.pageSize)
          })
      }
    } catch {
      throw session.file.explain(error)
    }
    // The file may have been written to since the snapshot.
    other = max(0, usedPages * pageSize - classes.reduce(0) { $0 + $1.bytes })
  }
}

extension StoreSizes {
  /// Returns the sizes as JSON with sorted keys.
  ///
  /// ```json
  /// {"pageSize":4096,"used":40,"free":2,"fileSize":172032,"classes":[{"name":"Zone","objects":312,
  ///  "records":40960,"overflow":0,"links":8192,"indexes":[{"name":"latitude","kind":"ordered","bytes":8192}]}],
  ///  "other":12288}
  /// ```
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// The sizes as tables for people, with a line end: the classes and their parts, then the indexes.
  public var text: String {
    var rows = [["bytes of", "objects", "records", "overflow", "links", "indexes", "all"]]
    rows += classes.map { entry in
      let indexes = entry.bytes - entry.records - entry.overflow - entry.links
      return [
        PlainText.escaped(entry.name), "\(entry.objects)", "\(entry.records)", "\(entry.overflow)",
        "\(entry.links)", "\(indexes)", "\(entry.bytes)",
      ]
    }
    rows.append(["all else", "", "", "", "", "", "\(other)"])
    rows.append(["free pages", "", "", "", "", "", "\(freePages * pageSize)"])
    let table = TextTable(rows, rightAligned: Set(1...6)).description
    let indexes = classes.flatMap { entry in
      entry.indexes.map { index in
        [PlainText.escaped("\(entry.name).\(index.name)"), index.kind, "\(index.bytes)"]
      }
    }
    if indexes.isEmpty { return table }
    return table + "\n"
      + TextTable([["index", "kind", "bytes"]] + indexes, rightAligned: [2]).description
  }
}
