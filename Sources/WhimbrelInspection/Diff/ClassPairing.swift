internal import WhimbrelEngine

/// A pairing of the classes and properties of two stores.
///
/// Classes and properties with equal names are pairs. The rest may be renamed: in two stores of one
/// lineage (with the same UUID), classes or properties with equal stable IDs are pairs. Stable IDs
/// count only if they agree for everything that kept its name and its type, because a store loaded
/// from a dump keeps the UUID but has new IDs. A property that has been converted to another type
/// has a new ID. Primary keys are paired whatever their names.
struct ClassPairing {
  private let old: [ClassTable]
  private let new: [ClassTable]
  private let isOneLineage: Bool
  /// The new names of renamed classes, by their old names.
  let renamedClasses: [String: String]

  init(_ old: Session, _ new: Session) {
    self.old = old.classes
    self.new = new.classes
    isOneLineage = old.loaded.header.uuid == new.loaded.header.uuid
    renamedClasses =
      isOneLineage
      ? Self.renames(
        old.classes.map { ($0.name, $0.resolved.id.rawValue) },
        new.classes.map { ($0.name, $0.resolved.id.rawValue) })
      : [:]
  }

  /// Returns the new names of renamed entries, by their old names.
  ///
  /// - Parameter retyped: The names of entries that have another type, and therefore another ID.
  private static func renames(
    _ old: [(name: String, id: UInt32)], _ new: [(name: String, id: UInt32)],
    retyped: Set<String> = []
  ) -> [String: String] {
    let before = Dictionary(keepingFirst: old)
    let after = Dictionary(keepingFirst: new)
    // The IDs count only if everything that kept its name and its type also kept its ID.
    guard
      before.allSatisfy({ name, id in
        retyped.contains(name) || after[name].map { $0 == id } ?? true
      })
    else { return [:] }
    var renames: [String: String] = [:]
    for (name, id) in old where after[name] == nil {
      renames[name] = new.first { $0.id == id && before[$0.name] == nil }?.name
    }
    return renames
  }

  /// Returns the pairs, sorted by their shared names.
  ///
  /// - Parameter ignored: The names of properties that are not compared, by class.
  func pairs(ignoring ignored: [String: Set<String>]) -> [ClassPair] {
    let sources = Dictionary(keepingFirst: old.map { (renamedClasses[$0.name] ?? $0.name, $0) })
    let targets = Dictionary(keepingFirst: new.map { ($0.name, $0) })
    return Set(sources.keys).union(targets.keys).sorted().map { name in
      guard let old = sources[name], let new = targets[name] else {
        return oneSided(name, old: sources[name], new: targets[name])
      }
      return pair(name, old, new, ignored[name] ?? [])
    }
  }

  private func oneSided(_ name: String, old: ClassTable?, new: ClassTable?) -> ClassPair {
    let hasKey = (old ?? new)?.resolved.primaryKeyIndex != nil
    return ClassPair(
      name: name, old: old, new: new, order: hasKey ? .primaryKey : .objectID, properties: [],
      changes: [old == nil ? .classAdded(class: name) : .classRemoved(class: name)],
      hasComparableRecords: false)
  }

  private func pair(
    _ name: String, _ old: ClassTable, _ new: ClassTable, _ ignored: Set<String>
  ) -> ClassPair {
    let before = shared(old.resolved.schema, name)
    let after = naming(new.resolved.schema, after: before, old, new)
    let matching = PropertyMatching(from: before, to: after)
    // Accepts the old or the new name of a renamed property.
    let ignored = ignored.union(ignored.compactMap { matching.newNames[$0] })
    var changes = SchemaDifference(
      from: StoreSchema(classes: [before]), to: StoreSchema(classes: [after])
    ).changes
    // A class that only one of the apps declares counts as added or removed.
    if old.resolved.entry.isDeclared != new.resolved.entry.isDeclared {
      changes.append(
        new.resolved.entry.isDeclared ? .classAdded(class: name) : .classRemoved(class: name))
    }
    changes.removeAll { $0.propertyName.map(ignored.contains) ?? false }
    return ClassPair(
      name, old, new, matching, changes, ignoring: ignored, sharing: shared)
  }
}

// MARK: - Names

extension ClassPairing {
  /// Returns a class of the old store with the new names of renamed classes.
  private func shared(_ schema: ClassSchema, _ name: String) -> ClassSchema {
    ClassSchema(
      name: name, isEmbedded: schema.isEmbedded,
      properties: schema.properties.map { property in
        var property = property
        property.type = shared(property.type)
        return property
      }, indexes: schema.indexes)
  }

  private func shared(_ type: PropertyType) -> PropertyType {
    func shared(_ element: ElementType) -> ElementType {
      ElementType(self.shared(element.type), isOptional: element.isOptional)
    }
    return switch type {
    case .link(let target): .link(to: renamedClasses[target] ?? target)
    case .list(let element): .list(of: shared(element))
    case .set(let element): .set(of: shared(element))
    case .map(let element): .map(of: shared(element))
    default: type
    }
  }

  /// Returns a class of the new store with the previous names of its properties.
  ///
  /// - Parameter before: The class of the old store with the new names of renamed classes.
  private func naming(
    _ schema: ClassSchema, after before: ClassSchema, _ old: ClassTable, _ new: ClassTable
  ) -> ClassSchema {
    var oldNames: [String: String] = [:]
    if isOneLineage {
      let after = Dictionary(keepingFirst: schema.properties.map { ($0.name, $0) })
      let retyped = before.properties.filter { property in
        guard let after = after[property.name] else { return false }
        return after.type != property.type || after.isOptional != property.isOptional
      }
      let renames = Self.renames(
        old.resolved.properties.map { ($0.name, $0.id.rawValue) },
        new.resolved.properties.map { ($0.name, $0.id.rawValue) },
        retyped: Set(retyped.map(\.name)))
      for (before, after) in renames { oldNames[after] = before }
    }
    if let before = old.resolved.schema.primaryKey?.name, let after = schema.primaryKey?.name,
      oldNames[after] == nil, !oldNames.values.contains(before)
    {
      oldNames[after] = before
    }
    return ClassSchema(
      name: schema.name, isEmbedded: schema.isEmbedded,
      properties: schema.properties.map { property in
        var property = property
        property.previousNames = oldNames[property.name].map { [$0] } ?? []
        return property
      }, indexes: schema.indexes)
  }
}
