/// The draft of a class for a changed schema: where each property of the
/// new shape comes from, and what that costs.
package struct ClassDraft {
  /// The class in the file, or nil when it is new.
  package let old: CatalogClass?
  /// The class as the code declares it, or nil when it no longer does; its data
  /// is then kept as it is.
  package let declared: ClassSchema?
  package let id: ClassID
  private let salt: ChecksumSalt
  package let name: String
  package private(set) var properties: [PropertyDraft]
  private var nextPropertyID: PropertyID
  /// Names that old properties have in between, in the course of a chain of
  /// renames.
  private var intermediateNames: [String: PropertyID] = [:]

  /// - Parameters:
  ///   - id: the ID of the class if it is new.
  ///   - salt: the salt of the class if it is new.
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
  /// The property that it was, or nil when it is new.
  package var old: CatalogProperty?
  package var origin: Origin
  /// Whether there are objects that only a migration's code can give a value, or may be.
  package let needsCode: Bool
  /// Whether records say if the property has a value: code can set what has none.
  package let isTracked: Bool

  /// The origin of the values.
  package enum Origin: Hashable, Sendable {
    /// The stored values stay; a reader widens them if need be.
    case kept
    /// Old records have the fill that the catalog says.
    case filled
    /// The old values are converted, one by one.
    case converted(Conversion)
    /// Each object gets a default value of its own, which the model makes.
    case generated
    /// Only the migration's code can say.
    case code
  }

  init(new: CatalogProperty, old: CatalogProperty?, origin: Origin) {
    self.new = new
    self.old = old
    self.origin = origin
    needsCode = false
    isTracked = false
  }

  /// - Parameter layouts: the layouts that old records may have.
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
    // Nil values of old records would stand where none may, or nothing at all.
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
    // The keys of an index would not be those of the new type.
    let changesKeys =
      old.type.isInteger != schema.type.isInteger
      && (old.hasIndex || old.isPrimaryKey || schema.isIndexed || schema.isPrimaryKey)
    // Records from before the property was required still say nil, where readers
    // have seen the default since: it must not be nil again.
    let hidesNil =
      !old.isOptional && schema.isOptional
      && layouts.contains { layout in
        layout.fields.contains { $0.property == old.id && $0.presence != nil }
      }
    // The index has them under nil, where objects are to have the default.
    let movesNilInIndex =
      old.isOptional && !schema.isOptional && !fallback.isNull && old.hasIndex && schema.isIndexed
    if case .convertedByRewrite = conversion {
      origin = .converted(conversion)
    } else {
      origin = changesKeys || hidesNil || movesNilInIndex ? .converted(conversion) : .kept
    }
    // Values that have no counterpart, or are no case of the enum, are left to code.
    let mayLeaveUnset = origin != .kept && (conversion.mayFail || schema.cases != nil)
    isTracked = nilNeedsCode || mayLeaveUnset
    guard origin == .kept else {
      // What was nil becomes a collection without elements, whatever its default.
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
      // Sets are read in their order, also those that were never written.
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
  /// Whether every object has to be written anew, code or not.
  package var requiresRewrite: Bool {
    properties.contains { draft in
      switch draft.origin {
      case .kept, .filled: false
      case .converted, .generated, .code: true
      }
    }
  }

  /// Where the primary key stands among the new properties.
  var primaryKeyIndex: Int? { properties.firstIndex { $0.new.isPrimaryKey } }

  /// Whether the primary key is the same property as before, or as absent.
  var keepsPrimaryKey: Bool {
    let before = old?.properties.first { $0.isPrimaryKey }
    return before?.id == primaryKeyIndex.map { properties[$0].new.id }
  }

  /// Whether the objects may stand under their integer primary keys, as far as
  /// their shape goes.
  var canBeClustered: Bool {
    guard let index = primaryKeyIndex, properties[index].new.type.isInteger else { return false }
    guard let old else { return true }
    return old.isClustered && keepsPrimaryKey
  }

  /// Returns the layout of the new shape.
  ///
  /// - Parameter isRewritten: whether a migration writes every object, and has to
  ///   keep in mind what its code has set.
  private func layout(_ id: LayoutID, isRewritten: Bool) -> RecordLayout {
    RecordLayout(
      id: id,
      properties.map { draft in
        RecordFieldRequest(
          property: draft.new.id, type: draft.new.type, isOptional: draft.new.isOptional,
          needsCode: isRewritten && draft.isTracked)
      })
  }

  /// Returns the class as the catalog is to have it.
  ///
  /// - Parameters:
  ///   - isRewritten: whether all objects are written anew, into the next
  ///     generation.
  ///   - keepsOldLayouts: whether the old layouts are listed although no record of
  ///     the new generation has them, to read old records by.
  package func entry(isRewritten: Bool, keepsOldLayouts: Bool = false) -> CatalogClass {
    let layouts = old?.layouts ?? []
    let next = LayoutID(rawValue: (layouts.map(\.id.rawValue).max() ?? 0) + 1)
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
  /// Returns whether the keys that a property has in an index are those of before.
  private func keepsKeys(_ id: PropertyID) -> Bool {
    guard let property = properties.first(where: { $0.new.id == id }), let old = property.old,
      property.origin == .kept
    else { return false }
    return old.type.isInteger == property.new.type.isInteger
      && (!old.isOptional || property.new.isOptional)
  }

  /// Returns whether an index that the file has of several properties, or a unique or full-text
  /// one, is built anew as the keys of a property change.
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
  /// Moves a name: the new property takes over the old one's values.
  ///
  /// - Parameter isRewritten: whether objects have been written in the new shape
  ///   already: their layout then stays, and values are copied.
  /// - Returns: the position of the new property, or nil when nothing is to be
  ///   copied.
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

  /// Returns whether a property of the file lives on, under whatever name.
  func keeps(_ oldName: String) -> Bool {
    properties.contains { $0.old?.name == oldName }
  }

  /// A rename that was left in between, or nil.
  package var unfinishedRename: (from: String, to: String)? {
    guard let (name, id) = intermediateNames.min(by: { $0.key < $1.key }) else { return nil }
    return (old?.properties.first { $0.id == id }?.name ?? name, name)
  }
}

// MARK: - All classes

extension Catalog {
  /// Returns the new names by those in the file, of the classes that a schema says were renamed.
  func classRenames(to schema: StoreSchema) -> [String: String] {
    schema.classRenames(from: Set(classes.map(\.name)))
  }

  /// Returns the drafts of the classes for a schema: those of the file first, then the
  /// new ones.
  ///
  /// - Parameter salt: the salt of the new ones.
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
  /// Returns the drafts of the file's classes for a schema, and of those that it adds.
  func drafts(for schema: StoreSchema) -> [ClassDraft] {
    catalog.drafts(for: schema, salt: ChecksumSalt(of: header.uuid))
  }
}
