internal import Foundation
internal import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelInspection

/// The states that a store may have after an interrupted migration: the old one, the new
/// one, or the result of a step between them.
struct ExpectedStores {
  private let old: StoreLines
  /// The old store with all objects converted, if a migration block finds it so.
  private let converted: StoreLines?
  /// The result of each step that the file takes. The last is the new store.
  private let stages: [Stage]

  private struct Stage {
    let version: SchemaVersion
    let lines: StoreLines
    let configuration: Store.Configuration
    private let result: TemporaryStoreFile
    private let omissions: ComparisonOmissions

    init(
      _ original: TemporaryStoreFile, _ configuration: Store.Configuration, _ properties: [String]
    ) throws {
      version = configuration.schemaVersion
      self.configuration = configuration
      result = try Self.migrated(original, configuration)
      lines = try StoreLines(result.url)
      omissions = try ComparisonOmissions(from: original.url, configuration, properties)
    }

    static func migrated(
      _ original: TemporaryStoreFile, _ configuration: Store.Configuration
    ) throws -> TemporaryStoreFile {
      let copy = try TemporaryStoreFile(copying: original.url)
      try Store.migrated(configuration.at(copy.url))
      return copy
    }

    func hasMade(_ found: StoreLines, _ copy: TemporaryStoreFile) throws -> Bool {
      guard found.schema == lines.schema else { return false }
      return try found.hasObjects(of: lines) || differences(to: copy, limit: 1).isEmpty
    }

    /// Returns the first differences that count, with the values of this stage on the left.
    func differences(to copy: TemporaryStoreFile, limit: Int = 10) throws -> [String] {
      try omissions.differences(from: result.url, to: copy.url, limit: limit)
    }
  }

  /// - Parameters:
  ///   - original: A copy of the sample.
  ///   - configuration: The configuration it is migrated to.
  ///   - properties: The properties that may have another value each time.
  init(
    _ original: TemporaryStoreFile, _ configuration: Store.Configuration, _ properties: [String]
  ) throws {
    old = try StoreLines(original.url)
    converted = try Self.converted(original, configuration)
    let version = try Store.schemaVersion(at: original.url)
    let between = configuration.interrupted(above: version)
    // A step does not have all properties. A name that no step has is an error of the last one.
    let known = properties.filter { name in between.contains { $0.declares(name) } }
    stages =
      try between.map { step in try Stage(original, step, known.filter(step.declares)) } + [
        Stage(
          original, configuration,
          properties.filter { configuration.declares($0) || !known.contains($0) })
      ]
  }

  /// Returns the old store after the conversion that precedes the migration block, or nil if there
  /// is none.
  ///
  /// If an earlier release has left objects unconverted, its rules convert them before the block.
  /// They stay converted if the block is then interrupted.
  private static func converted(
    _ original: TemporaryStoreFile, _ configuration: Store.Configuration
  ) throws -> StoreLines? {
    guard let online = configuration.onlineMigration, online.otherwise != nil,
      try StoreFile.headerWithoutOpening(original.url.path).isInTransition
    else { return nil }
    let copy = try TemporaryStoreFile(copying: original.url)
    var stopping = configuration.at(copy.url)
    stopping.onlineMigration = .online(
      online.rules, otherwise: { _, _ in throw CancellationError() })
    // If rules make all changes, the block does not run, and the store opens.
    _ = try? Store.opened(stopping)
    return try withExtendedLifetime(copy) {
      let isOld = try Store.schemaVersion(at: copy.url) == Store.schemaVersion(at: original.url)
      return isOld ? try StoreLines(copy.url) : nil
    }
  }

  /// Returns the problem of a file whose second migration gives another result than the first, or
  /// nil.
  ///
  /// - Throws: `StoreError` if no step has one of the properties that the test names.
  func problemOfRepetition(_ original: TemporaryStoreFile) throws -> String? {
    for stage in stages {
      let again: TemporaryStoreFile
      do {
        again = try Stage.migrated(original, stage.configuration)
      } catch {
        return "it migrated once, but another copy of it does not migrate: \(error)"
      }
      let differences = try stage.differences(to: again)
      if differences.isEmpty { continue }
      return "migrating another copy of it gives other objects. '-' and the left side are the "
        + "first migration:\n" + differences.joined(separator: "\n") + "\nIf the migration makes "
        + "these values anew each time, name their properties in 'ignoring'. If not, the first "
        + "migration has left something behind.\n"
    }
    return nil
  }

  /// Returns the problem of a copy that a child process has migrated without an interruption, or
  /// nil.
  ///
  /// It tells migrations that depend on the process from those that an interruption disturbs: the
  /// order of a `Set` is often the same within a process, and another one in each.
  func problemOfOtherProcess(_ copy: TemporaryStoreFile) throws -> String? {
    guard let stage = stages.last else { return nil }
    let differences = try stage.differences(to: copy)
    if differences.isEmpty { return nil }
    return "migrating a copy of it in another process gives other objects. '-' and the left side "
      + "are this process:\n" + differences.joined(separator: "\n") + "\nIf the migration "
      + "depends on the order of a 'Set' or a 'Dictionary', sort the elements: each process has "
      + "another order. If it makes these values anew each time, name their properties in "
      + "'ignoring'.\n"
  }

