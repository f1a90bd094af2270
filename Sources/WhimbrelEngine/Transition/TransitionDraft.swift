/// The catalog that an online migration writes, and the obstacles to the migration.
///
/// It follows from the catalog of the file, the declared schema and the rules. No objects are read.
struct TransitionDraft {
  /// The classes of the new catalog, or empty if there are obstacles.
  private(set) var classes: [CatalogClass] = []
  private(set) var obstacles: [OnlineObstacle] = []

  /// - Parameters:
  ///   - rules: The rules of the app, or nil to find the obstacles that rules could not remove.
  ///   - plan: The plan of the same migration, which knows the owners of embedded objects.
  init(
    _ loaded: LoadedCatalog, _ declaration: Declaration, to version: SchemaVersion,
    by rules: RuleBook?, _ plan: MigrationPlan
  ) {
    let catalog = loaded.catalog
    for change in plan.changes {
      if change.kind == .impossible {
        add(change.change, change.note ?? "It is impossible.")
      } else if change.deleted + change.copied + change.circular + change.references > 0 {
        add(change.change, "It deletes or copies embedded objects.")
      }
    }
    let latestNames = catalog.latestNames(in: declaration.schema)
    for draft in loaded.drafts(for: declaration.schema) {
      guard let old = draft.old, let declared = draft.declared else {
        classes.append(draft.entry(isRewritten: false))
        continue
      }
      // The links of a draft already have the new class names. Those of frozen declarations do not.
      let stored = catalog[old.id] ?? old
      var steps = Steps(
        of: stored, declared, from: loaded.header.schemaVersion, rules, loaded, latestNames)
      do {
        classes.append(try steps.run())
      } catch {
        add(nil, class: declared.name, (error as? StoreError)?.message ?? "\(error)")
      }
      obstacles += steps.obstacles
    }
  }

  private mutating func add(_ change: SchemaChange?, class name: String? = nil, _ reason: String) {
    let obstacle = OnlineObstacle(
      className: change?.className ?? name ?? "", change: change?.description, reason: reason)
    if !obstacles.contains(obstacle) { obstacles.append(obstacle) }
  }
}

/// A reason why a change cannot be made while the app runs.
public struct OnlineObstacle: Hashable, Sendable, Codable {
  /// The class that changes.
  public let className: String
  /// The change as a sentence, or nil if the reason alone describes the obstacle.
  public let change: String?
  /// The reason, as a sentence.
  public let reason: String

  static let keepingPreviousGeneration = OnlineObstacle(
    className: "", change: nil,
    reason: "Objects are converted in place, so 'keepsPreviousGeneration' must be false.")
}

extension OnlineObstacle: CustomStringConvertible {
  /// The change and the reason.
  public var description: String {
    [change, reason].compactMap(\.self).joined(separator: " ")
  }
}

extension MigrationPlan {
  /// Finds the reasons why the changes cannot be made object by object.
  mutating func findOnlineObstacles(
    in file: StoreFile, _ request: OpenRequest, _ declaration: Declaration
  ) throws {
    let loaded = try file.currentCatalog()
    let rules = request.transition != nil ? declaration.rules : nil
    onlineObstacles =
      TransitionDraft(loaded, declaration, to: request.schemaVersion, by: rules, self).obstacles
    if request.transition != nil, request.migration.keepsPreviousGeneration {
      onlineObstacles.append(.keepingPreviousGeneration)
    }
    guard request.transition != nil, request.migration.block != nil, fromVersion < toVersion else {
      return
    }
    var reason: String?
    if let rules, let first = rules.firstVersion {
      if fromVersion < first {
        reason =
          "The block migrates stores of versions below \(first), the version of the first rule."
      } else if rules.endBeforeApp {
        reason = "The rules end before version \(toVersion), so the block migrates the store."
      }
    } else {
      reason = "The migration has no rules, so the block migrates the store."
    }
    if let reason {
      onlineObstacles.append(OnlineObstacle(className: "", change: nil, reason: reason))
    }
  }
}

// MARK: - One class

