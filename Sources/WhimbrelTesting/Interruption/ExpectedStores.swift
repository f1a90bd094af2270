internal import Foundation
internal import Whimbrel
internal import WhimbrelInspection

/// What a store may be after its migration was interrupted: the old one, the new one, or what one
/// of the steps between has made of it.
struct ExpectedStores {
  private let old: StoreLines
  /// After each step that the file takes; the last is the new store.
  private let stages: [Stage]

  /// What a migration makes of a store.
  private struct Stage {
    let version: SchemaVersion
    let lines: StoreLines
    /// Whether a migration comes to the same result each time.
    let isDeterministic: Bool

    init(_ original: TemporaryStoreFile, _ configuration: Store.Configuration) throws {
      let results = try (0..<2).map { _ in
        let copy = try TemporaryStoreFile(copying: original.url)
        _ = try Store(configuration.at(copy.url))
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

  /// - Parameter original: a copy of the sample.
  init(_ original: TemporaryStoreFile, _ configuration: Store.Configuration) throws {
    old = try StoreLines(original.url)
    let version = try Store.schemaVersion(at: original.url)
    let between = configuration.interrupted(above: version)
    stages = try (between + [configuration]).map { try Stage(original, $0) }
  }

  /// What is wrong with a store that may be any of them, as the rest of a sentence; or nil.
  func problem(_ copy: TemporaryStoreFile) throws -> String? {
    let found = try StoreLines(copy.url)
    if let problem = found.problem { return problem }
    if found == old || stages.contains(where: { $0.hasMade(found) }) { return nil }
    let between = stages.dropLast().map { ", nor that of version \($0.version)" }.joined()
    return "it is neither the old store nor the new one\(between): " + difference(found)
  }

  /// What is wrong with a store that has been migrated to the end; or nil.
  func problemWhenComplete(_ copy: TemporaryStoreFile) throws -> String? {
    let found = try StoreLines(copy.url)
    if let problem = found.problem { return problem }
    guard let new = stages.last, !new.hasMade(found) else { return nil }
    return "it is not what a migration makes of it: " + difference(found)
  }

  /// The first object that is in one and not in the other.
  private func difference(_ found: StoreLines) -> String {
    let candidates = [old] + stages.map(\.lines)
    guard let expected = candidates.first(where: { $0.schema == found.schema }) else {
      return "its schema is that of none of them."
    }
    if found.counts != expected.counts { return "\(found.counts) objects, not \(expected.counts)." }
    let pair = zip(found.objects, expected.objects).first { $0 != $1 }
    return pair.map { "\($0.prefix(200)) instead of \($1.prefix(200))." } ?? "its history differs."
  }
}

extension Store.Configuration {
  /// What the same migration is as far as each of its steps but the last, of those that a file of
  /// a version takes.
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
  /// What does not agree in it, as the rest of a sentence.
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
