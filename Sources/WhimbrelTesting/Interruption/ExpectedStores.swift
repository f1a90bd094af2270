internal import Foundation
internal import Whimbrel
internal import WhimbrelInspection

/// What a store may be after its migration was interrupted: the old one, or the new one.
struct ExpectedStores {
  private let old: StoreLines
  private let new: StoreLines
  /// Whether a migration comes to the same result each time.
  private let isDeterministic: Bool

  /// - Parameter original: a copy of the sample.
  init(_ original: TemporaryStoreFile, _ configuration: Store.Configuration) throws {
    old = try StoreLines(original.url)
    let results = try (0..<2).map { _ in
      let copy = try TemporaryStoreFile(copying: original.url)
      var configuration = configuration
      configuration.url = copy.url
      _ = try Store(configuration)
      return try StoreLines(copy.url)
    }
    new = results[0]
    isDeterministic = results[0].objects == results[1].objects
  }

  /// What is wrong with a store that may be either, as the rest of a sentence; or nil.
  func problem(_ copy: TemporaryStoreFile) throws -> String? {
    let found = try StoreLines(copy.url)
    if let problem = found.problem { return problem }
    if found == old || isNew(found) { return nil }
    return "it is neither the old store nor the new one: " + difference(found)
  }

  /// What is wrong with a store that has been migrated to the end; or nil.
  func problemWhenComplete(_ copy: TemporaryStoreFile) throws -> String? {
    let found = try StoreLines(copy.url)
    if let problem = found.problem { return problem }
    return isNew(found) ? nil : "it is not what a migration makes of it: " + difference(found)
  }

  private func isNew(_ found: StoreLines) -> Bool {
    guard found.schema == new.schema else { return false }
    return isDeterministic ? found.objects == new.objects : found.counts == new.counts
  }

  /// The first object that is in one and not in the other.
  private func difference(_ found: StoreLines) -> String {
    let expected = found.schema == old.schema ? old : new
    guard found.schema == expected.schema else { return "its schema is that of neither." }
    if found.counts != expected.counts { return "\(found.counts) objects, not \(expected.counts)." }
    let pair = zip(found.objects, expected.objects).first { $0 != $1 }
    return pair.map { "\($0.prefix(200)) instead of \($1.prefix(200))." } ?? "its history differs."
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
