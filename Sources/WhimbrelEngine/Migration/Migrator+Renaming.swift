/// The class renames that a migration's code has asked for.
struct ClassRenames {
  /// The new names, by the names in the file.
  var newNames: [String: String] = [:]
  /// The names in the file, by the intermediate names of classes in a chain of renames.
  var intermediateNames: [String: String] = [:]
}

extension Migrator {
  /// Renames a class of the file to a declared class.
  func renameClass(from oldName: String, to newName: String) throws {
    func problem(_ problem: StoreError.RenameProblem) -> StoreError {
      StoreError.invalidClassRename(from: oldName, to: newName, problem: problem)
    }
    // The rename may also be declared.
    if block.renames.newNames[oldName] == newName { return }
    guard task.declaration.schema[oldName] == nil else { throw problem(.sourceStillDeclared) }
    let original = block.renames.intermediateNames[oldName] ?? oldName
    guard let source = classes.first(where: { $0.old?.name == original }), !hasMoved(original),
      oldName != original || !block.renames.intermediateNames.values.contains(oldName)
    else { throw problem(.sourceMissing) }
    if isTaken(newName) { throw problem(.destinationExists) }
    guard let declared = task.declaration.schema[newName] else {
      block.renames.intermediateNames[oldName] = nil
      block.renames.intermediateNames[newName] = original
      return
    }
    let linking = classes.filter { $0.draft.old?.links(to: original) == true }
    let taker = entry(newName)
    guard !([source, taker].compactMap(\.self) + linking).contains(where: \.isTouched) else {
      throw problem(.tooLate)
    }
    block.renames.intermediateNames[oldName] = nil
    block.renames.newNames[original] = newName
    classes.removeAll { $0 === taker }
    for entry in classes where entry === source || entry.draft.old?.links(to: original) == true {
      try adopt(block.renames.newNames, in: entry, declared: entry === source ? declared : nil)
    }
  }

  /// Replaces the draft of a class.
  ///
  /// - Parameter declared: The new shape, or nil if it stays the same.
  private func adopt(
    _ newNames: [String: String], in entry: ClassRewrite, declared: ClassSchema?
  ) throws {
    let id = entry.draft.id
    guard let old = task.loaded.catalog[id] else { return }
    try entry.adopt(
      ClassDraft(
        old: old.renamingLinks(newNames), declared: declared ?? entry.draft.declared, id: id))
  }

  /// Returns whether a class of the file has another name now, if only in between.
  private func hasMoved(_ name: String) -> Bool { block.renames.newNames[name] != nil }

  /// Returns whether a class of the file has a name, or has got it.
  private func isTaken(_ name: String) -> Bool {
    if block.renames.newNames.values.contains(name) || block.renames.intermediateNames[name] != nil
    {
      return true
    }
    let isLeft = hasMoved(name) || block.renames.intermediateNames.values.contains(name)
    return !isLeft && task.loaded.catalog[name] != nil
  }

  /// Throws if a class was renamed to a name that is not declared.
  func requireFinishedRenames() throws {
    guard let (name, original) = block.renames.intermediateNames.min(by: { $0.key < $1.key }) else {
      return
    }
    throw StoreError.invalidClassRename(
      from: original, to: name, problem: .destinationNotDeclared)
  }

  /// Returns whether the block has said what becomes of what a change removes.
  func isAnswered(_ change: SchemaChange) -> Bool {
    switch change {
    case .propertyRemoved(let className, let property):
      classes.contains { entry in
        entry.name == className
          && (entry.draft.keeps(property) || !entry.draft.hasFreeProperty(like: property))
      }
    case .classRemoved(let className):
      hasMoved(className)
        || classes.contains { $0.old?.name == className && ($0.isDropped || $0.trace.isEnumerated) }
    default:
      false
    }
  }

  /// The sentences of the history about the changes.
  var changeSentences: [String] { plannedChanges.map(\.description) }

  private var plannedChanges: [SchemaChange] {
    if schemaWithRenames == task.declaration.schema { return plan.changes.map(\.change) }
    let difference = SchemaDifference(from: task.loaded.catalog.schema, to: schemaWithRenames)
    return MigrationPlan.changes(difference, task.loaded.catalog, schemaWithRenames)
  }

  /// Returns the plan as if the block's renames were declared.
  func planWithRenames() throws -> MigrationPlan {
    if schemaWithRenames == task.declaration.schema { return plan }
    var renamed = try MigrationPlan(
      task.file, Declaration(schemaWithRenames, generators: task.declaration.generators),
      version: task.newVersion)
    renamed.remainingSteps = plan.remainingSteps
    renamed.onlineObstacles = plan.onlineObstacles
    return renamed
  }

  /// The declared schema, with the names in the file as previous names of classes and properties.
  var declaredSchemaWithRenames: StoreSchema {
    let oldNames = Dictionary(keepingFirst: block.renames.newNames.map { ($1, $0) })
    return StoreSchema(
      classes: task.declaration.schema.classes.map { declared in
        guard let entry = entry(declared.name) else { return declared }
        let properties = declared.properties.map { property in
          let draft = entry.draft.properties.first { $0.new.name == property.name }
          guard let old = draft?.old, old.name != property.name else { return property }
          var property = property
          property.previousNames = [old.name]
          return property
        }
        return ClassSchema(
          name: declared.name, isEmbedded: declared.isEmbedded, properties: properties,
          indexes: declared.indexes,
          previousNames: oldNames[declared.name].map { [$0] } ?? declared.previousNames)
      })
  }
}

extension ClassDraft {
  /// Returns whether a property is new that an old one may be now: nothing gives it values but its
  /// default. What the block must set, it sets.
  fileprivate func hasFreeProperty(like oldName: String) -> Bool {
    guard let type = old?.properties.first(where: { $0.name == oldName })?.type else {
      return false
    }
    return properties.contains {
      $0.old == nil && $0.new.type == type && $0.origin != .code
    }
  }
}

extension CatalogClass {
  /// Returns whether a property leads to a class.
  fileprivate func links(to name: String) -> Bool {
    properties.contains { $0.type.linkedClass == name }
  }

  /// Returns the class with links that lead to classes of other names, which are the same
  /// classes.
  package func renamingLinks(_ newNames: [String: String]) -> CatalogClass {
    var result = self
    for index in properties.indices {
      result.properties[index].type = properties[index].type.renamingLinks(newNames)
    }
    result.layouts = layouts.map { layout in
      RecordLayout(
        id: layout.id,
        fields: layout.fields.map { field in
          RecordField(
            property: field.property, type: field.type.renamingLinks(newNames),
            slot: field.slot, presence: field.presence, assigned: field.assigned)
        }, fixedSize: layout.fixedSize)
    }
    return result
  }
}

extension PropertyType {
  func renamingLinks(_ newNames: [String: String]) -> PropertyType {
    switch self {
    case .link(let name): .link(to: newNames[name] ?? name)
    case .list(let element): .list(of: element.renamingLinks(newNames))
    case .set(let element): .set(of: element.renamingLinks(newNames))
    case .map(let element): .map(of: element.renamingLinks(newNames))
    default: self
    }
  }
}

extension ElementType {
  fileprivate func renamingLinks(_ newNames: [String: String]) -> ElementType {
    ElementType(type.renamingLinks(newNames), isOptional: isOptional)
  }
}
