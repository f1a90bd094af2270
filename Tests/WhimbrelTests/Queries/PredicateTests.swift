import Foundation
import Testing
import WhimbrelEngine

@testable import Whimbrel

/// Its order is that of the declaration, not that of the raw values.
enum QueryParcelSize: String, PersistableEnum, Comparable {
  case small, medium, large

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }
  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Its order is that of the raw values.
enum QueryParcelSpeed: Int, PersistableEnum, Comparable {
  case fast = 9
  case slow = 1

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

@Model
final class QueryParcel {
  @PrimaryKey var id: Int
  var size: QueryParcelSize = QueryParcelSize.small
  var speed: QueryParcelSpeed = QueryParcelSpeed.slow
  var sizes: StoredList<QueryParcelSize>
}

/// What predicates are translated to: what typed queries that say the same are made into.
@Suite struct PredicateTests {
  private func expect(
    _ predicate: Predicate<QueryZone>, _ isIncluded: (QueryValue<QueryZone>) -> QueryValue<Bool>,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    #expect(try translated(predicate) == condition(isIncluded), sourceLocation: sourceLocation)
  }

  private func translated(_ predicate: Predicate<QueryZone>) throws -> QueryCondition {
    try PredicateTranslation.condition(
      of: predicate, QueryScope(session: nil, model: QueryZone.self))
  }

  private func expectUntranslatable(
    _ part: String, _ predicate: Predicate<QueryZone>,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let error = try expectError(.untranslatablePredicate, sourceLocation: sourceLocation) {
      try translated(predicate)
    }
    #expect(error.message.contains("'\(part)'"), "\(error)", sourceLocation: sourceLocation)
  }

