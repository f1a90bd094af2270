/// The draft of a class for a changed schema: the origin of each property of the new shape, and its
/// cost.
package struct ClassDraft {
  /// The class in the file, or nil if it is new.
  package let old: CatalogClass?
  /// The declared class, or nil if the app no longer declares it. Its data then stays as it is.
  package let declared: ClassSchema?
  package let id: ClassID
  private let salt: ChecksumSalt
  package let name: String
  package private(set) var properties: [PropertyDraft]
  private var nextPropertyID: PropertyID
  /// The intermediate names of old properties in a chain of renames.
  private var intermediateNames: [String: PropertyID] = [:]

  /// - Parameters:
  ///   - id: The ID of the class if it is new.
  ///   - salt: The salt of the class if it is new.
  package init(
    old: CatalogClass?, declared: ClassSchema?, id: ClassID, salt: ChecksumSalt = .none
  ) {
    self.old = old
    self.declared = declared
    self.id = old?.id ?? id
    self.salt = old?.salt ?? salt
    name = declared?.name ?? old?.name ?? ""
    nextPropertyID = old?.nextPropertyID ?? PropertyID(rawValue: 1)
    properties = []
    guard let declared else {
      properties = (old?.properties ?? []).map { PropertyDraft(new: $0, old: $0, origin: .kept) }
      return
    }
    let matching = old.map { PropertyMatching(from: $0.schema, to: declared) }
    for schema in declared.properties {
      let oldName = matching?.oldNames[schema.name] ?? schema.name
      let source = old?.properties.first { $0.name == oldName }
      properties.append(
        PropertyDraft(
          schema, from: source, layouts: old?.layouts ?? [], nextID: &nextPropertyID))
    }
  }
}

/// The origin of one property of a class's new shape.
package struct PropertyDraft {
  package var new: CatalogProperty
  /// The old property, or nil if the property is new.
  package var old: CatalogProperty?
  package var origin: Origin
  /// Whether there may be objects to which only a migration's code can give a value.
  package let needsCode: Bool
  /// Whether records tell if the property has been set, so that code can set it later.
  package let isTracked: Bool

  /// The origin of the values.
  package enum Origin: Hashable, Sendable {
    /// The stored values stay. A reader widens them if necessary.
    case kept
    /// Old records read as the fill in the catalog.
    case filled
    /// The old values are converted one by one.
    case converted(Conversion)
    /// Each object gets its own default value, which the model generates.
    case generated
    /// Only the migration's code can give the values.
    case code
  }

  init(new: CatalogProperty, old: CatalogProperty?, origin: Origin) {
    self.new = new
    self.old = old
    self.origin = origin
    needsCode = false
    isTracked = false
  }

  /// - Parameter layouts: The layouts that old records may have.
  init(
    _ schema: PropertySchema, from old: CatalogProperty?, layouts: [RecordLayout],
    nextID: inout PropertyID
  ) {
    func takeID() -> PropertyID {
      defer { nextID = PropertyID(rawValue: nextID.rawValue + 1) }
      return nextID
    }
    let fallback = Self.fallback(schema)
    guard let old else {
      self.old = nil
      switch schema.defaultValue {
      case .generated: origin = .generated
      case .value: origin = .filled
      case .none:
        let needsCode = !schema.isOptional && schema.type.emptyValue == nil
        origin = needsCode ? .code : .filled
      }
      new = CatalogProperty(id: takeID(), schema, fill: fallback, nilFill: fallback)
      needsCode = origin == .code
      isTracked = needsCode
      return
    }
    self.old = old
    let hasBeenCollection = old.type.isCollection && !schema.type.isCollection
    // Old records have nil where the new property must have a value, or no value at all.
    let nilNeedsCode =
      (old.isOptional || hasBeenCollection) && !schema.isOptional && fallback.isNull
      && schema.type != .any
    guard let conversion = Conversion.lossless(from: old.type, to: schema.type) else {
      origin = .code
      needsCode = true
      isTracked = true
      new = CatalogProperty(id: takeID(), schema, fill: .null, nilFill: fallback)
      return
    }
    needsCode = nilNeedsCode
    // The index keys of the new type are different.
    let changesKeys =
      old.type.isInteger != schema.type.isInteger
      && (old.hasIndex || old.isPrimaryKey || schema.isIndexed || schema.isPrimaryKey)
    // Records from before the property was required still have nil, for which readers have seen the
    // default since. It must not become nil again.
    let hidesNil =
      !old.isOptional && schema.isOptional
      && layouts.contains { layout in
        layout.fields.contains { $0.property == old.id && $0.presence != nil }
      }
    // The index has the objects under nil, and they are to have the default.
    let movesNilInIndex =
      old.isOptional && !schema.isOptional && !fallback.isNull && old.hasIndex && schema.isIndexed
    if case .convertedByRewrite = conversion {
      origin = .converted(conversion)
    } else {
      origin = changesKeys || hidesNil || movesNilInIndex ? .converted(conversion) : .kept
    }
    // Values that the new type cannot represent, or that are not cases of the enum, are left to code.
    let mayLeaveUnset = origin != .kept && (conversion.mayFail || schema.cases != nil)
    isTracked = nilNeedsCode || mayLeaveUnset
    guard origin == .kept else {
      // Nil becomes an empty collection, whatever the default is.
      let becomesCollection = !old.type.isCollection && schema.type.isCollection
      let empty = becomesCollection ? schema.type.emptyValue : nil
      new = CatalogProperty(id: takeID(), schema, fill: fallback, nilFill: empty ?? fallback)
      new.source = old.id
      return
    }
    new = old
    new.adopt(schema)
    new.fill = conversion.apply(old.fill) ?? fallback
    new.nilFill = conversion.apply(old.nilFill) ?? fallback
    if old.isOptional, !schema.isOptional {
      new.nilFill = fallback
      if new.fill.isNull { new.fill = fallback }
    }
  }

  /// Returns the substitute for a missing value: the default, or nil.
  private static func fallback(_ schema: PropertySchema) -> PropertyValue {
    if case .value(let value) = schema.defaultValue {
      // Sets are read in order, including those that were never written.
      if case (.set, .list(let values)) = (schema.type, value) {
        return .list(values.sortedAsSet())
      }
      return value
    }
    return schema.type.emptyValue ?? .null
  }
}

