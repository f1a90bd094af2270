internal import Foundation
internal import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelInspection

/// The states that a store may have after an interrupted migration: the old one, the new
/// one, or the result of a step between them.
struct ExpectedStores {
  private let old: StoreLines
  /// The result of each step that the file takes. The last is the new store.
  private let stages: [Stage]

  private struct Stage {
    let version: SchemaVersion
    let lines: StoreLines
    /// Whether repeated migrations give the same objects.
    let isDeterministic: Bool

    init(_ original: TemporaryStoreFile, _ configuration: Store.Configuration) throws {
      let results = try (0..<2).map { _ in
        let copy = try TemporaryStoreFile(copying: original.url)
        try Store.migrated(configuration.at(copy.url))
        return try StoreLines(copy.url)
      }
      version = configuration.schemaVersion
      lines = results[0]
      isDeterministic = results[0].objects == results[1].objects
    }

    func hasMade(_ found: StoreLines) -> Bool {
      guard found.schema == lines.schema else { return false }
      return isDeterministic ? found.objects == lines.objects : found.counts == lines.counts
    }
  }

  /// - Parameter original: A copy of the sample.
  init(_ original: TemporaryStoreFile, _ configuration: Store.Configuration) throws {
    old = try StoreLines(original.url)
    let version = try Store.schemaVersion(at: original.url)
    let between = configuration.interrupted(above: version)
    stages = try (between + [configuration]).map { try Stage(original, $0) }
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
    if found == old || stages.contains(where: { $0.hasMade(found) }) { return nil }
    let between = stages.dropLast().map { ", nor that of version \($0.version)" }.joined()
    return "it is neither the old store nor the new one\(between): " + difference(found)
  }

  /// Returns the problem of a store whose migration was completed, or nil.
  func problemWhenComplete(_ copy: TemporaryStoreFile) throws -> String? {
    let found = try StoreLines(copy.url)
    if let problem = found.problem { return problem }
    guard let new = stages.last, !new.hasMade(found) else { return nil }
    return "it is not the result of the migration: " + difference(found)
  }

  /// Describes the first object that differs.
  private func difference(_ found: StoreLines) -> String {
    let candidates = [old] + stages.map(\.lines)
    guard let expected = candidates.first(where: { $0.schema == found.schema }) else {
      return "none of them has its schema."
    }
    let counts = found.counts.merging(expected.counts) { count, _ in count }.keys.sorted()
      .compactMap { name in
        let (count, wanted) = (found.counts[name] ?? 0, expected.counts[name] ?? 0)
        return count == wanted ? nil : "'\(name)' has \(count) objects, not \(wanted)"
      }
    if !counts.isEmpty { return counts.joined(separator: ", and ") + "." }
    let pair = zip(found.objects, expected.objects).first { $0 != $1 }
    return pair.map { "\($0.prefix(200)) instead of \($1.prefix(200))." } ?? "its history differs."
  }
}

extension Store.Configuration {
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
    counts = Dictionary(
      classes.map { ($0.name, $0.objects) }, uniquingKeysWith: { first, _ in first })
    problem = try StoreCheck.problems(ofStoreAt: url).first
  }

  static func == (left: StoreLines, right: StoreLines) -> Bool {
    left.header == right.header && left.objects == right.objects
  }
}
