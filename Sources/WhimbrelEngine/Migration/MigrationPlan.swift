internal import Foundation
internal import Logging
internal import WhimbrelLMDB

/// What opening a store with a new schema will do to it, and what it costs.
///
/// ```swift
/// print(try Store.migrationPlan(for: configuration))
/// ```
public struct MigrationPlan: Hashable, Sendable, Codable {
  /// The schema version of the file.
  public let fromVersion: SchemaVersion
  /// The schema version that the app declares.
  public let toVersion: SchemaVersion
  /// The changes, in the order of their classes.
  public let changes: [Change]
  /// The versions to which the migration steps after this one lead, which are planned when
  /// their turn comes: they see the objects as this one leaves them.
  public internal(set) var remainingSteps: [SchemaVersion] = []

  /// One change of the plan.
  public struct Change: Hashable, Sendable, Codable {
    /// What changes.
    public let change: SchemaChange
    /// What it takes.
    public let kind: Kind
    /// How many objects of the class there are.
    public let objects: Int
    /// How many bytes are written at least, as an estimate.
    public let bytes: Int
    /// What else to know, in a sentence, or nil.
    public let note: String?
  }

  /// What a change takes.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// Only the catalog changes, however many objects there are.
    case instant
    /// An index is built.
    case indexBuild
    /// Every object is written anew; no code is needed.
    case rewrite
    /// The migration block has to say what the objects get.
    case needsCode
    /// Values can no longer be reached.
    case destructive
    /// No code can make the change: the schema version declared does not allow it.
    case impossible
  }

  /// Whether the file is as the app declares it.
  public var isEmpty: Bool { changes.isEmpty && fromVersion == toVersion }
}

extension MigrationPlan {
  /// Makes the plan for a file.
  init(_ file: StoreFile, _ declaration: Declaration, version: SchemaVersion) throws {
    let transaction = try ReadTransaction(file.environment)
    let view = transaction.view
    let loaded = try file.catalog(in: view)
    fromVersion = loaded.header.schemaVersion
    toVersion = version
    let difference = SchemaDifference(from: loaded.catalog.schema, to: declaration.schema)
    let drafts = loaded.catalog.drafts(for: declaration.schema)
    let names = loaded.catalog.classes.map { TableNames.objects($0.id, $0.generation) }
    let handles = try file.environment.openTables(names)
    // The tables may have been opened just now: a new snapshot sees them.
    let counting = try ReadTransaction(file.environment)
    let facts = try file.environment.information()
    let allChanges = difference.changes.flatMap { change -> [SchemaChange] in
      guard case .classAdded(let name) = change, let old = loaded.catalog[name],
        let new = declaration.schema[name]
      else { return [change] }
      // A class that comes back may have changed meanwhile.
      return [change]
        + SchemaDifference(from: Schema(classes: [old.schema]), to: Schema(classes: [new])).changes
    }
    changes = try allChanges.map { change in
      let draft = drafts.first { $0.name == change.className }
      var statistics: ReadView.Statistics?
      if let old = draft?.old,
        let table = handles[TableNames.objects(old.id, old.generation).name]
      {
        statistics = try counting.view.statistics(table)
      }
      let objects = statistics?.entries ?? 0
      let (kind, note) =
        Self.obstacle(to: change, from: loaded.header.schemaVersion, to: version)
        ?? Self.kind(of: change, draft, objects, loaded.catalog, declaration.schema)
      let isRewritten = kind == .rewrite || kind == .needsCode
      return Change(
        change: change, kind: kind, objects: objects,
        bytes: isRewritten
          ? (statistics?.pages ?? 0) * facts.pageSize : kind == .indexBuild ? objects * 32 : 0,
        note: note)
    }
  }

