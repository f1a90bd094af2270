internal import Foundation
internal import WhimbrelLMDB

/// A description of what opening a store with a new schema does to it, and what that costs.
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
  /// The versions of the migration steps after this one. Each is planned when its turn comes, with
  /// the objects that the step before has written.
  public internal(set) var remainingSteps: [SchemaVersion] = []
  /// The obstacles to an `OnlineMigration`, which makes the changes object by object while the app
  /// runs. Empty if there are none. If the configuration has no rules, only obstacles that no rule
  /// could remove are listed.
  public internal(set) var onlineObstacles: [OnlineObstacle] = []
  /// Whether an `OnlineMigration` can make all changes.
  public var canRunOnline: Bool { onlineObstacles.isEmpty }

  /// One change of the plan.
  public struct Change: Hashable, Sendable, Codable {
    /// The change of the schema.
    public let change: SchemaChange
    /// The work that it takes.
    public let kind: Kind
    /// The number of objects of the class.
    public let objects: Int
    /// An estimate of the number of bytes that are written at least.
    public let bytes: Int
    /// A sentence with more about the change, or nil.
    public let note: String?
    /// The line of code to write if the change is in fact a rename, or nil.
    public let possibleRename: String?
    /// The number of embedded objects that are deleted because they lose their owners, with the
    /// current data.
    public let deleted: Int
    /// The number of copies of shared objects that are made because their class becomes embedded,
    /// with the current data.
    public let copied: Int
    /// The number of objects of a class that becomes embedded that would own themselves, because
    /// their links lead back to them. Opening fails unless the migration block breaks the circle.
    public let circular: Int
    /// The number of values of any type that link to objects that become embedded. Only a link to
    /// their class may do so. Opening fails unless the migration block changes them.
    public let references: Int
  }

  /// The work that a change takes.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// Only the catalog changes. The cost does not depend on the number of objects.
    case instant
    /// An index is built.
    case indexBuild
    /// Every object is rewritten. No code is needed.
    case rewrite
    /// A migration block or rule must set the new values.
    case needsCode
    /// Values can no longer be reached.
    case destructive
    /// No code can make the change, because the declared schema version does not allow it.
    case impossible
  }

  /// Whether the file has the declared schema.
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
    let drafts = loaded.drafts(for: declaration.schema)
    let handles = try file.environment.openTables(loaded.catalog.tableNames)
    // Only a new snapshot sees tables that have just been opened.
    let counting = try ReadTransaction(file.environment)
    let facts = try file.environment.information()
    let found = Self.changes(difference, loaded.catalog, declaration.schema)
    let outcomes =
      loaded.header.schemaVersion < version
      ? try EmbeddedOutcomes(of: found, file, declaration) : EmbeddedOutcomes()
    changes = try found.enumerated().map { place, change in
      let draft = drafts.first { $0.name == change.className }
      var statistics: ReadView.Statistics?
      var pages = 0
      if let old = draft?.old,
        let table = handles[TableNames.objects(old).name]
      {
        statistics = try counting.view.statistics(table)
        let overflow = try handles[TableNames.overflow(old).name].map {
          try counting.view.statistics($0).pages
        }
        pages = (statistics?.pages ?? 0) + (overflow ?? 0)
      }
      let objects = statistics?.entries ?? 0
      let outcome = outcomes.byPlace[place] ?? EmbeddedOutcome()
      let ownership = outcome.all
      // Deleted objects need no values.
      let staying = objects - (outcomes.deleted[change.className] ?? 0)
      let (kind, note) =
        Self.obstacle(to: change, from: loaded.header.schemaVersion, to: version)
        ?? Self.kind(of: change, draft, staying, outcome, loaded.catalog)
      let isRewritten = kind == .rewrite || kind == .needsCode || ownership.orphans > 0
      return Change(
        change: change, kind: kind, objects: objects,
        bytes: isRewritten
          ? pages * facts.pageSize : kind == .indexBuild ? objects * 32 : 0,
        note: note,
        possibleRename: Self.possibleRename(change, loaded.catalog, declaration.schema),
        deleted: ownership.orphans, copied: ownership.copies, circular: ownership.circular,
        references: outcome.referenceCount)
    }
  }

  /// Returns how a change is carried out, and a note on it.
  ///
  /// - Parameter objects: The number of objects of the class that stay.
  static func kind(
    of change: SchemaChange, _ draft: ClassDraft?, _ objects: Int, _ outcome: EmbeddedOutcome,
    _ catalog: Catalog
  ) -> (Kind, String?) {
    func property(_ name: String) -> PropertyDraft? {
      draft?.properties.first { $0.new.name == name }
    }
    switch change {
    case .classAdded(let name):
      let isBack = catalog[name] != nil
      return (.instant, isBack ? "Its previous objects come back." : nil)
    case .classRemoved:
      let note = "Its objects stay in the file until deleteData(forType:) is called."
      return (.instant, objects > 0 ? note : nil)
    case .propertyRemoved:
      return (outcome.all.circular > 0 ? .needsCode : .destructive, outcome.note)
    case .indexAdded: return (objects > 0 ? .indexBuild : .instant, nil)
    case .classIndexAdded(_, let index):
      return (
        objects > 0 ? .indexBuild : .instant,
        index.kind == .unique ? "No two objects may have the same values; nil does not count." : nil
      )
    case .primaryKeyAdded, .primaryKeyChanged:
      return (
        objects > 0 ? .indexBuild : .instant, "Every object must have a unique value."
      )
    case .propertyAdded(_, let name), .propertyRetyped(_, let name, _, _),
      .madeRequired(_, let name), .madeOptional(_, let name):
      guard objects > 0, let entry = draft, let draft = property(name) else {
        return (.instant, outcome.note)
      }
      let (kind, note) = kind(of: draft, in: entry)
      let notes = [note, outcome.note].compactMap(\.self)
      return (kind, notes.isEmpty ? nil : notes.joined(separator: " "))
    case .embeddingChanged(_, isEmbedded: true):
      let ownership = outcome.all
      return (
        outcome.needsCode
          ? .needsCode
          : ownership.orphans > 0 ? .destructive : ownership.copies > 0 ? .rewrite : .instant,
        outcome.note
      )
    case .casesChanged(_, let name):
      return (.instant, objects > 0 ? property(name).flatMap(removedCases) : nil)
    case .embeddingChanged, .classRenamed, .propertyRenamed, .primaryKeyRemoved, .indexRemoved,
      .classIndexRemoved,
      .defaultChanged, .reordered:
      return (.instant, nil)
    }
  }

  /// Returns how a new or changed property of existing objects is filled, and a note on it.
  private static func kind(of draft: PropertyDraft, in entry: ClassDraft) -> (Kind, String?) {
    switch draft.origin {
    case .kept where draft.needsCode:
      return (.needsCode, "Objects that have nil need a value.")
    case .kept where entry.rebuildsIndex(of: draft): return (.indexBuild, nil)
    case .kept, .filled: return (.instant, nil)
    case .converted(let conversion) where draft.isTracked:
      var notes = draft.needsCode ? ["Objects that have nil need a value."] : []
      if conversion.mayFail || draft.new.cases != nil {
        notes.append("A migration block or rule must set the values that it cannot hold.")
      }
      return (.rewrite, notes.joined(separator: " "))
    case .converted, .generated: return (.rewrite, nil)
    case .code:
      let orNil = draft.new.isOptional ? ", to nil where it has no value" : ""
      return (.needsCode, "A migration block or rule must set it for every object\(orNil).")
    }
  }

  /// Returns a sentence about removed cases of an enum, or nil if no case was removed.
  private static func removedCases(_ property: PropertyDraft) -> String? {
    guard let old = property.old, let cases = property.new.cases, old.cases != nil,
      old.type == property.new.type
    else { return nil }
    let removed = (old.cases ?? []).filter { !cases.contains($0) }
    guard !removed.isEmpty else { return nil }
    return "Objects that have \(Sentence.names(removed)) keep it until they are set."
  }

  /// Returns whether both plans make the same changes, whatever the numbers of objects.
  func hasSameChanges(as other: MigrationPlan) -> Bool {
    fromVersion == other.fromVersion && toVersion == other.toVersion
      && changes.map(\.change) == other.changes.map(\.change)
  }

  /// Throws if the changes need a higher version and the version has not changed.
  func requireAllowed(path: String) throws {
    guard fromVersion == toVersion else { return }
    let refused = changes.map(\.change).filter { !$0.isAllowedWithoutVersionChange }
    guard refused.isEmpty else {
      throw StoreError.schemaMismatch(path: path, version: fromVersion, changes: refused)
    }
  }
}

