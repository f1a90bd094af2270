import Foundation
import Testing
import WhimbrelEngine

/// What does not fit the types is an error when a condition is bound.
struct ConditionBindingTests {
  private static let zone = ClassSchema(
    "Zone", .required("name", .string), .required("area", .double), .required("isBig", .bool),
    .list("tags", .string), .list("codes", .string), .link("country", to: "Country"),
    .required("extra", .any), .optional("photo", .data))
  private static let country = ClassSchema("Country", .required("name", .string))

  /// A condition, and the error that it gives.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let condition: QueryCondition
    let code: StoreError.Code
    let property: String?
    var testDescription: String { "\(property ?? ""): \(condition)" }

    init(_ condition: QueryCondition, _ code: StoreError.Code, _ property: String?) {
      self.condition = condition
      self.code = code
      self.property = property
    }
  }

  private static func compare(
    _ path: QueryPath, _ comparison: QueryComparison, _ value: PropertyValue,
    _ options: TextOptions = []
  ) -> QueryCondition {
    .compare(.property(path), comparison, .constant(value), options)
  }

  static let mistakes: [Mistake] = [
    Mistake(compare(QueryPath("nmae"), .equal, "x"), .unknownProperty, "nmae"),
    Mistake(compare(QueryPath("area"), .equal, "x"), .queryMismatch, "area"),
    Mistake(compare(QueryPath("isBig"), .equal, 1), .queryMismatch, "isBig"),
    Mistake(
      .compare(.constant("x"), .less, .property(QueryPath("area")), []), .queryMismatch, "area"),
    Mistake(compare(QueryPath("tags"), .equal, ["a"]), .queryMismatch, "tags"),
    Mistake(compare(QueryPath("area"), .contains, 1), .queryMismatch, "area"),
    Mistake(compare(QueryPath("area"), .equal, 1, .caseInsensitive), .queryMismatch, "area"),
    Mistake(compare(QueryPath("photo"), .like, .data(.init())), .queryMismatch, "photo"),
    Mistake(compare(QueryPath("country"), .less, .null), .queryMismatch, "country"),
    Mistake(compare(QueryPath("country"), .equal, "x"), .queryMismatch, "country"),
    Mistake(compare(QueryPath("name", "length"), .equal, 1), .queryMismatch, "name"),
    Mistake(
      compare(QueryPath([.property("tags"), .name("x")]), .equal, 1), .queryMismatch, "tags"),
    Mistake(compare(QueryPath("country", "nmae"), .equal, "x"), .unknownProperty, "nmae"),
    Mistake(
      compare(QueryPath([.inverse(class: "Country", property: "name")]), .equal, .null),
      .queryMismatch, "name"),
    Mistake(
      .compare(.property(QueryPath("tags")), .equal, .property(QueryPath("codes")), []),
      .queryMismatch, "tags"),
    Mistake(
      .compare(.aggregate(.sum, QueryPath("tags")), .equal, .constant(1), []), .queryMismatch,
      "tags"),
    Mistake(
      .compare(
        .arithmetic(.property(QueryPath("name")), .add, .constant(1)), .equal, .constant(1), []),
      .queryMismatch, "name"),
    Mistake(
      .compare(.matches(QueryPath("tags"), .always(true)), .equal, .constant(1), []),
      .queryMismatch, "tags"),
    Mistake(.isIn(.property(QueryPath("area")), [1, "x"], []), .queryMismatch, "area"),
    Mistake(
      .isBetween(.property(QueryPath("area")), lower: 1, upper: "x", includesUpper: true),
      .queryMismatch, "area"),
    Mistake(.hasWords(QueryPath("name"), search: "x"), .queryMismatch, "name"),
  ]

  @Test(arguments: mistakes)
  func `what does not fit is an error that names the property`(mistake: Mistake) throws {
    let store = try TestStore([Self.zone, Self.country])
    let session = try store.session()
    let table = try session.table("Zone")
    let error = #expect(throws: StoreError.self) {
      try BoundCondition(.not(.and([mistake.condition])), in: table)
    }
    #expect(error?.code == mistake.code)
    #expect(error?.context.propertyName == mistake.property)
    #expect(error?.context.className != nil)
  }

  @Test func `what is compared with a value of any type may be anything`() throws {
    let store = try TestStore([Self.zone, Self.country]) {
      try $0.create("Zone", ["name": "x", "area": 1.0, "isBig": true, "extra": 5])
    }
    let session = try store.session()
    let table = try session.table("Zone")
    func count(_ condition: QueryCondition) throws -> Int {
      try table.count(matching: BoundCondition(condition, in: table))
    }
    #expect(try count(Self.compare(QueryPath("extra"), .equal, "5")) == 0)
    #expect(try count(Self.compare(QueryPath("extra"), .notEqual, "5")) == 1)
    #expect(try count(Self.compare(QueryPath("extra"), .less, "9")) == 0)
    #expect(try count(Self.compare(QueryPath("extra"), .less, 9.5)) == 1)
    #expect(try count(Self.compare(QueryPath("extra"), .contains, 5)) == 0)
  }
}