/// The steps of one class from the shape in the file to the declared shape. There is a shape
/// between every two rules.
private struct Steps {
  private let old: CatalogClass
  private let declared: ClassSchema
  private let version: SchemaVersion
  private let chain: [ObjectRule]
  private let rules: RuleBook?
  private let loaded: LoadedCatalog
  private let latestNames: [String: String]
  private var shapes: [PastShape]
  private(set) var obstacles: [OnlineObstacle] = []

  /// - Parameters:
  ///   - old: The class in the file, with the class names that the file has.
  ///   - latestNames: The names that the classes of the file and of frozen declarations have in the
  ///     declared schema, where they differ.
  init(
    of old: CatalogClass, _ declared: ClassSchema, from version: SchemaVersion, _ rules: RuleBook?,
    _ loaded: LoadedCatalog, _ latestNames: [String: String]
  ) {
    self.old = old
    self.declared = declared
    self.version = version
    self.loaded = loaded
    self.latestNames = latestNames
    self.rules = rules
    chain = rules?.chain(from: version, of: old.name) ?? []
    shapes = old.transition?.shapes ?? []
  }

  /// Returns the class in the declared shape, with the past shapes that its objects may have.
  mutating func run() throws -> CatalogClass {
    var current = old
    var version = version
    for (number, rule) in chain.enumerated() where !rule.isLast {
      if number == 0 || !isPassed(rule, current) {
        let named = naming(current, as: rule.new)
        try take(rule, from: &current, named, version, to: named.between(rule.new), isLast: false)
      }
      version = rule.version + 1
    }
    let last = chain.last.flatMap { $0.isLast ? $0 : nil }
    let named = naming(current, as: declared)
    try take(last, from: &current, named, version, to: declared, isLast: true)
    try checkKnownShapes(leadingTo: current)
    return current
  }

  /// Returns whether the rule before leads to a later version than a rule: the class no longer has
  /// what the rule reads, and already has what it sets.
  private func isPassed(_ rule: ObjectRule, _ current: CatalogClass) -> Bool {
    (try? current.arranged(as: rule.old)) == nil && (try? current.arranged(as: rule.new)) != nil
  }

  /// Checks the rules for the past shapes that the file already has.
  ///
  /// - Throws: ``StoreError`` with `shapeMismatch` if a rule does not match. Otherwise the objects
  ///   could not be read after the migration.
  private mutating func checkKnownShapes(leadingTo next: CatalogClass) throws {
    for (number, shape) in (old.transition?.shapes ?? []).enumerated() where shape.hasRule {
      // A missing rule is no obstacle that a block could remove: it is named when objects need it.
      guard let rule = rules?.rule(from: shape.version, of: shape.name) else { continue }
      // Invariant: the shapes of the file come first.
      _ = try next.past(shape).arranged(as: rule.old)
      let destination = next.destination(of: rule, from: number, in: shapes)
      let target = destination < shapes.count ? next.past(shapes[destination]) : next
      _ = try target.arranged(as: rule.new)
      guard rule.isLast || destination > number + 1 else { continue }
      let direct = shape.leading(to: target, over: shapes[(number + 1)..<destination])
      for property in target.properties
      where !property.hasSubstitute && direct.mayLackValue(of: property) {
        add(property.name, Self.noSubstitute)
      }
    }
  }

  private static let noSubstitute =
    "has no default, which objects get if the rule does not set it."

  /// Returns a class with the names that a declaration has for the classes that it links to.
  private func naming(_ entry: CatalogClass, as shape: ClassSchema) -> CatalogClass {
    let names = Dictionary(
      keepingFirst: shape.properties.compactMap(\.type.linkedClass).map {
        (latestNames[$0] ?? $0, $0)
      })
    let linked = Set(entry.properties.compactMap(\.type.linkedClass))
    return entry.renamingLinks(
      Dictionary(
        uniqueKeysWithValues: linked.map { name in
          let latest = latestNames[name] ?? name
          return (name, names[latest] ?? latest)
        }))
  }