// MARK: - What it takes

extension ClassDraft {
  /// Whether every object must be rewritten, with or without code.
  package var requiresRewrite: Bool {
    properties.contains { draft in
      switch draft.origin {
      case .kept, .filled: false
      case .converted, .generated, .code: true
      }
    }
  }

  /// The position of the primary key among the new properties.
  var primaryKeyIndex: Int? { properties.firstIndex { $0.new.isPrimaryKey } }

  /// Whether the primary key is the same property as before, or there was and is none.
  var keepsPrimaryKey: Bool {
    let before = old?.properties.first { $0.isPrimaryKey }
    return before?.id == primaryKeyIndex.map { properties[$0].new.id }
  }

  /// Whether the shape allows the objects' integer primary keys to be their IDs.
  var canBeClustered: Bool {
    guard let index = primaryKeyIndex, properties[index].new.type.isInteger else { return false }
    guard let old else { return true }
    return old.isClustered && keepsPrimaryKey
  }

  /// Returns the layout of the new shape.
  ///
  /// - Parameter isRewritten: Whether a migration writes every object, and records must tell what its code
  ///   has set.
  private func layout(_ id: LayoutID, isRewritten: Bool) -> RecordLayout {
    RecordLayout(
      id: id,
      properties.map { draft in
        RecordFieldRequest(
          property: draft.new.id, type: draft.new.type, isOptional: draft.new.isOptional,
          needsCode: isRewritten && draft.isTracked)
      })
  }

  /// Returns the class for the new catalog.
  ///
  /// - Parameters:
  ///   - isRewritten: Whether all objects are rewritten, into the next generation.
  ///   - keepsOldLayouts: Whether the old layouts are listed, for reading old records, although no record
  ///     of the new generation has them.
  package func entry(isRewritten: Bool, keepsOldLayouts: Bool = false) -> CatalogClass {
    let layouts = old?.layouts ?? []
    let next = old?.nextLayoutID ?? LayoutID(rawValue: 1)
    let generation = old?.nextGeneration ?? Generation(rawValue: 1)
    var entry = CatalogClass(
      id: id, name: name, isEmbedded: declared?.isEmbedded ?? old?.isEmbedded ?? false,
      isDeclared: declared != nil,
      generation: isRewritten ? generation : old?.generation ?? generation,
      nextGeneration: isRewritten || old == nil
        ? Generation(rawValue: generation.rawValue + 1) : generation,
      isClustered: canBeClustered, properties: properties.map(\.new),
      nextPropertyID: nextPropertyID, layouts: [], currentLayout: next, salt: salt)
    if let declared {
      entry.setIndexes(declared.indexes, of: old, isKept: keepsKeys)
    } else if let old {
      (entry.indexes, entry.nextIndexID) = (old.indexes, old.nextIndexID)
      // The objects wait until an app declares the class again.
      if !isRewritten { entry.transition = old.transition }
    }
    let new = layout(next, isRewritten: isRewritten)
    if !isRewritten, let written = old?.writtenLayout, written.hasSameFields(as: new) {
      entry.currentLayout = written.id
      entry.layouts = layouts
    } else {
      entry.layouts = isRewritten && !keepsOldLayouts ? [new] : layouts + [new]
    }
    return entry
  }
}

extension ClassDraft {
  /// Returns whether a property has the same index keys as before.
  private func keepsKeys(_ id: PropertyID) -> Bool {
    guard let property = properties.first(where: { $0.new.id == id }), let old = property.old,
      property.origin == .kept
    else { return false }
    return old.type.isInteger == property.new.type.isInteger
      && (!old.isOptional || property.new.isOptional)
  }