  @Test func `a predicate compares values of every kind`() throws {
    let uuid = UUID()
    let date = Date(timeIntervalSinceReferenceDate: 5)
    let offset = QueryOffset(minutes: 5)
    let area = QueryArea.africa
    try expect(#Predicate { $0.latitude > 60 }) { $0.latitude > 60 }
    try expect(#Predicate { $0.latitude >= 60 }) { $0.latitude >= 60 }
    try expect(#Predicate { $0.people < 3 }) { $0.people < 3 }
    try expect(#Predicate { $0.small <= 3 }) { $0.small <= 3 }
    try expect(#Predicate { $0.identifier == "x" }) { $0.identifier == "x" }
    try expect(#Predicate { $0.identifier != "x" }) { $0.identifier != "x" }
    try expect(#Predicate { $0.uuid == uuid && $0.made < date }) {
      $0.uuid == uuid && $0.made < date
    }
    try expect(#Predicate { $0.area == area }) { $0.area == .africa }
    try expect(#Predicate { $0.area.rawValue == "africa" }) { $0.area.rawValue == "africa" }
    try expect(#Predicate { $0.offset == offset }) { $0.offset == offset }
    try expect(#Predicate { $0.price > 3 }) { $0.price > 3 }
    try expect(#Predicate { $0.latitude < $0.longitude }) { $0.latitude < $0.longitude }
    try expect(#Predicate { $0.height == nil }) { $0.height == nil }
    try expect(#Predicate { $0.height != 5 }) { $0.height != 5 }
    try expect(#Predicate { $0.height! > 5 }) { $0.height > 5 }
  }

  @Test func `a predicate joins conditions`() throws {
    try expect(#Predicate { $0.isActive }) { $0.isActive }
    try expect(#Predicate { !$0.isActive && $0.people > 1 && $0.small == 0 }) {
      !$0.isActive && $0.people > 1 && $0.small == 0
    }
    try expect(#Predicate { $0.isActive || $0.people > 1 }) { $0.isActive || $0.people > 1 }
    try expect(#Predicate { $0.isActive == true }) { $0.isActive == true }
    try expect(#Predicate { ($0.people > 1) == $0.isActive }) { ($0.people > 1) == $0.isActive }
    #expect(try translated(#Predicate { _ in true }) == .always(true))
    #expect(try translated(#Predicate { $0.people > 1 && false }) == .always(false))
    try expect(#Predicate { $0.people > 1 || false }) { $0.people > 1 }
  }

  @Test func `a predicate takes ranges, constant collections and text`() throws {
    let range = 1..<5
    let names: Set = ["a"]
    try expect(#Predicate { (1...3).contains($0.people) }) { $0.people.contains(1...3) }
    try expect(#Predicate { (1..<3).contains($0.people) }) { $0.people.contains(1..<3) }
    try expect(#Predicate { range.contains($0.people) }) { $0.people.contains(1..<5) }
    #expect(
      try translated(#Predicate { ($0.small...9).contains(5) })
        == .and([
          .compare(.constant(5), .greaterOrEqual, .property(QueryPath("small")), []),
          .compare(.constant(5), .lessOrEqual, .constant(9), []),
        ]))
    try expect(#Predicate { [1, 2].contains($0.people) }) { $0.people.in([1, 2]) }
    try expect(#Predicate { names.contains($0.identifier) }) { $0.identifier.in(["a"]) }
    try expect(#Predicate { $0.identifier.contains("a") }) { $0.identifier.contains("a") }
    try expect(#Predicate { $0.identifier.starts(with: "a") }) { $0.identifier.starts(with: "a") }
    try expect(#Predicate { $0.identifier.isEmpty }) { $0.identifier == "" }
  }

  private var scope: QueryScope { QueryScope(session: nil, model: QueryZone.self) }

  @Test func `a predicate calculates`() throws {
    try expect(#Predicate { $0.people + 2 > 4 }) { $0.people + 2 > 4 }
    try expect(#Predicate { $0.people / 2 > 4 }) { $0.people / 2 > 4 }
    try expect(#Predicate { ($0.latitude - $0.longitude) * 2 / 3 < 1 }) {
      ($0.latitude - $0.longitude) * 2 / 3 < 1
    }
    try expect(#Predicate { -$0.people == 5 }) { -$0.people == 5 }
  }

  @Test func `a predicate follows links and unwraps optionals`() throws {
    try expect(#Predicate { $0.country?.name == "x" }) { $0.country.name == "x" }
    try expect(#Predicate { $0.country?.capital?.height == nil }) {
      $0.country.capital.height == nil
    }
    try expect(#Predicate { $0.country!.name > "x" }) { $0.country.name > "x" }
    try expect(#Predicate { $0.country == nil }) { $0.country == nil }
    try expect(#Predicate { ($0.note ?? "") == "x" }) { $0.note != nil && $0.note == "x" }
    try expect(#Predicate { ($0.height ?? 5) == 5 }) {
      ($0.height != nil && $0.height == 5) || !($0.height != nil)
    }
    try expect(#Predicate { $0.isKnown ?? false }) { $0.isKnown != nil && $0.isKnown == true }
    try expect(
      #Predicate { zone in
        if let note = zone.note { note.contains("x") } else { false }
      }
    ) { $0.note != nil && $0.note.contains("x") }
    // Nothing can be read from a constant nil.
    let beginning: String? = nil
    try expect(#Predicate { beginning?.isEmpty ?? $0.isActive }) { $0.isActive }
    // The result is a path that does not continue the unwrapped one.
    try expect(#Predicate { zone in zone.height.flatMap { _ in zone.people } == 3 }) {
      $0.height != nil && $0.people == 3
    }
    try expect(#Predicate { $0.country?.zones.isEmpty == true }) {
      $0.country != nil && $0.country.zones.isEmpty
    }
    try expect(#Predicate { $0.people > 1 ? $0.isActive : $0.small == 0 }) {
      ($0.people > 1 && $0.isActive) || (!($0.people > 1) && $0.small == 0)
    }
  }

  @Test func `a predicate looks into collections`() throws {
    try expect(#Predicate { $0.neighbors.count > 2 && $0.numbers.isEmpty }) {
      $0.neighbors.count > 2 && $0.numbers.isEmpty
    }
    try expect(#Predicate { $0.names.isEmpty || $0.names.count > 2 }) {
      $0.names.isEmpty || $0.names.count > 2
    }
    try expect(#Predicate { $0.tags.contains("x") }) { $0.tags.contains("x") }
    try expect(#Predicate { $0.numbers.contains { $0 > 3 } }) { $0.numbers.any > 3 }
    try expect(#Predicate { $0.numbers.contains { $0 > 3 || $0 == 1 } }) {
      $0.numbers.any > 3 || $0.numbers.any == 1
    }
    try expect(#Predicate { $0.numbers.allSatisfy { $0 > 3 && $0 != 5 } }) {
      $0.numbers.all > 3 && $0.numbers.all != 5
    }
    try expect(#Predicate { $0.neighbors.contains { $0.latitude > 3 && $0.people == 1 } }) {
      ($0.neighbors.latitude > 3 && $0.neighbors.people == 1).count > 0
    }
    try expect(#Predicate { $0.neighbors.allSatisfy { $0.latitude > 3 } }) {
      (!($0.neighbors.latitude > 3)).count == 0
    }
    try expect(#Predicate { $0.neighbors.filter { $0.latitude > 3 }.count >= 2 }) {
      ($0.neighbors.latitude > 3).count >= 2
    }
    try expect(#Predicate { $0.neighbors.filter { $0.latitude > 3 }.isEmpty }) {
      ($0.neighbors.latitude > 3).count == 0
    }
    try expect(#Predicate { $0.numbers.max() == 3 && $0.numbers.min() == nil }) {
      $0.numbers.max == 3 && $0.numbers.min == nil
    }
  }

  @Test func `a predicate follows inverses`() throws {
    let linked = QueryPath([.inverse(class: "QueryZone", property: "country")])
    let predicate = #Predicate<QueryCountry> {
      $0.linked.contains { $0.people > 1 } && $0.linked.count > 2
    }
    let condition = try PredicateTranslation.condition(of: predicate, scope)
    #expect(
      condition
        == .and([
          .compare(
            .matches(linked, compare("people", is: .greater, 1)), .greater, .constant(0), []),
          .compare(.count(linked), .greater, .constant(2), []),
        ]))
  }

  @Test func `what has no counterpart is an error`() throws {
    let words = try #require(PredicateExpressions.PredicateRegex(/x/))
    try expectUntranslatable("IntRemainder", #Predicate { $0.people % 2 == 0 })
    try expectUntranslatable("StringContainsRegex", #Predicate { $0.identifier.contains(words) })
    try expectUntranslatable(
      "key path from String to Int", #Predicate { $0.identifier.count > 3 })
    try expectUntranslatable("CollectionIndexSubscript", #Predicate { $0.tags[0] == "x" })
    try expectUntranslatable(
      "Conjunction", #Predicate { $0.numbers.contains { $0 > 3 && $0 < 5 } })
    try expectUntranslatable(
      "an outer variable in a condition on elements",
      #Predicate { zone in zone.neighbors.contains { $0.people > zone.people } })
  }

  @Test func `cases are only ordered if their raw values have the same order`() throws {
    let (size, speed) = (QueryParcelSize.medium, QueryParcelSpeed.fast)
    let scope = QueryScope(session: nil, model: QueryParcel.self)
    // "large" < "small" is true for texts, so the store would find the wrong parcels.
    let predicates: [Predicate<QueryParcel>] = [
      #Predicate { $0.size < size }, #Predicate { ($0.size...size).contains(size) },
      #Predicate { $0.sizes.max() == size }, #Predicate { $0.sizes.contains { $0 >= size } },
    ]
    for predicate in predicates {
      let error = try expectError(.untranslatablePredicate) {
        try PredicateTranslation.condition(of: predicate, scope)
      }
      #expect(error.message.contains("'order of QueryParcelSize'"), "\(error)")
    }
    let isEqual = #Predicate<QueryParcel> { $0.size == size }
    #expect(
      try PredicateTranslation.condition(of: isEqual, scope)
        == compare("size", is: .equal, "medium"))
    let isSlower = #Predicate<QueryParcel> { $0.speed < speed }
    #expect(
      try PredicateTranslation.condition(of: isSlower, scope) == compare("speed", is: .less, 9))
  }

  @Test func `properties that are not stored are an error`() throws {
    try expectError(.invalidQuery) { try translated(#Predicate { $0.label == nil }) }
  }
}
