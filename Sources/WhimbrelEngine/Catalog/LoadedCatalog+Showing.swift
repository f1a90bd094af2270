/// How an app sees a file whose schema is not quite the one that it declares: it opened the file
/// read-only, or another app has changed the schema since.
extension LoadedCatalog {
  /// The catalog as an app sees it.
  ///
  /// - The properties that the app declares come first, in its order: models find them by their
  ///   positions. Those that only the file has follow, so that writes keep them.
  /// - A class that only the app has is there without tables, and reads as empty. A property that
  ///   only the app has reads as its default.
  /// - Indexes, keys and new objects' defaults are those of the file.
  package func shown(to declaration: Declaration) -> LoadedCatalog {
    // Invariant: the fingerprint of a file is that of the schema that its catalog has.
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

  /// What leads from the file's classes to those that an app declares, and who can do without it.
  package func gaps(to declaration: Declaration) -> [SchemaGap] {
    if header.fingerprint == declaration.fingerprint { return [] }
    let newNames = catalog.classRenames(to: declaration.schema)
    // What the app does not declare is no concern of its.
    let known = catalog.classes.filter {
      newNames[$0.name] != nil || declaration.schema[$0.name] != nil
    }
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

  /// Who can use the file without the change.
  package enum Tolerance: Hashable, Sendable {
    case always
    /// Who only reads.
    case reading
    /// Who only reads, unless a migration block would have its say.
    case readingWithoutCode
    case never
  }

  /// Whether an app that only reads can open the file without the change.
  ///
  /// - Parameter runsCode: whether a migration block would run if the file were opened for
  ///   writing.
  func isTolerableInReading(runsCode: Bool) -> Bool {
    switch tolerance {
    case .always, .reading: true
    case .readingWithoutCode: !runsCode
    case .never: false
    }
  }
}

extension CatalogClass {
  /// Puts the properties that an app declares in front, as it declares them.
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

  /// Whether the file takes every case of an enum that an app may write.
  private func acceptsCases(of name: String, in schema: StoreSchema) -> Bool {
    guard let property = properties.first(where: { $0.name == name }), let cases = property.cases
    else { return true }
    guard let declared = schema[self.name]?[name]?.cases else { return false }
    return Set(declared).isSubset(of: cases)
  }

  /// Whether records and indexes as they are give what an app declares.
  private func readsAsDeclared(_ name: String, in schema: StoreSchema) -> Bool {
    guard let declared = schema[self.name] else { return false }
    let draft = ClassDraft(old: self, declared: declared, id: id)
    guard let property = draft.properties.first(where: { $0.new.name == name }),
      property.origin == .kept || property.origin == .filled, !property.needsCode
    else { return false }
    guard let old = property.old else { return true }
    // The keys of an index may be those of other values.
    let isSame = old.type == property.new.type && old.isOptional == property.new.isOptional
    return isSame || !old.hasIndex && !indexes.contains { $0.properties.contains(old.id) }
  }
}