  /// Returns whether an index of several properties, or a unique or full-text index, is rebuilt
  /// because the keys of a property change.
  func rebuildsIndex(of property: PropertyDraft) -> Bool {
    guard let old = property.old, property.origin == .kept, !keepsKeys(property.new.id) else {
      return false
    }
    return self.old?.indexes.contains { $0.properties.contains(old.id) } == true
  }
}

extension RecordLayout {
  /// Returns whether both layouts have the same properties, in whatever order.
  func hasSameFields(as other: RecordLayout) -> Bool {
    func shape(_ field: RecordField) -> String {
      "\(field.property.rawValue) \(field.type) \(field.presence != nil)"
    }
    return Set(fields.map(shape)) == Set(other.fields.map(shape))
  }
}

// MARK: - Renaming

extension ClassDraft {
  /// Renames a property: the new property takes over the values of the old one.
  ///
  /// - Parameter isRewritten: Whether objects have been written in the new shape. Their layout then stays,
  ///   and values are copied.
  /// - Returns: The position of the new property, or nil if nothing is to be copied.
  package mutating func rename(
    from oldName: String, to newName: String, isRewritten: Bool
  ) throws -> Int? {
    func problem(_ problem: StoreError.RenameProblem) -> StoreError {
      StoreError.invalidRename(class: name, from: oldName, to: newName, problem: problem)
    }
    guard let old else { throw problem(.classMissing) }
    guard declared != nil else { throw problem(.classRemoved) }
    if properties.contains(where: { $0.new.name == oldName }) {
      throw problem(.sourceStillDeclared)
    }
    let sourceID = intermediateNames[oldName] ?? old.properties.first { $0.name == oldName }?.id
    guard let source = old.properties.first(where: { $0.id == sourceID }) else {
      throw problem(.sourceMissing)
    }
    let taker = properties.first { $0.old?.id == source.id }
    guard taker == nil || taker?.new.name == newName else { throw problem(.sourceMissing) }
    intermediateNames[oldName] = nil
    guard let position = properties.firstIndex(where: { $0.new.name == newName }) else {
      intermediateNames[newName] = source.id
      return nil
    }
    let target = properties[position].new
    guard let conversion = Conversion.lossless(from: source.type, to: target.type) else {
      throw problem(.typeChanges(from: source.type, to: target.type))
    }
    if properties[position].old?.id == source.id { return nil }
    if isRewritten {
      properties[position].origin = .converted(conversion)
      properties[position].old = source
      properties[position].new.source = source.id
      return position
    }
    var nextID = nextPropertyID
    let declaredProperty = declared?[newName] ?? target.schema
    properties[position] = PropertyDraft(
      declaredProperty, from: source, layouts: old.layouts, nextID: &nextID)
    nextPropertyID = nextID
    return nil
  }

  /// Returns whether a property of the file is kept, under any name.
  func keeps(_ oldName: String) -> Bool {
    properties.contains { $0.old?.name == oldName }
  }

  /// A rename to a name that is not declared, or nil.
  package var unfinishedRename: (from: String, to: String)? {
    guard let (name, id) = intermediateNames.min(by: { $0.key < $1.key }) else { return nil }
    return (old?.properties.first { $0.id == id }?.name ?? name, name)
  }
}

// MARK: - All classes

extension Catalog {
  /// Returns the new names of the classes that a schema renames, by the names in the file.
  func classRenames(to schema: StoreSchema) -> [String: String] {
    schema.classRenames(from: Set(classes.map(\.name)))
  }

  /// Returns the classes of the file that a schema declares, by their names or renamed.
  func classes(declaredIn schema: StoreSchema) -> [CatalogClass] {
    let newNames = classRenames(to: schema)
    return classes.filter { newNames[$0.name] != nil || schema[$0.name] != nil }
  }

  /// Returns the drafts of the classes for a schema: first those of the file, then the new ones.
  ///
  /// - Parameter salt: The salt of the new classes.
  func drafts(for schema: StoreSchema, salt: ChecksumSalt) -> [ClassDraft] {
    let newNames = classRenames(to: schema)
    var drafts = classes.map { entry in
      ClassDraft(
        old: newNames.isEmpty ? entry : entry.renamingLinks(newNames),
        declared: schema[newNames[entry.name] ?? entry.name], id: entry.id)
    }
    let taken = Set(newNames.values)
    var next = nextClassID.rawValue
    for declared in schema.classes
    where self[declared.name] == nil && !taken.contains(declared.name) {
      drafts.append(
        ClassDraft(old: nil, declared: declared, id: ClassID(rawValue: next), salt: salt))
      next += 1
    }
    return drafts
  }
}

extension LoadedCatalog {
  /// Returns the drafts of the file's classes and of new classes for a schema.
  func drafts(for schema: StoreSchema) -> [ClassDraft] {
    catalog.drafts(for: schema, salt: ChecksumSalt(of: header.uuid))
  }
}
