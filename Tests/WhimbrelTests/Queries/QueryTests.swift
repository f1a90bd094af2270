import Foundation
import Testing
import WhimbrelEngine

@testable import Whimbrel

/// The condition that a query of zones is made into.
func condition(
  _ isIncluded: (QueryValue<QueryZone>) -> QueryValue<Bool>
) -> QueryCondition {
  isIncluded(QueryValue<QueryZone>(of: nil)).part.condition
}

/// The condition that a property compares like this with a constant.
func compare(
  _ names: String..., is comparison: QueryComparison, _ value: PropertyValue,
  _ options: TextOptions = []
) -> QueryCondition {
  let path = QueryPath(names.map { .property($0) })
  return .compare(.property(path), comparison, .constant(value), options)
}

/// What typed queries are made into.
@Suite struct QueryTests {
  @Test func `numbers are compared by every operator`() {
    #expect(condition { $0.latitude == 60 } == compare("latitude", is: .equal, 60.0))
    #expect(condition { $0.latitude != 60 } == compare("latitude", is: .notEqual, 60.0))
    #expect(condition { $0.latitude < 60.5 } == compare("latitude", is: .less, 60.5))
    #expect(condition { $0.people <= 3 } == compare("people", is: .lessOrEqual, 3))
    #expect(condition { $0.people > 3 } == compare("people", is: .greater, 3))
    #expect(condition { $0.small >= -3 } == compare("small", is: .greaterOrEqual, -3))
    #expect(condition { $0.ratio > 0.5 } == compare("ratio", is: .greater, .float(0.5)))
    #expect(condition { $0.price < 2 } == compare("price", is: .less, .decimal(2)))
  }

  @Test func `optionals compare with nil, values and optionals`() {
    let height: Int? = 3
    #expect(condition { $0.height == nil } == compare("height", is: .equal, .null))
    #expect(condition { $0.height != nil } == compare("height", is: .notEqual, .null))
    #expect(condition { $0.height == 3 } == compare("height", is: .equal, 3))
    #expect(condition { $0.height == height } == compare("height", is: .equal, 3))
    #expect(condition { $0.height > 3 } == compare("height", is: .greater, 3))
    #expect(condition { $0.note == "x" } == compare("note", is: .equal, "x"))
    #expect(condition { $0.isKnown == true } == compare("isKnown", is: .equal, true))
  }

