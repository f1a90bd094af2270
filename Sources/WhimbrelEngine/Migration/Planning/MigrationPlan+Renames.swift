internal import Logging

/// Changes that may be renames.
extension MigrationPlan {
  /// Returns the line of code that makes a removal and an addition a rename, or nil.
  static func possibleRename(
    _ change: SchemaChange, _ catalog: Catalog, _ declared: StoreSchema
  ) -> String? {
    switch change {
    case .propertyRemoved(let className, let removed):
      guard let old = catalog[className]?.schema, let new = declared[className] else { return nil }
      return possibleRename(of: removed, from: old, to: new)
    case .classRemoved(let removed):
      guard let old = catalog[removed]?.schema else { return nil }
      return possibleRename(of: old, catalog, declared)
    default:
      return nil
    }
  }

  /// Returns the new property that may be a removed one under another name, or nil.
  ///
  /// It must be the only new one of the same type, and have a similar name, the same place, or names
  /// of other versions than that of the store, which may have skipped a version.
  private static func possibleRename(
    of removed: String, from old: ClassSchema, to new: ClassSchema
  ) -> String? {
    guard let source = old[removed] else { return nil }
    let renamed = PropertyMatching(from: old, to: new).oldNames
    // A text that becomes an enum is not only renamed.
    let candidates = new.properties.filter {
      renamed[$0.name] == nil && $0.type == source.type && $0.cases == source.cases
    }
    guard candidates.count == 1, let candidate = candidates.first,
      source.name.isSimilar(to: candidate.name) || !candidate.previousNames.isEmpty
        || hasSamePlace(source, in: old, candidate, in: new)
    else { return nil }
    let names = literals(candidate.previousNames + [removed])
    return "If it is now '\(candidate.name)': @Renamed(from: \(names))."
  }

  private static func literals(_ names: [String]) -> String {
    names.map(\.swiftLiteral).joined(separator: ", ")
  }

  /// Returns whether two properties have the same neighbors and differ only in their names.
  private static func hasSamePlace(
    _ source: PropertySchema, in old: ClassSchema, _ candidate: PropertySchema,
    in new: ClassSchema
  ) -> Bool {
    func neighbours(_ name: String, _ names: [String]) -> [String]? {
      guard let place = names.firstIndex(of: name), place > 0, place + 1 < names.count else {
        return nil
      }
      return [names[place - 1], names[place + 1]]
    }
    let matching = PropertyMatching(from: old, to: new)
    let before = neighbours(
      source.name, old.properties.map { matching.newNames[$0.name] ?? $0.name })
    return before != nil && before == neighbours(candidate.name, new.properties.map(\.name))
      && source.isOptional == candidate.isOptional && source.isIndexed == candidate.isIndexed
      && source.isPrimaryKey == candidate.isPrimaryKey
  }

  /// Returns the new class that may be a removed one under another name, or nil: the only one of
  /// the same shape.
  private static func possibleRename(
    of removed: ClassSchema, _ catalog: Catalog, _ declared: StoreSchema
  ) -> String? {
    let stay = Set(declared.classes.map(\.name)).intersection(catalog.classes.map(\.name))
    let shape = removed.shape(knowing: stay)
    let candidates = declared.classes.filter {
      catalog[$0.name] == nil && $0.isEmbedded == removed.isEmbedded
        && $0.shape(knowing: stay) == shape
    }
    guard candidates.count == 1, let candidate = candidates.first else { return nil }
    let names = literals(candidate.previousNames + [removed.name])
    return "If it is now '\(candidate.name)': @Model(renamedFrom: \(names))."
  }

  /// Logs possible renames.
  ///
  /// - Parameter isAnswered: A closure that returns whether the migration block has handled a removal.
  func logPossibleRenames(path: String, unless isAnswered: (SchemaChange) -> Bool) {
    let logger = Logger(label: "whimbrel.migration")
    for change in changes where change.kind != .impossible {
      guard let line = change.possibleRename, !isAnswered(change.change) else { continue }
      logger.notice("\(change.change) \(line)", metadata: ["path": "\(path)"])
    }
  }
}

extension String {
  /// Returns whether two names may mean the same thing: they differ by a typing error, or share a
  /// word.
  fileprivate func isSimilar(to other: String) -> Bool {
    if Spelling.closest(to: self, among: [other]) != nil { return true }
    let (left, right) = (lowercased(), other.lowercased())
    if min(left.count, right.count) >= 3, left.contains(right) || right.contains(left) {
      return true
    }
    return !words.isDisjoint(with: other.words)
  }

  /// The words of a name as `primaryEmail` or `primary_email`, of at least three letters.
  private var words: Set<String> {
    var words: [String] = [""]
    for character in self {
      if character.isUppercase || !character.isLetter { words.append("") }
      if character.isLetter { words[words.count - 1] += character.lowercased() }
    }
    return Set(words.filter { $0.count >= 3 })
  }
}

extension ClassSchema {
  /// Returns what the properties are, in whatever order. Links to classes that come or go are
  /// considered equal.
  fileprivate func shape(knowing names: Set<String>) -> Set<String> {
    Set(
      properties.map { property in
        let target = property.type.linkedClass ?? ""
        let type =
          names.contains(target) ? property.type : property.type.renamingLinks([target: ""])
        return "\(property.name) \(type) \(property.isOptional) \(property.isPrimaryKey)"
      })
  }
}