  private static func kind(
    of change: SchemaChange, _ draft: ClassDraft?, _ objects: Int, _ catalog: Catalog,
    _ declared: Schema
  ) -> (Kind, String?) {
    func property(_ name: String) -> PropertyDraft? {
      draft?.properties.first { $0.new.name == name }
    }
    switch change {
    case .classAdded(let name):
      let isBack = catalog[name] != nil
      return (.instant, isBack ? "Its objects of before come back." : nil)
    case .classRemoved:
      return (.instant, "Its objects stay in the file until deleteData(forType:) is called.")
    case .propertyRemoved(let name, let removed):
      return (.destructive, possibleRename(name, removed, catalog, declared))
    case .indexAdded: return (objects > 0 ? .indexBuild : .instant, nil)
    case .primaryKeyAdded, .primaryKeyChanged:
      return (
        objects > 0 ? .indexBuild : .instant, "Every object must have a value of its own."
      )
    case .propertyAdded(_, let name), .propertyRetyped(_, let name, _, _),
      .madeRequired(_, let name), .madeOptional(_, let name):
      guard objects > 0, let draft = property(name) else { return (.instant, nil) }
      switch draft.origin {
      case .kept where draft.isTracked:
        return (.needsCode, "Objects that have nil need a value.")
      case .kept, .filled: return (.instant, nil)
      case .converted, .generated: return (.rewrite, nil)
      case .code: return (.needsCode, "The migration block must set it for every object.")
      }
    case .embeddingChanged(_, isEmbedded: true):
      let note = "Objects to which no link leads are deleted, and each may have only one."
      return objects > 0 ? (.destructive, note) : (.instant, nil)
    case .casesChanged(_, let name):
      return (.instant, objects > 0 ? property(name).flatMap(removedCases) : nil)
    case .embeddingChanged, .propertyRenamed, .primaryKeyRemoved, .indexRemoved, .defaultChanged,
      .reordered:
      return (.instant, nil)
    }
  }

  /// What becomes of values that are no case any more, or nil when there are none.
  private static func removedCases(_ property: PropertyDraft) -> String? {
    guard let old = property.old, let cases = property.new.cases, old.cases != nil,
      old.type == property.new.type
    else { return nil }
    let removed = (old.cases ?? []).filter { !cases.contains($0) }
    guard !removed.isEmpty else { return nil }
    return "Objects that have \(Sentence.names(removed)) keep it until they are set."
  }

  /// The line to write if a property that is removed is one that is added, or nil.
  private static func possibleRename(
    _ className: String, _ removed: String, _ catalog: Catalog, _ declared: Schema
  ) -> String? {
    guard let old = catalog[className]?.schema, let new = declared[className],
      let source = old[removed]
    else { return nil }
    let renamed = PropertyMatching(from: old, to: new).oldNames
    // An enum that a text becomes takes more than another name.
    let candidates = new.properties.filter {
      renamed[$0.name] == nil && $0.type == source.type && $0.cases == source.cases
    }
    guard candidates.count == 1, let candidate = candidates.first else { return nil }
    return
      "If it is '\(candidate.name)' now: @Renamed(from: \"\(removed)\") var \(candidate.name)."
  }

  /// Throws unless the version has changed, or the changes do not ask for that.
  func requireAllowed(path: String) throws {
    guard fromVersion == toVersion else { return }
    let refused = changes.map(\.change).filter { !$0.isAllowedWithoutVersionChange }
    guard refused.isEmpty else {
      throw StoreError.schemaMismatch(path: path, version: fromVersion, changes: refused)
    }
  }

  /// Says in the log which removed properties may have been renamed.
  ///
  /// - Parameter isKept: whether the block has renamed a property of a class.
  func logPossibleRenames(
    path: String, unless isKept: (_ className: String, _ property: String) -> Bool
  ) {
    let logger = Logger(label: "whimbrel.migration")
    for change in changes where change.kind == .destructive {
      guard let note = change.note, let property = change.change.propertyName,
        !isKept(change.change.className, property)
      else { continue }
      logger.notice("\(change.change.description) \(note)", metadata: ["path": "\(path)"])
    }
  }
}

extension MigrationPlan: CustomStringConvertible {
  /// The plan as lines of text.
  public var description: String {
    if isEmpty { return "Nothing to do: the store is at version \(toVersion)." }
    if changes.isEmpty { return title + "\n  no change of the schema" }
    let width = changes.map(\.kind.words.count).max() ?? 0
    let lines = changes.flatMap { change in
      let kind = change.kind.words.padding(toLength: width, withPad: " ", startingAt: 0)
      let cost = change.kind == .instant || change.objects == 0 ? "" : " (\(change.cost))"
      let note = change.note.map { ["  " + String(repeating: " ", count: width + 2) + $0] } ?? []
      return ["  \(kind)  \(change.change)\(cost)"] + note
    }
    return ([title] + lines).joined(separator: "\n")
  }
}

extension MigrationPlan.Kind {
  /// The kind as people read it.
  public var words: String {
    switch self {
    case .instant: "instant"
    case .indexBuild: "index build"
    case .rewrite: "rewrite"
    case .needsCode: "needs code"
    case .destructive: "destructive"
    case .impossible: "impossible"
    }
  }
}

extension MigrationPlan.Change {
  fileprivate var cost: String {
    let count = "\(objects) object\(objects == 1 ? "" : "s")"
    return bytes > 0 ? "\(count), about \((bytes + 1023) / 1024) KiB" : count
  }
}