  /// - Parameter named: The current class with the names that the schema has for the classes that it
  ///   links to.
  private mutating func take(
    _ rule: ObjectRule?, from current: inout CatalogClass, _ named: CatalogClass,
    _ version: SchemaVersion, to schema: ClassSchema, isLast: Bool
  ) throws {
    let draft = ClassDraft(old: named, declared: schema, id: current.id)
    check(draft, rule, from: named)
    var next = draft.entry(isRewritten: false)
    let building = isLast ? next.indexesMissing(in: old) : ([], [])
    if isLast { checkIndexes(of: next) }
    let isChanged = next.properties != named.properties || next.name != current.name
    let changesObjects = rule != nil || draft.requiresRewrite
    let isBuilding = !building.0.isEmpty || !building.1.isEmpty
    if changesObjects || isBuilding || !shapes.isEmpty && isChanged {
      let layouts = layouts(of: current)
      if layouts.contains(next.currentLayout) { next.addLayout() }
      if let rule {
        // A rule that does not match fails now, and not when the first object is read.
        do {
          _ = try current.arranged(as: rule.old)
        } catch let error as StoreError where version < rule.version {
          throw MissingRule(mismatch: error.message, version: version, next: rule.version)
        }
        _ = try next.arranged(as: rule.new)
      }
      shapes.append(
        PastShape(
          version: version, name: current.name, properties: current.properties,
          targets: current.properties.compactMap(target), layouts: layouts, sources: draft.sources,
          decided: draft.decided, hasRule: rule != nil))
    }
    if isLast, !shapes.isEmpty {
      next.transition = ClassTransition(
        shapes: shapes, buildingProperties: building.0, buildingIndexes: building.1)
    }
    current = next
  }

  private func target(of property: CatalogProperty) -> PastShape.Target? {
    // A rule cannot change where a link leads, so a property has one target in all shapes.
    old.properties.first { $0.id == property.id }?.type.linkedClass
      .flatMap { loaded[$0] }
      .map { PastShape.Target(property: property.id, linked: $0.id) }
  }

  /// Returns the layouts of the records that have the shape of a class. The current layout is last.
  private func layouts(of entry: CatalogClass) -> [LayoutID] {
    let past = Set(shapes.flatMap(\.layouts))
    return entry.layouts.map(\.id).filter { !past.contains($0) && $0 != entry.currentLayout }
      + [entry.currentLayout]
  }

  private mutating func add(_ property: String?, _ reason: String) {
    let name = property.map { "Property '\(declared.name).\($0)'" }
    let obstacle = OnlineObstacle(
      className: declared.name, change: nil, reason: name.map { "\($0) \(reason)" } ?? reason)
    // Several steps may have the same obstacle.
    if !obstacles.contains(obstacle) { obstacles.append(obstacle) }
  }

  private mutating func check(
    _ draft: ClassDraft, _ rule: ObjectRule?, from current: CatalogClass
  ) {
    if !draft.keepsPrimaryKey { add(nil, "The primary key of '\(declared.name)' changes.") }
    if draft.declared?.isEmbedded != current.isEmbedded {
      add(nil, "Class '\(declared.name)' becomes embedded or top-level.")
    }
    for property in draft.properties { check(property, rule) }
    for property in current.properties where !draft.keeps(property.name) {
      if let target = target(of: property), loaded[target.linked]?.isEmbedded == true {
        add(property.name, "owns embedded objects, which are deleted with it.")
      }
    }
  }

  private mutating func check(_ property: PropertyDraft, _ rule: ObjectRule?) {
    let name = property.new.name
    let holdsLinks = property.new.type.holdsLinks || property.old?.type.holdsLinks == true
    switch property.origin {
    case .kept where !property.needsCode, .filled: return
    case .generated:
      return add(
        name,
        "has a default that differs each time, but two reads of an object must give the same value."
      )
    case .kept, .converted, .code:
      if holdsLinks, property.origin != .kept {
        return add(name, "may link to other objects, which a rule cannot see.")
      }
    }
    if !property.new.hasSubstitute, property.needsCode || property.isTracked {
      return add(name, Self.noSubstitute)
    }
    if property.needsCode, rule == nil, rules != nil {
      add(name, "has no rule that sets it for objects of version \(version).")
    }
  }

  private mutating func checkIndexes(of next: CatalogClass) {
    let known = Set(old.indexes.map(\.id))
    for index in next.indexes where index.kind == .unique && !known.contains(index.id) {
      add(
        nil,
        "The \(next.schema(of: index)) of '\(declared.name)' is new: equal values would be found too late."
      )
    }
  }
}

