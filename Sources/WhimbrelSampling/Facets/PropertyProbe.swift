internal import WhimbrelEngine

/// A probe that finds the facets of a property that a value shows.
struct PropertyProbe {
  private let null: Int?
  private let standard: (number: Int, value: PropertyValue)?
  private let other: Int?
  private let form: Form
  /// The facets of the property's links, or nil if it holds no links.
  let links: LinkFacets?
  let holdsLinks: Bool

  private enum Form {
    case plain
    case bool(yes: Int, no: Int)
    case cases(CaseProbe)
    case text(TextProbe)
    case data(LengthProbe)
    case number(NumberProbe)
    case any(KindProbe)
    case collection(CollectionProbe)
  }

  init(_ property: PropertySchema, isOwning: Bool, _ builder: inout FacetBuilder) {
    let type = property.type
    holdsLinks = type.holdsLinks
    let mayBeNil = (property.isOptional || type == .any) && !type.isCollection
    null = mayBeNil ? builder.add(.null) : nil
    // These types have a facet for each form of value (below), so they need
    // neither default nor other.
    let isListed = type == .bool || property.cases != nil || type.isCollection
    if case .value(let value) = property.defaultValue, !value.isNull, !isListed {
      standard = (builder.add(.defaultValue), value)
    } else {
      standard = nil
    }
    if type.linkTarget != nil {
      other = builder.add(ofLinks: .linked)
    } else if type == .any {
      // The value may be a reference, which becomes nil when it is cut.
      other = builder.add(ofLinks: .other)
    } else {
      other = isListed || (!mayBeNil && standard == nil) ? nil : builder.add(.other)
    }
    form = Self.form(property, &builder)
    links =
      type.holdsLinks && builder.hasLinkFacets
      ? LinkFacets(type, isOwning: isOwning, &builder) : nil
  }

  private static func form(_ property: PropertySchema, _ builder: inout FacetBuilder) -> Form {
    if let element = property.type.elementType {
      return .collection(CollectionProbe(property, element, &builder))
    }
    if let cases = property.cases { return .cases(CaseProbe(cases, &builder)) }
    return switch property.type {
    case .bool: .bool(yes: builder.add(.yes), no: builder.add(.no))
    case .string: .text(TextProbe(&builder))
    case .data: .data(LengthProbe(&builder))
    case .any: .any(KindProbe(&builder))
    case let type where type.isNumber || type == .date: .number(NumberProbe(type, &builder))
    default: .plain
    }
  }

  /// The probe of a collection, whose elements are read one by one.
  var collection: CollectionProbe? {
    if case .collection(let probe) = form { probe } else { nil }
  }

  /// Records the facets that a value shows. The value is not a collection.
  func probe(_ value: PropertyValue, _ tally: inout ClassTally) {
    if value.isNull {
      if let null { tally.show(null) }
      return
    }
    if let standard, value.isIdentical(to: standard.value) {
      tally.show(standard.number)
    } else if let other {
      tally.show(other)
    }
    switch form {
    case .plain, .collection: break
    case .bool(let yes, let no): tally.show(value == .bool(true) ? yes : no)
    case .cases(let probe): probe.probe(value, &tally)
    case .text(let probe): if case .string(let text) = value { probe.probe(text, &tally) }
    case .data(let probe): if case .data(let data) = value { probe.probe(data.count, &tally) }
    case .number(let probe): probe.probe(value, &tally)
    case .any(let probe): probe.probe(value, &tally)
    }
  }
}

/// The facets of a property's links, which need more than one object.
struct LinkFacets {
  /// Nil if an object owns its targets, or if targets may be of any class.
  let fanInNone: Int?
  /// Nil if an object owns its targets.
  let fanInOne: Int?
  let fanInMany: Int?
  let toItself: Int
  let cycle: Int

  init(_ type: PropertyType, isOwning: Bool, _ builder: inout FacetBuilder) {
    fanInNone = isOwning || type.linkedClass == nil ? nil : builder.add(.fanInNone)
    let expectation = type.linkedClass == nil ? FacetBuilder.Expectation.ifPresent : .always
    fanInOne = isOwning ? nil : builder.add(.fanInOne, expectation)
    fanInMany = isOwning ? nil : builder.add(.fanInMany, expectation)
    toItself = builder.add(.toItself, .ifPresent)
    cycle = builder.add(.cycle, .ifPresent)
  }
}
