public import Foundation
public import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelInspection

/// The schemas of all versions of an app, as files in version control such as
/// `Schemas/Zones.v3.json`.
///
/// ```swift
/// @Test func `each version's schema is kept`() throws {
///   try SchemaHistory("Zones").expectComplete(
///     for: .zones(url: anywhere), samples: SampleStore.all(in: .module))
/// }
/// ```
///
/// The test fails if the models have changed but the version has not, if the file of a
/// released version has changed, or if a version has no file or no sample store. The
/// failure names the file and says what to do. With `WHIMBREL_RECORD=1`, the test writes
/// the file of the current version, and no other.
public struct SchemaHistory: Sendable {
  /// The part of the file names before the version.
  public let name: String
  /// The folder of the files.
  public let folder: URL

  /// The environment variable that makes the test write the current version's file.
  public static let recordVariable = "WHIMBREL_RECORD"

  /// Makes a history of the files in a folder.
  ///
  /// - Parameters:
  ///   - name: The part of the file names before the version: `Zones` in `Zones.v3.json`.
  ///   - folder: The folder of the files, or nil for the folder `Schemas` beside the
  ///     test's file. It must be among the sources and not a copy among the resources,
  ///     because files are written to it.
  ///   - filePath: The path of the test's file.
  public init(_ name: String, in folder: URL? = nil, filePath: StaticString = #filePath) {
    self.name = name
    self.folder =
      folder
      ?? URL(filePath: "\(filePath)").deletingLastPathComponent()
      .appending(path: "Schemas", directoryHint: .isDirectory)
  }

  /// Returns the location of the file of a version.
  public func url(of version: SchemaVersion) -> URL {
    folder.appending(path: "\(name).v\(version).json")
  }

  /// Returns the versions that have files, in ascending order.
  public func versions() -> [SchemaVersion] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.compactMap { file in
      guard file.hasPrefix(name + ".v"), file.hasSuffix(".json") else { return nil }
      return SchemaVersion(file.dropFirst(name.count + 2).dropLast(5))
    }.sorted()
  }
}

extension SchemaHistory {
  /// Expects that the models match the current version's file, and that every version has a
  /// file and a sample store with the same schema.
  ///
  /// - Parameters:
  ///   - configuration: The app's own configuration. Its URL is not used.
  ///   - samples: The sample stores, at least one for each version.
  ///   - fileID: The module and file of the test, for its failures.
  ///   - filePath: The path of that file.
  ///   - line: The line in it.
  ///   - column: The column in that line.
  /// - Throws: an error of the file system, and `DecodingError` if a file is not a schema.
  public func expectComplete(
    for configuration: Store.Configuration, samples: [SampleStore], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let current = SchemaExport(of: configuration)
    if ProcessInfo.processInfo.environment[Self.recordVariable] == "1" { try record(current) }
    var problems: [String] = []
    if let problem = try self.problem(ofCurrent: current) { problems.append(problem) }
    for version in versions() where version <= current.schemaVersion {
      problems += try self.problems(of: version, samples)
    }
    for sample in samples where !versions().contains(sample.schemaVersion) {
      problems.append(
        "The sample store '\(sample.name)' has version \(sample.schemaVersion), but the schema "
          + "file '\(path(sample.schemaVersion))' does not exist. Write it: whimbrel schema "
          + "\(sample.url.lastPathComponent) --json > \(path(sample.schemaVersion))")
    }
    for problem in problems { place.fail(problem) }
  }

  private func record(_ schema: SchemaExport) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try (schema.json() + Data("\n".utf8)).write(to: url(of: schema.schemaVersion))
  }

  private func problem(ofCurrent current: SchemaExport) throws -> String? {
    let version = current.schemaVersion
    guard let kept = try schema(of: version) else {
      return "Version \(version) has no schema file '\(path(version))'. Write it: "
        + "\(Self.recordVariable)=1 swift test"
    }
    let changes = Self.changes(from: kept, to: current)
    if changes.isEmpty { return nil }
    return "The models have changed, but the schema version is still \(version), as in "
      + "'\(path(version))':\n\(changes.map { "  - \($0)" }.joined(separator: "\n"))\nIf version "
      + "\(version) has been released, set 'schemaVersion' to \(version + 1). In both cases, write "
      + "the file: \(Self.recordVariable)=1 swift test"
  }

  private func problems(of version: SchemaVersion, _ samples: [SampleStore]) throws -> [String] {
    guard let kept = try schema(of: version) else { return [] }
    var problems: [String] = []
    if kept.schemaVersion != version {
      problems.append(
        "The file '\(path(version))' has version \(kept.schemaVersion). Restore it from version "
          + "control.")
    }
    let own = samples.filter { $0.schemaVersion == version }
    if own.isEmpty {
      problems.append(
        "Version \(version) has no sample store '\(name).v\(version).whimbrel'. Create one with "
          + "the release of that version, and put it beside the others.")
    }
    for sample in own {
      let copy = try sample.copy()
      let changes = Self.changes(
        from: try StoreInspector(path: copy.url.path).schema, to: kept)
      if changes.isEmpty { continue }
      problems.append(
        "The file '\(path(version))' is not the schema of the sample store '\(sample.name)':\n"
          + changes.map { "  - \($0)" }.joined(separator: "\n")
          + "\nA released schema does not change. Restore the file from version control.")
    }
    return problems
  }

  private func schema(of version: SchemaVersion) throws -> SchemaExport? {
    guard let json = FileManager.default.contents(atPath: url(of: version).path) else { return nil }
    return try SchemaExport(json: json)
  }

  private func path(_ version: SchemaVersion) -> String {
    "\(folder.lastPathComponent)/\(url(of: version).lastPathComponent)"
  }

  /// Returns the differences, one sentence each.
  private static func changes(from old: SchemaExport, to new: SchemaExport) -> [String] {
    let difference = SchemaDifference(from: old.declared, to: new.declared)
    if !difference.changes.isEmpty { return difference.changes.map(\.description) }
    return old.declared == new.declared ? [] : ["A default value or a case of an enum has changed."]
  }
}

extension SchemaExport {
  /// The schema of the classes that the app declares.
  fileprivate var declared: StoreSchema {
    StoreSchema(
      classes: classes.filter(\.isDeclared).map { entry in
        ClassSchema(
          name: entry.name, isEmbedded: entry.isEmbedded, properties: entry.properties,
          indexes: entry.indexes)
      })
  }
}
