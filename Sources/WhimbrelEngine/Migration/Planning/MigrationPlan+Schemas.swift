extension MigrationPlan {
  /// Makes a plan of the changes between two schemas, without a file: as if every class had objects
  /// and the version were higher. It does not count objects.
  ///
  /// The outcome for objects whose class becomes embedded depends on the file and is not
  /// determined.
  package init(ofClassesWithObjectsFrom old: Catalog, to new: StoreSchema) {
    (fromVersion, toVersion) = (0, 1)
    let drafts = old.drafts(for: new, salt: .none)
    let difference = SchemaDifference(from: old.schema, to: new)
    changes = Self.changes(difference, old, new).map { change in
      let draft = drafts.first { $0.name == change.className }
      let (kind, note) = Self.kind(
        of: change, draft, draft?.old == nil ? 0 : 1, EmbeddedOutcome(), old)
      return Change(
        change: change, kind: kind, objects: 0, bytes: 0, note: note,
        possibleRename: Self.possibleRename(change, old, new), deleted: 0, copied: 0,
        circular: 0, references: 0)
    }
  }

  /// Returns all changes, including those of classes that are declared again.
  static func changes(
    _ difference: SchemaDifference, _ old: Catalog, _ new: StoreSchema
  ) -> [SchemaChange] {
    let oldNames = Dictionary(keepingFirst: old.classRenames(to: new).map { ($1, $0) })
    return difference.changes.flatMap { change -> [SchemaChange] in
      guard case .classAdded(let name) = change, let new = new[name] else { return [change] }
      guard let entry = old[oldNames[name] ?? name] else { return [change] }
      // A class that is declared again may have changed, and have a new name.
      let changes = SchemaDifference(
        from: StoreSchema(classes: [entry.schema]), to: StoreSchema(classes: [new])
      ).changes
      return (oldNames[name] == nil ? [change] : []) + changes
    }
  }
}