  @Test func `every kind of value compares`() {
    let date = Date(timeIntervalSinceReferenceDate: 5)
    let uuid = UUID()
    #expect(condition { $0.rank == .high } == compare("rank", is: .equal, 9))
    #expect(condition { $0.rank > .low } == compare("rank", is: .greater, 1))
    #expect(condition { $0.rank.rawValue > 5 } == compare("rank", is: .greater, 5))
    #expect(condition { $0.lastArea == .africa } == compare("lastArea", is: .equal, "africa"))
    #expect(
      condition { $0.lastArea.rawValue.starts(with: "a") }
        == compare("lastArea", is: .beginsWith, "a"))
    #expect(
      condition { $0.offset >= QueryOffset(minutes: 60) }
        == compare("offset", is: .greaterOrEqual, 60))
    #expect(condition { $0.summer.persistableValue < 60 } == compare("summer", is: .less, 60))
    #expect(condition { $0.made < date } == compare("made", is: .less, .date(date)))
    #expect(condition { $0.uuid == uuid } == compare("uuid", is: .equal, .uuid(uuid)))
    #expect(condition { $0.bytes == Data([1]) } == compare("bytes", is: .equal, .data(Data([1]))))
    #expect(condition { $0.anything == 5 } == compare("anything", is: .equal, 5))
    #expect(condition { $0.anything > "a" } == compare("anything", is: .greater, "a"))
    #expect(condition { $0.anything == .none } == compare("anything", is: .equal, .null))
    #expect(condition { $0.secret == 1 } == compare("secret", is: .equal, 1))
  }

  @Test func `properties compare with properties of their kind`() {
    func both(
      _ left: String, _ comparison: QueryComparison, _ right: String
    ) -> QueryCondition {
      .compare(.property(QueryPath(left)), comparison, .property(QueryPath(right)), [])
    }
    #expect(condition { $0.latitude == $0.longitude } == both("latitude", .equal, "longitude"))
    #expect(condition { $0.latitude != $0.people } == both("latitude", .notEqual, "people"))
    #expect(condition { $0.height < $0.people } == both("height", .less, "people"))
    #expect(condition { $0.price <= $0.ratio } == both("price", .lessOrEqual, "ratio"))
    #expect(condition { $0.identifier > $0.note } == both("identifier", .greater, "note"))
    #expect(condition { $0.area == $0.lastArea } == both("area", .equal, "lastArea"))
    #expect(condition { $0.offset >= $0.summer } == both("offset", .greaterOrEqual, "summer"))
    #expect(
      condition { $0.country == $0.twin.country }
        == .compare(
          .property(QueryPath("country")), .equal, .property(QueryPath("twin", "country")), []))
  }

  @Test func `ranges and lists of values become conditions`() {
    let people = QueryExpression.property(QueryPath("people"))
    let height = QueryExpression.property(QueryPath("height"))
    let identifier = QueryExpression.property(QueryPath("identifier"))
    #expect(
      condition { $0.people.contains(1...3) }
        == .isBetween(people, lower: 1, upper: 3, includesUpper: true))
    #expect(
      condition { $0.height.contains(1..<3) }
        == .isBetween(height, lower: 1, upper: 3, includesUpper: false))
    #expect(
      condition { $0.identifier.contains("a"..."b") }
        == .isBetween(identifier, lower: "a", upper: "b", includesUpper: true))
    #expect(condition { $0.people.in([1, 2]) } == .isIn(people, [1, 2], []))
    #expect(condition { $0.people.in(Set([4])) } == .isIn(people, [4], []))
    #expect(condition { $0.height.in([1, nil]) } == .isIn(height, [1, .null], []))
    #expect(condition { $0.height.in(1...2) } == .isIn(height, [1, 2], []))
    #expect(
      condition { $0.identifier.in(["x"], options: .caseInsensitive) }
        == .isIn(identifier, ["x"], .caseInsensitive))
    #expect(
      condition { $0.area.in([.africa, .europe]) }
        == .isIn(.property(QueryPath("area")), ["africa", "europe"], []))
  }

  @Test func `texts and bytes are compared by their parts`() {
    #expect(
      condition { $0.identifier.starts(with: "Eu") } == compare("identifier", is: .beginsWith, "Eu")
    )
    #expect(
      condition { $0.note.ends(with: "x", options: .caseInsensitive) }
        == compare("note", is: .endsWith, "x", .caseInsensitive))
    #expect(
      condition { $0.note.contains("x", options: [.caseInsensitive, .diacriticInsensitive]) }
        == compare("note", is: .contains, "x", [.caseInsensitive, .diacriticInsensitive]))
    #expect(condition { $0.identifier.isEmpty } == compare("identifier", is: .equal, ""))
    #expect(condition { $0.note.isEmpty } == compare("note", is: .equal, ""))
    #expect(condition { $0.note.like("a*?") } == compare("note", is: .like, "a*?"))
    #expect(
      condition { $0.note.like("a", caseInsensitive: true) }
        == compare("note", is: .like, "a", .caseInsensitive))
    #expect(
      condition { $0.note.equals("a", options: .diacriticInsensitive) }
        == compare("note", is: .equal, "a", .diacriticInsensitive))
    #expect(
      condition { $0.note.notEquals(nil, options: .caseInsensitive) }
        == compare("note", is: .notEqual, .null, .caseInsensitive))
    #expect(
      condition { $0.identifier.contains($0.note, options: .caseInsensitive) }
        == .compare(
          .property(QueryPath("identifier")), .contains, .property(QueryPath("note")),
          .caseInsensitive))
    #expect(condition { $0.anything.contains("x") } == compare("anything", is: .contains, "x"))
    #expect(
      condition { $0.bytes.starts(with: Data([1])) }
        == compare("bytes", is: .beginsWith, .data(Data([1]))))
    #expect(
      condition { $0.note.search("swan -lake") }
        == .hasWords(QueryPath("note"), search: "swan -lake"))
  }

  @Test func `conditions are combined`() {
    let north = compare("latitude", is: .greater, 60.0)
    let active = compare("isActive", is: .equal, true)
    let large = compare("people", is: .greater, 9)
    #expect(condition { $0.isActive } == active)
    #expect(condition { !$0.isActive } == .not(active))
    #expect(
      condition { $0.latitude > 60 && $0.isActive && $0.people > 9 }
        == .and([north, active, large]))
    #expect(
      condition { $0.latitude > 60 || $0.isActive || $0.people > 9 }
        == .or([north, active, large]))
    #expect(
      condition { $0.latitude > 60 && ($0.isActive || !($0.people > 9)) }
        == .and([north, .or([active, .not(large)])]))
    #expect(
      condition { ($0.latitude > 60) == $0.isActive }
        == .or([
          .and([north, active]), .and([.not(north), compare("isActive", is: .equal, false)]),
        ]))
  }

  @Test func `numbers can be calculated with`() {
    func number(_ name: String) -> QueryExpression { .property(QueryPath(name)) }
    #expect(
      condition { $0.people + 2 > 4 }
        == .compare(
          .arithmetic(number("people"), .add, .constant(2)), .greater, .constant(4), []))
    #expect(
      condition { ($0.latitude - $0.longitude) * 2 / 3 < 1 }
        == .compare(
          .arithmetic(
            .arithmetic(
              .arithmetic(number("latitude"), .subtract, number("longitude")), .multiply,
              .constant(2.0)), .divide, .constant(3.0)), .less, .constant(1.0), []))
    #expect(
      condition { -$0.height == 5 }
        == .compare(
          .arithmetic(.constant(0), .subtract, number("height")), .equal, .constant(5), []))
  }

  @Test func `a number and an optional number are calculated with`() {
    func number(_ names: String...) -> QueryExpression {
      .property(QueryPath(names.map { .property($0) }))
    }
    #expect(
      condition { $0.people * $0.height > 4 }
        == .compare(
          .arithmetic(number("people"), .multiply, number("height")), .greater, .constant(4), []))
    #expect(
      condition { $0.height - $0.people + 1 < $0.people / $0.twin.people }
        == .compare(
          .arithmetic(
            .arithmetic(number("height"), .subtract, number("people")), .add, .constant(1)), .less,
          .arithmetic(number("people"), .divide, number("twin", "people")), []))
  }
}
