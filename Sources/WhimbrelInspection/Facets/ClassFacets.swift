internal import WhimbrelEngine

/// The facets that the objects of a class can show, numbered, and what finds them in values.
struct ClassFacets {
  let className: String
  private(set) var facets: [Facet] = []
  /// Whether a set of sample stores should show each: see ``SchemaCoverage``.
  private(set) var isExpected: [Bool] = []
  /// By the position of the property; nil for those that are left out.
  private(set) var probes: [PropertyProbe?] = []
  private(set) var layouts: [LayoutID: Int] = [:]
  /// For facets that an object shows only as long as its links lead somewhere: the position of
  /// the property.
  private(set) var linkPositions: [Int: Int] = [:]

  /// Numbers of the facets of the class itself.
  static let noObjects = 0
  static let oneObject = 1
  static let manyObjects = 2

  var count: Int { facets.count }

  /// - Parameters:
  ///   - layouts: those that records may have.
  ///   - embedded: the names of the embedded classes.
  ///   - dropped: properties that are left out.
  init(
    _ name: String, _ properties: [PropertySchema], layouts: [LayoutID] = [],
    embedded: Set<String>, dropped: Set<String> = []
  ) {
    className = name
    add(.noObjects, .ifPresent)
    add(.oneObject, .ifPresent)
    add(.manyObjects, .always)
    for layout in layouts {
      self.layouts[layout] = add(.layout(Int(layout.rawValue)), .ifPresent)
    }
    for (position, property) in properties.enumerated() {
      guard !dropped.contains(property.name) else {
        probes.append(nil)
        continue
      }
      let isOwning = property.type.linkedClass.map(embedded.contains) ?? false
      var builder = FacetBuilder(facets: self, property: property, position: position)
      let probe = PropertyProbe(property, isOwning: isOwning, &builder)
      self = builder.facets
      probes.append(probe)
    }
  }

  /// Whether sample stores should show a facet, or may.
  enum Expectation {
    case always, ifPresent
  }

  @discardableResult
  fileprivate mutating func add(
    _ kind: Facet.Kind, _ expectation: Expectation, property: String? = nil
  ) -> Int {
    facets.append(Facet(className: className, property: property, kind: kind))
    isExpected.append(expectation == .always)
    return facets.count - 1
  }

  fileprivate mutating func setLinkPosition(_ position: Int, of number: Int) {
    linkPositions[number] = position
  }
}

/// Numbers the facets of a property.
struct FacetBuilder {
  fileprivate(set) var facets: ClassFacets
  let property: PropertySchema
  let position: Int

  /// Adds a facet, and returns its number. A primary key is expected to show nothing.
  mutating func add(_ kind: Facet.Kind, _ expectation: ClassFacets.Expectation = .always) -> Int {
    facets.add(kind, property.isPrimaryKey ? .ifPresent : expectation, property: property.name)
  }

  /// Adds a facet that an object shows only as long as its links lead somewhere.
  mutating func add(
    ofLinks kind: Facet.Kind, _ expectation: ClassFacets.Expectation = .always
  ) -> Int {
    let number = add(kind, expectation)
    facets.setLinkPosition(position, of: number)
    return number
  }
}
