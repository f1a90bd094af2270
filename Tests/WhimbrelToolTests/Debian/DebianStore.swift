import Foundation
import WhimbrelEngine
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

/// A store of what Debian's package index says, which every machine with `apt` has: real names,
/// addresses and texts, many to one, and links in all directions.
///
/// By default it has some of the packages and what these depend on; with `WHIMBREL_LONG` in the
/// environment all of them, about 63,000. It is made once for all tests of a run.
final class DebianStore: Sendable {
  /// The file. Tests only read it.
  let path: String
  /// The e-mail addresses of all maintainers.
  let addresses: Set<String>
  /// How many packages there are.
  let packages: Int
  /// How many links of all kinds there are.
  let links: Int
  private let folder: TestFolder

  /// Why tests of it are skipped, if they are.
  static let reason: String = "there is no apt-cache here, or 'apt-get update' has not been run"

  /// Whether there is a package index.
  static let isAvailable: Bool = {
    let lists = try? FileManager.default.contentsOfDirectory(atPath: "/var/lib/apt/lists")
    return FileManager.default.isExecutableFile(atPath: "/usr/bin/apt-cache")
      && lists?.contains { $0.contains("_Packages") } == true
  }()

  private static let made = Result { try DebianStore() }

  /// The store, made when it is asked for first.
  static func shared() throws -> DebianStore { try made.get() }

  private init() throws {
    folder = try TestFolder()
    path = folder.path("debian.whimbrel")
    let packages = try DebianPackage.read(everyNth: TestRun.isLong ? 1 : 64, in: folder)
    var links = 0
    try makeStore(at: path, Self.classes) { session in
      links = try DebianFilling(session).add(packages)
    }
    self.packages = packages.count
    self.links = links
    addresses = Set(packages.compactMap(\.address))
  }
}

// MARK: - The schema

extension DebianStore {
  private static let classes = [
    ClassSchema(
      name: "Section", properties: [PropertySchema(name: "name", type: .string, isPrimaryKey: true)]
    ),
    ClassSchema(
      name: "Maintainer",
      properties: [
        PropertySchema(name: "contact", type: .string, isPrimaryKey: true),
        PropertySchema(name: "name", type: .string, isIndexed: true),
        PropertySchema(name: "address", type: .string, isOptional: true, isIndexed: true),
      ]),
    ClassSchema(
      name: "Package",
      properties: [
        PropertySchema(name: "key", type: .string, isPrimaryKey: true),
        PropertySchema(name: "name", type: .string, isIndexed: true),
        PropertySchema(name: "version", type: .string),
        PropertySchema(name: "priority", type: .string, cases: DebianPackage.priorities),
        PropertySchema(name: "size", type: .int, isIndexed: true),
        PropertySchema(name: "summary", type: .string),
        PropertySchema(name: "homepage", type: .string, isOptional: true),
        PropertySchema(name: "tags", type: .set(of: ElementType(.string))),
        PropertySchema(name: "section", type: .link(to: "Section")),
        PropertySchema(name: "maintainer", type: .link(to: "Maintainer")),
        PropertySchema(name: "depends", type: .list(of: ElementType(.link(to: "Package")))),
        PropertySchema(name: "recommends", type: .list(of: ElementType(.link(to: "Package")))),
        PropertySchema(name: "suggests", type: .list(of: ElementType(.link(to: "Package")))),
      ], indexes: [IndexSchema(["summary"], .fullText), IndexSchema(["name", "version"])]),
  ]
}
