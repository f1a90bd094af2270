package import WhimbrelLMDB

/// The shapes in which objects of a class may still be stored, while a transition converts them one
/// by one to the class's shape.
package struct ClassTransition: Hashable, Sendable, Codable {
  /// The past shapes, oldest first. Objects of one shape are converted to the next one, and objects
  /// of the last one to the class's shape. A rule that leads to the class as the app declares it
  /// converts objects directly to the class's shape: see ``PastShape/leading(to:over:)``.
  package var shapes: [PastShape]
  /// The properties whose indexes lack the objects that are not yet converted.
  package var buildingProperties: [PropertyID]
  /// The compound, unique and full-text indexes that lack these objects.
  package var buildingIndexes: [IndexID]
}

/// A shape that the objects of a class had.
package struct PastShape: Hashable, Sendable, Codable {
  /// The schema version of the shape.
  package let version: SchemaVersion
  /// The name that the class had.
  package let name: String
  /// The properties, with the names that their linked classes had.
  package let properties: [CatalogProperty]
  /// The classes that the properties link to, whatever their current names are.
  package let targets: [Target]
  /// The layouts of the records that have this shape.
  package let layouts: [LayoutID]
  /// The properties of the next shape whose values are stored under another ID in this one.
  package let sources: [Source]
  /// The properties of the next shape whose values only a rule can determine.
  package let decided: [Source]
  /// Whether a rule converts the objects to the next shape.
  package let hasRule: Bool

  /// A property of the next shape, and its counterpart in this shape.
  package struct Source: Hashable, Sendable, Codable {
    package let property: PropertyID
    /// Nil if the property is new.
    package let old: PropertyID?
  }

  /// The class that a property links to.
  package struct Target: Hashable, Sendable, Codable {
    package let property: PropertyID
    package let linked: ClassID
  }
}

extension PastShape {
  /// Returns the shape as if its objects were converted directly to the class's shape. Properties
  /// that were renamed, converted or decided by a rule several times are traced back to this shape.
  ///
  /// - Parameter later: The shapes between.
  func leading(to entry: CatalogClass, over later: ArraySlice<PastShape>) -> PastShape {
    if later.isEmpty { return self }
    let shapes: [PastShape] = [self] + later
    var (sources, decided): ([Source], [Source]) = ([], [])
    for property in entry.properties {
      var old: PropertyID? = property.id
      var isDecided = false
      for shape in shapes.reversed() {
        guard let next = old else { break }
        if let source = shape.decided.first(where: { $0.property == next }) {
          old = source.old
          isDecided = true
        } else if let source = shape.sources.first(where: { $0.property == next }) {
          old = source.old
        } else if !shape.properties.contains(where: { $0.id == next }) {
          old = nil
        }
      }
      let source = Source(property: property.id, old: old)
      if isDecided {
        decided.append(source)
      } else if old != nil, old != property.id {
        sources.append(source)
      }
    }
    return PastShape(
      version: version, name: name, properties: properties, targets: targets, layouts: layouts,
      sources: sources, decided: decided, hasRule: hasRule)
  }
}

extension CatalogClass {
  /// The layouts of records that are not yet converted.
  package var staleLayouts: [LayoutID] { transition?.shapes.flatMap(\.layouts) ?? [] }

  /// Returns the past shape of a record, or nil if it has the class's shape.
  package func pastShape(of record: PageBytes) -> PastShape? {
    transition?.shapes.first { $0.layouts.contains(record.layoutID) }
  }

  /// Returns the class as it was in a past shape, without indexes.
  package func past(_ shape: PastShape) -> CatalogClass {
    var entry = self
    entry.name = shape.name
    entry.properties = shape.properties
    entry.indexes = []
    entry.transition = nil
    entry.layouts = layouts.filter { shape.layouts.contains($0.id) }
    if let last = entry.layouts.last { entry.currentLayout = last.id }
    return entry
  }

  /// The first problem of the transition, or nil.
  var transitionProblem: String? {
    guard let transition else { return nil }
    let stale = staleLayouts
    let known = Set(layouts.map(\.id))
    if transition.shapes.isEmpty || Set(stale).count != stale.count || !known.isSuperset(of: stale)
      || stale.contains(currentLayout) || transition.shapes.contains(where: \.layouts.isEmpty)
    {
      return "the transition of class '\(name)' has invalid layouts"
    }
    for (place, shape) in transition.shapes.enumerated() {
      let next =
        place + 1 < transition.shapes.count
        ? transition.shapes[place + 1].properties : properties
      let (own, later) = (Set(shape.properties.map(\.id)), Set(next.map(\.id)))
      let isKnown = (shape.sources + shape.decided).allSatisfy { source in
        later.contains(source.property) && source.old.map(own.contains) ?? true
      }
      let ids = shape.properties.map(\.id)
      if !isKnown || Set(ids).count != ids.count
        || ids.contains(where: { $0.rawValue >= nextPropertyID.rawValue })
      {
        return "the transition of class '\(name)' has invalid properties"
      }
    }
    return nil
  }
}

extension Catalog {
  /// Whether objects of any class are not yet converted.
  package var isInTransition: Bool { classes.contains { $0.transition != nil } }

  /// Returns whether objects of a class that a schema declares are not yet converted.
  func isInTransition(for schema: StoreSchema) -> Bool {
    classes.contains { $0.transition != nil && schema[$0.name] != nil }
  }

  /// Returns whether objects of a class that a schema declares are still to be converted by rules.
  func needsRules(for schema: StoreSchema) -> Bool {
    classes.contains { entry in
      schema[entry.name] != nil && entry.transition?.shapes.contains { $0.hasRule } == true
    }
  }
}
