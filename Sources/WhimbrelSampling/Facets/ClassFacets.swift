internal import WhimbrelEngine

/// The facets that the objects of a class can show, numbered, and what finds them in values.
struct ClassFacets {
  let className: String
  let facets: [Facet]
  /// Whether a set of sample stores should show each: see ``SchemaCoverage``.
  let isExpected: [Bool]
  /// By the position of the property; nil for those that are left out.
  let probes: [PropertyProbe?]
  /// The facets of layouts.
  let layouts: [LayoutID: Int]
  /// For facets that an object shows only as long as its links lead somewhere: the position of
  /// the property.
  let linkPositions: [Int: Int]

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
    className = name
    facets = builder.facets
    isExpected = builder.isExpected
    linkPositions = builder.linkPositions
    self.layouts = layoutNumbers
  }
}

/// Numbers the facets of a class.
struct FacetBuilder {
  private let className: String
  private(set) var facets: [Facet] = []
  private(set) var isExpected: [Bool] = []
  private(set) var linkPositions: [Int: Int] = [:]
  private var property: PropertySchema?
  private var position = 0

  /// Whether sample stores should show a facet, or may.
  enum Expectation {
    case always, ifPresent
  }

  init(_ className: String) { self.className = className }

  /// Begins with the facets of a property.
  mutating func begin(_ property: PropertySchema, at position: Int) {
    self.property = property
    self.position = position
  }

  /// Adds a facet, and returns its number. Nothing special is expected of a primary key.
  mutating func add(_ kind: Facet.Kind, _ expectation: Expectation = .always) -> Int {
    let facet = Facet(className: className, property: property?.name, kind: kind)
    facets.append(facet)
    let isKey = property?.isPrimaryKey ?? false
    isExpected.append(expectation == .always && !isKey && !facet.isRelative)
    return facets.count - 1
  }

  /// Adds a facet that an object shows only as long as its links lead somewhere.
  mutating func add(ofLinks kind: Facet.Kind, _ expectation: Expectation = .always) -> Int {
    let number = add(kind, expectation)
    linkPositions[number] = position
    return number
  }
}
