/// The view of a file for an app that declares a slightly different schema. The app opened the file
/// read-only, or another app has changed the schema since.
extension LoadedCatalog {
  /// Returns the catalog as an app sees it.
  ///
  /// - The properties that the app declares come first, in its order, because models find them by
  ///   position. The properties that only the file has follow, so that writes keep them.
  /// - A class that only the app has is present without tables and reads as empty. A property that
  ///   only the app has reads as its default.
  /// - Indexes, keys and the defaults of new objects are those of the file.
  package func shown(to declaration: Declaration) -> LoadedCatalog {
    // Invariant: a file's fingerprint is that of the schema in its catalog.
    if header.fingerprint == declaration.fingerprint { return self }
    var catalog = self.catalog
    let newNames = catalog.classRenames(to: declaration.schema)
    if !newNames.isEmpty {
      catalog.classes = catalog.classes.map { entry in
        var entry = entry.renamingLinks(newNames)
        entry.name = newNames[entry.name] ?? entry.name
        return entry
      }
    }
    var nextID = catalog.nextClassID.rawValue
    for declared in declaration.schema.classes {
      if let position = catalog.classes.firstIndex(where: { $0.name == declared.name }) {
        catalog.classes[position].arrange(for: declared)
      } else {
        let draft = ClassDraft(old: nil, declared: declared, id: ClassID(rawValue: nextID))
        var entry = draft.entry(isRewritten: false)
        entry.isMissing = true
        catalog.classes.append(entry)
        nextID += 1
      }
    }
    return LoadedCatalog(catalog, header)
  }

  /// Returns the changes from the file's classes to those an app declares, and their tolerances.
  package func gaps(to declaration: Declaration) -> [SchemaGap] {
    if header.fingerprint == declaration.fingerprint { return [] }
    let newNames = catalog.classRenames(to: declaration.schema)
    // Classes that the app does not declare do not concern it.
    let known = catalog.classes(declaredIn: declaration.schema)
    let difference = SchemaDifference(
      from: StoreSchema(classes: known.map(\.schema)), to: declaration.schema)
    return difference.changes.map { change in
      var entry = known.first { (newNames[$0.name] ?? $0.name) == change.className }
      entry = entry.map { $0.renamingLinks(newNames) }
      entry?.name = change.className
      let tolerance = entry?.tolerance(of: change, to: declaration.schema) ?? .always
      return SchemaGap(change: change, tolerance: tolerance)
    }
  }
}

/// A change that would bring a file to the schema that an app declares.
package struct SchemaGap: Hashable, Sendable {
  package let change: SchemaChange
  package let tolerance: Tolerance

  /// The apps that can use the file without the change.
  package enum Tolerance: Hashable, Sendable {
    case always
    /// Apps that only read.
    case reading
    /// Apps that only read, unless a migration block would run.
    case readingWithoutCode
    case never
  }

  /// Returns whether a read-only app can open the file without the change.
  ///
  /// - Parameter runsCode: Whether opening the file for writing would run a migration block.
  func isTolerableInReading(runsCode: Bool) -> Bool {
    switch tolerance {
    case .always, .reading: true
    case .readingWithoutCode: !runsCode
    case .never: false
    }
  }
}

extension CatalogClass {
  /// Moves the properties that an app declares to the front, in its order.
  fileprivate mutating func arrange(for declared: ClassSchema) {
    let draft = ClassDraft(old: self, declared: declared, id: id)
    let known = draft.properties.map { draft in
      var property = draft.new
      property.isIndexed = draft.old?.isIndexed ?? false
      property.isPrimaryKey = draft.old?.isPrimaryKey ?? false
      if let old = draft.old { property.defaultValue = old.defaultValue }
      property.scope = draft.old == nil ? .appOnly : .shared
      return property
    }
    let ids = Set(draft.properties.compactMap { $0.old?.id })
    properties =
      known
      + properties.filter { !ids.contains($0.id) }.map { property in
        var property = property
        property.scope = .fileOnly
        return property
      }
  }

  /// Returns the apps that can use the file without a change.
  ///
  /// - Added or removed classes, removed properties, indexes, defaults and the order do not matter:
  ///   ``LoadedCatalog/shown(to:)`` bridges them.
  /// - A file with fewer cases than the app, or with another embedding, is safe to read but not to
  ///   write.
  /// - A renamed class, or a property whose stored values already read as declared, is safe to read
  ///   unless a migration block would run.
  /// - A changed primary key is never tolerable, because lookups depend on it.
  fileprivate func tolerance(
    of change: SchemaChange, to schema: StoreSchema
  ) -> SchemaGap.Tolerance {
    switch change {
    case .classAdded, .classRemoved, .propertyRemoved, .indexAdded, .indexRemoved,
      .classIndexAdded, .classIndexRemoved, .defaultChanged, .reordered:
      return .always
    case .casesChanged(_, let property):
      return acceptsCases(of: property, in: schema) ? .always : .reading
    case .embeddingChanged: return .reading
    case .classRenamed: return .readingWithoutCode
    case .propertyAdded(_, let property), .propertyRenamed(_, _, let property),
      .propertyRetyped(_, let property, _, _), .madeOptional(_, let property),
      .madeRequired(_, let property):
      return readsAsDeclared(property, in: schema) ? .readingWithoutCode : .never
    case .primaryKeyAdded, .primaryKeyRemoved, .primaryKeyChanged: return .never
    }
  }

  /// Returns whether the file accepts every case of an enum that the app may write.
  private func acceptsCases(of name: String, in schema: StoreSchema) -> Bool {
    guard let property = properties.first(where: { $0.name == name }), let cases = property.cases
    else { return true }
    guard let declared = schema[self.name]?[name]?.cases else { return false }
    return Set(declared).isSubset(of: cases)
  }

  /// Returns whether the present records and indexes give the values that an app declares.
  private func readsAsDeclared(_ name: String, in schema: StoreSchema) -> Bool {
    guard let declared = schema[self.name] else { return false }
    let draft = ClassDraft(old: self, declared: declared, id: id)
    guard let property = draft.properties.first(where: { $0.new.name == name }),
      property.origin == .kept || property.origin == .filled, !property.needsCode
    else { return false }
    guard let old = property.old else { return true }
    // With another type or optionality, the keys of an index would differ.
    let isSame = old.type == property.new.type && old.isOptional == property.new.isOptional
    return isSame || !old.hasIndex && !indexes.contains { $0.properties.contains(old.id) }
  }
}
