internal import WhimbrelEngine

/// The numbered facets that the objects of a class can show, and the probes that find them.
struct ClassFacets {
  let className: String
  let facets: [Facet]
  /// Whether a set of sample stores should show each facet: see ``SchemaCoverage``.
  let isExpected: [Bool]
  /// The probe of each property by its position; nil for properties that are left out.
  let probes: [PropertyProbe?]
  /// The number of the facet of each layout.
  let layouts: [LayoutID: Int]
  /// The probes of the properties of objects that are not yet converted, by their layouts; nil for
  /// links, which rules do not see.
  let past: [LayoutID: [PropertyProbe?]]
  /// The positions of the properties of facets that depend on link targets. An object shows these
  /// facets only while its links lead to an object of the store.
  let linkPositions: [Int: Int]

  /// The numbers of the facets of the class itself.
  static let noObjects = 0
  static let oneObject = 1
  static let manyObjects = 2

  var count: Int { facets.count }

  /// A shape that objects have which are not yet converted.
  struct PastShape {
    let version: SchemaVersion
    let layouts: [LayoutID]
    let properties: [PropertySchema]
  }

  /// - Parameters:
  ///   - layouts: The layouts that records may have.
  ///   - past: The shapes of objects that are not yet converted.
  ///   - embedded: The names of the embedded classes.
  ///   - dropped: The properties that are left out.
  init(
    _ name: String, _ properties: [PropertySchema], layouts: [LayoutID] = [],
    past: [PastShape] = [], embedded: Set<String>, dropped: Set<String> = []
  ) {
    var builder = FacetBuilder(name)
    _ = builder.add(.noObjects, .ifPresent)
    _ = builder.add(.oneObject, .ifPresent)
    _ = builder.add(.manyObjects)
    var layoutNumbers: [LayoutID: Int] = [:]
    for layout in layouts {
      layoutNumbers[layout] = builder.add(.layout(Int(layout.rawValue)), .ifPresent)
    }
    probes = properties.enumerated().map { position, property in
      guard !dropped.contains(property.name) else { return nil }
      let isOwning = property.type.linkedClass.map(embedded.contains) ?? false
      builder.begin(property, at: position)
      return PropertyProbe(property, isOwning: isOwning, &builder)
    }
    var pastProbes: [LayoutID: [PropertyProbe?]] = [:]
    for shape in past {
      let probes = shape.properties.map { property -> PropertyProbe? in
        // Links may be cut, and a rule does not see their targets.
        guard property.type.linkedClass == nil else { return nil }
        builder.begin(property, of: shape.version)
        return PropertyProbe(property, isOwning: false, &builder)
      }
      for layout in shape.layouts { pastProbes[layout] = probes }
    }
    self.past = pastProbes
    className = name
    facets = builder.facets
    isExpected = builder.isExpected
    linkPositions = builder.linkPositions
    self.layouts = layoutNumbers
  }
}

/// A builder that numbers the facets of a class.
struct FacetBuilder {
  private let className: String
  private(set) var facets: [Facet] = []
  private(set) var isExpected: [Bool] = []
  private(set) var linkPositions: [Int: Int] = [:]
  private var property: PropertySchema?
  private var position: Int?
  private var version: SchemaVersion?

  /// An expectation of sample stores: they should show a facet, or may show it.
  enum Expectation {
    case always, ifPresent
  }

  init(_ className: String) { self.className = className }

  /// Begins the facets of a property.
  mutating func begin(_ property: PropertySchema, at position: Int) {
    self.property = property
    self.position = position
  }

  /// Begins the facets of a property of objects that are not yet converted. Their links show none.
  mutating func begin(_ property: PropertySchema, of version: SchemaVersion) {
    self.property = property
    self.version = version
    position = nil
  }

  /// Whether the property has facets of links.
  var hasLinkFacets: Bool { position != nil }

  /// Adds a facet and returns its number. Facets of a primary key are never expected.
  mutating func add(_ kind: Facet.Kind, _ expectation: Expectation = .always) -> Int {
    let facet = Facet(
      className: className, property: property?.name, version: version, kind: kind)
    facets.append(facet)
    let isOfNoUse = property?.isPrimaryKey ?? false || version != nil || facet.isRelative
    isExpected.append(expectation == .always && !isOfNoUse)
    return facets.count - 1
  }

  /// Adds a facet that an object shows only while its links lead to an object of the store.
  mutating func add(ofLinks kind: Facet.Kind, _ expectation: Expectation = .always) -> Int {
    let number = add(kind, expectation)
    if let position { linkPositions[number] = position }
    return number
  }
}
