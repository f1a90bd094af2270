internal import Foundation
internal import WhimbrelEngine

/// A probe that finds the enum case of a value.
struct CaseProbe {
  private let cases: [String: Int]
  private let unknown: Int

  init(_ names: [String], _ builder: inout FacetBuilder) {
    var cases: [String: Int] = [:]
    for name in names where cases[name] == nil { cases[name] = builder.add(.enumCase(name)) }
    self.cases = cases
    unknown = builder.add(.unknownCase, .ifPresent)
  }

  func probe(_ value: PropertyValue, _ tally: inout ClassTally) {
    switch value {
    case .string(let text): tally.show(cases[text] ?? unknown)
    case .int(let number): tally.show(cases[String(number)] ?? unknown)
    default: break
    }
  }
}

/// A probe of the length of text or data in bytes.
struct LengthProbe {
  private let empty: Int
  private let shortest: Int
  private let longest: Int

  init(_ builder: inout FacetBuilder) {
    empty = builder.add(.empty)
    shortest = builder.add(.shortest)
    longest = builder.add(.longest)
  }

  func probe(_ length: Int, _ tally: inout ClassTally) {
    if length == 0 {
      tally.show(empty)
    } else {
      tally.take(.whole(Int64(length)), least: shortest, greatest: longest)
    }
  }
}

struct TextProbe {
  private let length: LengthProbe
  private let nonASCII: Int
  private let supplementary: Int
  private let combining: Int

  init(_ builder: inout FacetBuilder) {
    length = LengthProbe(&builder)
    nonASCII = builder.add(.nonASCII)
    supplementary = builder.add(.supplementary, .ifPresent)
    combining = builder.add(.combining, .ifPresent)
  }

  func probe(_ text: String, _ tally: inout ClassTally) {
    length.probe(text.utf8.count, &tally)
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return }
    tally.show(nonASCII)
    for scalar in text.unicodeScalars where scalar.value >= 0x300 {
      if scalar.value > 0xFFFF { tally.show(supplementary) }
      if scalar.properties.canonicalCombiningClass != .notReordered { tally.show(combining) }
    }
  }
}

struct NumberProbe {
  private let zero: Int?
  private let negative: Int?
  private let notANumber: Int?
  private let infinite: Int?
  private let smallest: Int
  private let largest: Int

  init(_ type: PropertyType, _ builder: inout FacetBuilder) {
    let isUnsigned = [.uint8, .uint16, .uint32].contains(type)
    zero = type == .date ? nil : builder.add(.zero)
    negative = isUnsigned || type == .date ? nil : builder.add(.negative, .ifPresent)
    notANumber = type.isInteger ? nil : builder.add(.notANumber, .ifPresent)
    infinite = type.isInteger || type == .decimal ? nil : builder.add(.infinite, .ifPresent)
    smallest = builder.add(.smallest)
    largest = builder.add(.largest)
  }

  func probe(_ value: PropertyValue, _ tally: inout ClassTally) {
    switch value {
    case .int(let number):
      take(.whole(number), isZero: number == 0, isNegative: number < 0, &tally)
    case .float(let number): probe(Double(number), &tally)
    case .double(let number): probe(number, &tally)
    case .date(let date): probe(date.timeIntervalSinceReferenceDate, &tally)
    case .decimal(let number):
      if number.isNaN {
        if let notANumber { tally.show(notANumber) }
      } else {
        take(.decimal(number), isZero: number.isZero, isNegative: number < 0, &tally)
      }
    default: break
    }
  }

  private func probe(_ number: Double, _ tally: inout ClassTally) {
    if number.isFinite {
      return take(.number(number), isZero: number.isZero, isNegative: number < 0, &tally)
    }
    if let shown = number.isNaN ? notANumber : infinite { tally.show(shown) }
  }

  private func take(
    _ measure: Measure, isZero: Bool, isNegative: Bool, _ tally: inout ClassTally
  ) {
    if isZero, let zero { tally.show(zero) }
    if isNegative, let negative { tally.show(negative) }
    tally.take(measure, least: smallest, greatest: largest)
  }
}

/// A probe of the kind of a value of type `any`.
struct KindProbe {
  private let numbers: [String: Int]

  private static let kinds = PropertyType.kinds.map(\.description) + ["object", "list", "map"]

  init(_ builder: inout FacetBuilder) {
    var numbers: [String: Int] = [:]
    for kind in Self.kinds {
      numbers[kind] =
        kind == "object"
        ? builder.add(ofLinks: .valueKind(kind), .ifPresent)
        : builder.add(.valueKind(kind), .ifPresent)
    }
    self.numbers = numbers
  }

  func probe(_ value: PropertyValue, _ tally: inout ClassTally) {
    if let number = numbers[value.kind] { tally.show(number) }
  }
}

/// A probe of a collection and its elements.
struct CollectionProbe {
  private let empty: Int
  private let one: Int
  private let many: Int
  private let long: Int
  /// Nil for collections of links: links may be cut, so the longest collection
  /// is not known in advance.
  private let longest: Int?
  private let nilElement: Int?
  private let nonASCIIName: Int?
  private let cases: CaseProbe?
  private let kinds: KindProbe?
  /// Whether the elements must be read, and not only counted.
  let looksAtElements: Bool

  /// The number of elements from which a collection is long.
  static let longCount = 10

  init(_ property: PropertySchema, _ element: ElementType, _ builder: inout FacetBuilder) {
    empty = builder.add(.empty)
    let holdsLinks = element.type.holdsLinks
    one = holdsLinks ? builder.add(ofLinks: .one) : builder.add(.one)
    many = holdsLinks ? builder.add(ofLinks: .many) : builder.add(.many)
    long = holdsLinks ? builder.add(ofLinks: .long, .ifPresent) : builder.add(.long, .ifPresent)
    longest = holdsLinks ? nil : builder.add(.longest)
    let mayBeNil = element.isOptional || element.type == .any
    nilElement = mayBeNil ? builder.add(.nilElement, .ifPresent) : nil
    let isMap = property.type.isMap
    nonASCIIName = isMap ? builder.add(.nonASCIIName, .ifPresent) : nil
    cases = property.cases.map { CaseProbe($0, &builder) }
    kinds = element.type == .any ? KindProbe(&builder) : nil
    looksAtElements = isMap || mayBeNil || holdsLinks || cases != nil
  }

  func probe(count: Int, _ tally: inout ClassTally) {
    tally.show(count == 0 ? empty : count == 1 ? one : many)
    if count >= Self.longCount { tally.show(long) }
    if let longest, count > 0 { tally.take(.whole(Int64(count)), greatest: longest) }
  }

  func probe(element: PropertyValue, name: String, _ tally: inout ClassTally) {
    if let nonASCIIName, name.utf8.contains(where: { $0 >= 0x80 }) { tally.show(nonASCIIName) }
    if element.isNull, let nilElement { return tally.show(nilElement) }
    cases?.probe(element, &tally)
    kinds?.probe(element, &tally)
  }
}