extension MigrationPlan: CustomStringConvertible {
  /// The plan as lines of text.
  public var description: String {
    if isEmpty { return "Nothing to do: the store is at version \(toVersion)." }
    if changes.isEmpty { return title + "\n  no schema changes" }
    let width = changes.map(\.kind.words.count).max() ?? 0
    let lines = changes.flatMap { change in
      let kind = change.kind.words.padding(toLength: width, withPad: " ", startingAt: 0)
      let cost = change.kind == .instant || change.objects == 0 ? "" : " (\(change.cost))"
      let notes = [change.note, change.possibleRename].compactMap(\.self)
      let indent = "  " + String(repeating: " ", count: width + 2)
      return ["  \(kind)  \(change.change)\(cost)"] + notes.map { indent + $0 }
    }
    return ([title] + lines).joined(separator: "\n")
  }
}

extension MigrationPlan.Kind {
  /// Words for the kind.
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
    let count = Sentence.count(objects, "object")
    return bytes > 0 ? "\(count), about \((bytes + 1023) / 1024) KiB" : count
  }
}

extension MigrationPlan {
  /// Whether the declared schema version allows the changes: it is not lower than that of the file,
  /// and it is higher if the changes need that.
  public var isPossible: Bool {
    fromVersion <= toVersion && !changes.contains { $0.kind == .impossible }
  }

  /// Returns why no code can make a change, or nil if some can.
  static func obstacle(
    to change: SchemaChange, from oldVersion: SchemaVersion, to newVersion: SchemaVersion
  ) -> (Kind, String?)? {
    // The title gives the reason.
    if oldVersion > newVersion { return (.impossible, nil) }
    if oldVersion < newVersion || change.isAllowedWithoutVersionChange { return nil }
    return (.impossible, "It needs a schema version higher than \(oldVersion).")
  }

  /// The first line of the description.
  var title: String {
    if fromVersion == toVersion { return "At version \(toVersion):" }
    let later = remainingSteps.map { ", then to \($0)" }.joined()
    let title = "From version \(fromVersion) to \(toVersion)\(later)"
    return fromVersion < toVersion
      ? title + ":" : title + ", which is impossible: a schema version never goes down."
  }
}

extension MigrationPlan {
  /// An estimate of the number of bytes that are written in all. A class that several changes
  /// rewrite is rewritten once.
  public var bytes: Int {
    Dictionary(grouping: changes, by: \.change.className).values.reduce(0) { sum, changes in
      let rewrites = changes.filter { $0.kind != .indexBuild }.map(\.bytes).max() ?? 0
      return sum + rewrites + changes.reduce(0) { $0 + ($1.kind == .indexBuild ? $1.bytes : 0) }
    }
  }
}