/// An error of a store from before a release that did not need a rule. The next rule reads what
/// that release has added or renamed.
private struct MissingRule: Error, CustomStringConvertible {
  let mismatch: String
  /// The version of the store.
  let version: SchemaVersion
  /// The version that the next rule reads.
  let next: SchemaVersion

  var description: String {
    """
    \(mismatch)
      The rule reads objects of version \(next). Add a rule from version \(version) to the \
    declaration that it reads. It is empty if the changes between did not need a rule.
    """
  }
}

extension Catalog {
  /// Returns the names in a schema of classes that are or were renamed, by their earlier names.
  fileprivate func latestNames(in schema: StoreSchema) -> [String: String] {
    var names = Dictionary(
      keepingFirst: schema.classes.flatMap { declared in
        declared.previousNames.map { ($0, declared.name) }
      })
    let renames = classRenames(to: schema)
    for entry in classes { names[entry.name] = renames[entry.name] }
    return names
  }
}

extension CatalogClass {
  /// Returns the indexes that an old state of the class lacks, and those that are still being
  /// built. The index of the links of a new property is complete: no rule can set a link, so only
  /// objects of the new shape have entries in it.
  fileprivate func indexesMissing(in old: CatalogClass) -> ([PropertyID], [IndexID]) {
    let known = Set(old.tableNames)
    let properties = properties.filter { property in
      property.hasIndex && !property.type.holdsLinks
        && (!known.contains(TableNames.index(self, property.id))
          || old.transition?.buildingProperties.contains(property.id) == true)
    }
    let indexes = indexes.filter { index in
      !known.contains(TableNames.index(self, index.id))
        || old.transition?.buildingIndexes.contains(index.id) == true
    }
    return (properties.map(\.id), indexes.map(\.id))
  }

  /// Gives the class a new layout with the same properties, so that a record shows which of the two
  /// shapes it has.
  fileprivate mutating func addLayout() {
    guard let current = writtenLayout else { return }
    let next = nextLayoutID
    layouts.append(RecordLayout(id: next, fields: current.fields, fixedSize: current.fixedSize))
    currentLayout = next
  }

  /// Returns the schema of the class between two rules. The first rule declares only what it sets.
  fileprivate func between(_ shape: ClassSchema) -> ClassSchema {
    let old = schema
    let matching = PropertyMatching(from: old, to: shape)
    let taken = Set(matching.oldNames.values)
    let declared = shape.properties.map { property in
      var property = property
      let before = matching.oldNames[property.name].flatMap { old[$0] }
      property.isPrimaryKey = before?.isPrimaryKey ?? false
      property.isIndexed = before?.isIndexed ?? false
      return property
    }
    return ClassSchema(
      name: shape.name, isEmbedded: old.isEmbedded,
      properties: declared + old.properties.filter { !taken.contains($0.name) },
      indexes: old.indexes.filter { index in
        index.properties.allSatisfy { name in
          !taken.contains(name) || matching.newNames[name] == name
        }
      })
  }
}

extension PastShape {
  /// Returns whether objects of the shape may have no value for a property of the next shape.
  fileprivate func mayLackValue(of property: CatalogProperty) -> Bool {
    if decided.contains(where: { $0.property == property.id }) { return true }
    guard let source = sources.first(where: { $0.property == property.id }),
      let old = properties.first(where: { $0.id == source.old })
    else { return false }
    guard let conversion = Conversion.lossless(from: old.type, to: property.type) else {
      return true
    }
    return conversion.mayFail || property.cases != nil
      || old.isOptional && !property.isOptional && property.nilFill.isNull
  }
}

extension ClassDraft {
  /// The new properties whose values old records have under another property ID.
  fileprivate var sources: [PastShape.Source] {
    properties.compactMap { property in
      guard property.origin != .code, let old = property.old, old.id != property.new.id else {
        return nil
      }
      return PastShape.Source(property: property.new.id, old: old.id)
    }
  }

  /// The properties whose values only a rule can determine.
  fileprivate var decided: [PastShape.Source] {
    properties.filter { $0.origin == .code }.map {
      PastShape.Source(property: $0.new.id, old: $0.old?.id)
    }
  }
}
