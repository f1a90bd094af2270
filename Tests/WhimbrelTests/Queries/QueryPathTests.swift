import Foundation
import Testing
import WhimbrelEngine

@testable import Whimbrel

/// What paths through links and collections are made into.
@Suite struct QueryPathTests {
  private func countries(
    _ isIncluded: (QueryValue<QueryCountry>) -> QueryValue<Bool>
  ) -> QueryCondition {
    isIncluded(QueryValue<QueryCountry>(of: nil)).part.condition
  }

  private func path(
    _ names: String..., is quantifier: QueryPath.Quantifier = .any
  ) -> QueryPath {
    QueryPath(names.map { .property($0) }, quantifier)
  }

  @Test func `paths lead through links`() {
    #expect(
      condition { $0.country.name == "Andorra" }
        == compare("country", "name", is: .equal, "Andorra"))
    #expect(
      condition { $0.country.capital.height > 3 }
        == compare("country", "capital", "height", is: .greater, 3))
    #expect(condition { $0.country.name == nil } == compare("country", "name", is: .equal, .null))
    #expect(condition { $0.country == nil } == compare("country", is: .equal, .null))
    #expect(condition { $0.point.x < 1 } == compare("point", "x", is: .less, 1.0))
    #expect(condition { $0.point != nil } == compare("point", is: .notEqual, .null))
  }

  @Test func `objects are compared by their identities`() throws {
    let store = try TestStore(TestStore.queryModels).open()
    let (andorra, spain) = (QueryCountry(code: "AD"), QueryCountry(code: "ES"))
    try store.write { try store.add([andorra, spain]) }
    let (first, second) = (
      PropertyValue.link(try #require(andorra.objectID)),
      PropertyValue.link(try #require(spain.objectID))
    )
    #expect(condition { $0.country == andorra } == compare("country", is: .equal, first))
    #expect(condition { $0.country != spain } == compare("country", is: .notEqual, second))
    let country = QueryExpression.property(path("country"))
    #expect(condition { $0.country.in([andorra, nil]) } == .isIn(country, [first, .null], []))
    #expect(
      condition { $0.country.in(store.objects(QueryCountry.self)) }
        == .isIn(country, [first, second], []))
    let reference = ObjectReference(
      classID: try #require(andorra._$row.table?.resolved.id), id: try #require(andorra.objectID))
    #expect(
      condition { $0.anything == .object(andorra) }
        == compare("anything", is: .equal, .object(reference)))
    #expect(
      countries { $0 == andorra }
        == .compare(.property(path()), .equal, .constant(first), []))
  }

  @Test func `collections are counted and looked into`() throws {
    func count(_ path: QueryPath) -> QueryExpression { .count(path) }
    #expect(
      countries { $0.zones.count >= 2 }
        == .compare(.count(path("zones")), .greaterOrEqual, .constant(2), []))
    #expect(
      countries { $0.zones.isEmpty }
        == .compare(.count(path("zones")), .equal, .constant(0), []))
    #expect(
      countries { $0.zones.neighbors.count > $0.zones.count }
        == .compare(
          .count(path("zones", "neighbors")), .greater, .count(path("zones")), []))
    #expect(condition { $0.tags.contains("a") } == compare("tags", is: .equal, "a"))
    #expect(condition { $0.maybe.contains(nil) } == compare("maybe", is: .equal, .null))
    #expect(
      condition { $0.tags.containsAny(in: ["a", "b"]) }
        == .isIn(.property(path("tags")), ["a", "b"], []))
    #expect(
      condition { $0.numbers.contains(1...3) }
        == .isBetween(.property(path("numbers")), lower: 1, upper: 3, includesUpper: true))
    #expect(condition { $0.tags.any.starts(with: "a") } == compare("tags", is: .beginsWith, "a"))
    #expect(
      condition { $0.tags.none == "a" }
        == .compare(.property(path("tags", is: .none)), .equal, .constant("a"), []))
    #expect(condition { $0.twin.tags.contains("a") } == compare("twin", "tags", is: .equal, "a"))
  }

  @Test func `paths through collections are meant of any, all or none`() {
    #expect(
      countries { $0.zones.latitude > 3 } == compare("zones", "latitude", is: .greater, 3.0))
    #expect(
      countries { $0.zones.any.latitude > 3 } == compare("zones", "latitude", is: .greater, 3.0))
    #expect(
      countries { $0.zones.all.latitude > 3 }
        == .compare(
          .property(path("zones", "latitude", is: .all)), .greater, .constant(3.0), []))
    #expect(
      countries { $0.zones.none.country.name == "x" }
        == .compare(
          .property(path("zones", "country", "name", is: .none)), .equal, .constant("x"), []))
    #expect(
      condition { $0.neighbors.neighbors.height == nil }
        == compare("neighbors", "neighbors", "height", is: .equal, .null))
  }

  @Test func `paths lead through inverses`() {
    let linked = QueryPath.Step.inverse(class: "QueryZone", property: "country")
    #expect(
      countries { $0.linked.count > 1 }
        == .compare(.count(QueryPath([linked])), .greater, .constant(1), []))
    #expect(
      condition { $0.country.linked.latitude < 0 }
        == .compare(
          .property(QueryPath([.property("country"), linked, .property("latitude")])), .less,
          .constant(0.0), []))
  }

  @Test func `paths lead to the names and values of maps`() {
    let english = QueryPath([.property("names"), .name("en")])
    #expect(
      condition { $0.names["en"] == "Andorra" }
        == .compare(.property(english), .equal, .constant("Andorra"), []))
    #expect(
      condition { $0.names["en"] == nil }
        == .compare(.property(english), .equal, .constant(.null), []))
    #expect(
      condition { $0.names.keys.starts(with: "e") }
        == .compare(
          .property(QueryPath([.property("names"), .names])), .beginsWith, .constant("e"), []))
    #expect(condition { $0.names.values == "x" } == compare("names", is: .equal, "x"))
    #expect(condition { $0.names.contains("x") } == compare("names", is: .equal, "x"))
    #expect(
      condition { $0.twins["a"].latitude > 3 }
        == .compare(
          .property(QueryPath([.property("twins"), .name("a"), .property("latitude")])), .greater,
          .constant(3.0), []))
    #expect(
      condition { $0.twins.values.latitude > 3 } == compare("twins", "latitude", is: .greater, 3.0))
    #expect(
      condition { $0.twins.all.latitude > 3 }
        == .compare(
          .property(path("twins", "latitude", is: .all)), .greater, .constant(3.0), []))
  }

  @Test func `values of elements are aggregated`() {
    func zones(_ aggregate: QueryAggregate, _ name: String) -> QueryExpression {
      .aggregate(aggregate, path("zones", name))
    }
    #expect(
      countries { $0.zones.latitude.min < 3 }
        == .compare(zones(.minimum, "latitude"), .less, .constant(3.0), []))
    #expect(
      countries { $0.zones.made.max == nil }
        == .compare(zones(.maximum, "made"), .equal, .constant(.null), []))
    #expect(
      countries { $0.zones.people.sum > 3 }
        == .compare(zones(.sum, "people"), .greater, .constant(3), []))
    #expect(
      countries { $0.zones.people.avg > 3.5 }
        == .compare(zones(.average, "people"), .greater, .constant(3.5), []))
    #expect(
      condition { $0.numbers.max > $0.maybe.min && $0.numbers.sum == 3 && $0.maybe.avg == nil }
        == .and([
          .compare(
            .aggregate(.maximum, path("numbers")), .greater, .aggregate(.minimum, path("maybe")),
            []),
          .compare(.aggregate(.sum, path("numbers")), .equal, .constant(3), []),
          .compare(.aggregate(.average, path("maybe")), .equal, .constant(.null), []),
        ]))
  }

  @Test func `elements that meet a condition are counted`() {
    let inside = QueryCondition.and([
      compare("latitude", is: .greater, 0.0),
      .or([
        compare("identifier", is: .equal, "x"),
        .not(
          .compare(.count(path("neighbors")), .less, .aggregate(.sum, path("numbers")), [])),
      ]),
      .isIn(.property(path("country", "code")), ["AD"], []),
    ])
    #expect(
      countries {
        ($0.zones.latitude > 0
          && ($0.zones.identifier == "x" || !($0.zones.neighbors.count < $0.zones.numbers.sum))
          && $0.zones.country.code.in(["AD"])).count >= 2
      } == .compare(.matches(path("zones"), inside), .greaterOrEqual, .constant(2), []))
    #expect(
      countries { ($0.capital.neighbors.isActive).count == 0 }
        == .compare(
          .matches(path("capital", "neighbors"), compare("isActive", is: .equal, true)), .equal,
          .constant(0), []))
    #expect(
      countries { ($0.zones.neighbors.latitude > 1).count == 1 }
        == .compare(
          .matches(path("zones"), compare("neighbors", "latitude", is: .greater, 1.0)), .equal,
          .constant(1), []))
  }
}