  /// Returns the problem of a store that may have any of the states, as the rest of a
  /// sentence, or nil.
  func problem(_ copy: TemporaryStoreFile) throws -> String? {
    if try StoreFile.headerWithoutOpening(copy.url.path).isInTransition {
      // Objects that wait for their rule are neither old nor new: the next opening goes on.
      return try StoreCheck.problems(ofStoreAt: copy.url).first
    }
    let found = try StoreLines(copy.url)
    if let problem = found.problem { return problem }
    if found == old { return nil }
    // The end of a conversion is in the history, with its time.
    if let converted, found.schema == converted.schema, found.hasObjects(of: converted) {
      return nil
    }
    if try stages.contains(where: { try $0.hasMade(found, copy) }) { return nil }
    let between = stages.dropLast().map { ", nor that of version \($0.version)" }.joined()
    return try "it is neither the old store nor the new one\(between): " + difference(found, copy)
  }

  /// Returns the problem of a store whose migration was completed, or nil.
  func problemWhenComplete(_ copy: TemporaryStoreFile) throws -> String? {
    let found = try StoreLines(copy.url)
    if let problem = found.problem { return problem }
    guard let new = stages.last, try !new.hasMade(found, copy) else { return nil }
    return try "it is not the result of the migration: " + difference(found, copy)
  }

  /// Describes the first object that differs.
  private func difference(_ found: StoreLines, _ copy: TemporaryStoreFile) throws -> String {
    let stage = stages.first { $0.lines.schema == found.schema }
    let isOld = old.schema == found.schema
    guard let expected = isOld ? converted ?? old : stage?.lines else {
      return "none of them has its schema."
    }
    let counts = found.counts.merging(expected.counts) { count, _ in count }.keys.sorted()
      .compactMap { name in
        let (count, wanted) = (found.counts[name] ?? 0, expected.counts[name] ?? 0)
        let has = "'\(name)' has \(StoreError.count(count, "object"))"
        return count == wanted ? nil : "\(has), not \(wanted)"
      }
    if !counts.isEmpty { return counts.joined(separator: ", and ") + "." }
    if !isOld, let first = try stage?.differences(to: copy, limit: 1).first {
      return "the expected values are on the left:\n\(first)"
    }
    let pair = zip(found.objects, expected.objects).first { !StoreLines.isSame($0, $1) }
    return pair.map { "\($0.prefix(200)) instead of \($1.prefix(200))." } ?? "its history differs."
  }
}

extension Store.Configuration {
  /// Returns whether a model has a property, which is named as in `Zone.comments`.
  fileprivate func declares(_ property: String) -> Bool {
    models.contains { model in
      let schema = model._$schema.classSchema
      return schema.properties.contains { "\(schema.name).\($0.name)" == property }
    }
  }

  /// Returns the same migration cut off after each step except the last, for the steps that
  /// a file of this version takes.
  fileprivate func interrupted(above version: SchemaVersion) -> [Store.Configuration] {
    let steps = migrationSteps?.steps ?? []
    return steps.indices.dropLast().filter { steps[$0].version > version }.map { last in
      var configuration = self
      configuration.migrationSteps = .steps(Array(steps[...last]))
      configuration.models = steps[last].models
      configuration.schemaVersion = steps[last].version
      return configuration
    }
  }
}

/// A store as lines of text.
private struct StoreLines: Equatable {
  /// The identity, the schema and the history.
  let header: Substring
  let schema: SchemaExport
  let objects: [Substring]
  let counts: [String: Int]
  /// The first problem of the integrity check, as the rest of a sentence.
  let problem: String?

  init(_ url: URL) throws {
    let inspector = try StoreInspector(path: url.path)
    var text = ""
    try StoreDump(inspector).write(to: &text)
    let lines = text.split(separator: "\n")
    header = lines.first ?? ""
    objects = Array(lines.dropFirst())
    schema = inspector.schema
    let classes = try inspector.description().classes
    counts = Dictionary(keepingFirst: classes.map { ($0.name, $0.objects) })
    problem = try StoreCheck.problems(ofStoreAt: url).first
  }

  static func == (left: StoreLines, right: StoreLines) -> Bool {
    left.header == right.header && left.hasObjects(of: right)
  }

  /// Returns whether the objects are those of another store, byte for byte.
  func hasObjects(of other: StoreLines) -> Bool {
    objects.elementsEqual(other.objects, by: Self.isSame)
  }

  /// Returns whether two lines have the same bytes. Swift's `==` takes "é" in one scalar and in two
  /// for equal.
  static func isSame(_ left: Substring, _ right: Substring) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }
}
