import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTesting

@testable import Whimbrel

/// What one condition is as a predicate, as a typed query and as text.
private struct ThreeWays {
  let predicate: Predicate<QueryZone>
  let query: (QueryValue<QueryZone>) -> QueryValue<Bool>
  let text: String
  let arguments: [PropertyValue]

  init(
    _ text: String, _ arguments: [PropertyValue] = [], _ predicate: Predicate<QueryZone>,
    _ query: @escaping (QueryValue<QueryZone>) -> QueryValue<Bool>
  ) {
    self.text = text
    self.arguments = arguments
    self.predicate = predicate
    self.query = query
  }
}

/// Predicates, typed queries and texts that say the same find the same objects: those for
/// which Swift finds the predicate true.
@Suite struct QueryAgreementTests {
  private let store: Store
  private let place: TestStore

  /// Two hundred zones of random values that make the difference.
  init() throws {
    place = try TestStore(TestStore.queryModels)
    store = try place.open()
    var random = SeededGenerator(seed: 7)
    let store = store
    try store.write {
      let countries = ["AD", "ES", "FR"].map { QueryCountry(code: $0) }
      for country in countries { country.name = "country \(country.code)" }
      let zones = (0..<200).map { QueryZone(identifier: "zone \($0)") }
      try store.add(countries)
      try store.add(zones)
      for zone in zones { fill(zone, zones, countries, &random) }
      for country in countries {
        country.capital = zones.randomElement(using: &random)
        country.zones.append(objectsIn: zones.shuffled(using: &random).prefix(20))
      }
    }
  }

  private func fill(
    _ zone: QueryZone, _ zones: [QueryZone], _ countries: [QueryCountry],
    _ random: inout SeededGenerator
  ) {
    let numbers: [Double] = [.nan, .infinity, -.infinity, -0.0, 0, 3, 59.5, 60, 60.5]
    zone.latitude = numbers.randomElement(using: &random) ?? 0
    zone.longitude = numbers.randomElement(using: &random) ?? 0
    zone.people = Int.random(in: 0...9, using: &random)
    zone.ratio = Float(zone.people) / 10
    zone.small = Int16.random(in: -3...3, using: &random)
    zone.height = [nil, 0, 3, 5, 9].randomElement(using: &random) ?? nil
    zone.note = [nil, "", "x", "Xy", "éx", "straße"].randomElement(using: &random) ?? nil
    zone.price = Decimal(Int.random(in: 0...30, using: &random)) / 10
    zone.isActive = Bool.random(using: &random)
    zone.isKnown = [nil, true, false].randomElement(using: &random) ?? nil
    zone.area = QueryArea.allCases.randomElement(using: &random) ?? .africa
    zone.made = Date(timeIntervalSinceReferenceDate: Double(zone.people))
    zone.country = ([nil] + countries).randomElement(using: &random) ?? nil
    zone.twin = Bool.random(using: &random) ? zones.randomElement(using: &random) : nil
    let count = Int.random(in: 0...3, using: &random)
    for _ in 0..<count {
      zone.tags.append(["a", "b", "ab"].randomElement(using: &random) ?? "a")
      zone.numbers.insert(Int.random(in: 0...6, using: &random))
      zone.neighbors.append(zones.randomElement(using: &random) ?? zone)
    }
  }

  private func check(
    _ ways: ThreeWays, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let zones = store.objects(QueryZone.self)
    let expected = zones.lazy.filter { zone in (try? ways.predicate.evaluate(zone)) ?? false }
      .map(\.identifier)
    let found = try zones.where(ways.predicate).map(\.identifier)
    #expect(found == Array(expected), "predicate: \(ways.text)", sourceLocation: sourceLocation)
    let queried = zones.where(ways.query).map(\.identifier)
    #expect(queried == Array(expected), "query: \(ways.text)", sourceLocation: sourceLocation)
    let request = try QueryRequest(
      "QueryZone", parsing: ways.text, arguments: ways.arguments, in: store.schema)
    #expect(
      request.stages == [.filter(ways.query(QueryValue(of: store.session)).part.condition)],
      "text: \(ways.text)", sourceLocation: sourceLocation)
    #expect(
      !found.isEmpty && found.count < zones.count, "\(ways.text) tells nothing",
      sourceLocation: sourceLocation)
  }

  @Test func `text, predicates and closures agree on comparisons`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 5)
    let area = QueryArea.europe
    try check(
      ThreeWays("latitude > 60.0", [], #Predicate { $0.latitude > 60 }) { $0.latitude > 60 })
    try check(
      ThreeWays("latitude <= 60.0", [], #Predicate { $0.latitude <= 60 }) { $0.latitude <= 60 })
    try check(
      ThreeWays("latitude == 0.0", [], #Predicate { $0.latitude == 0 }) { $0.latitude == 0 })
    try check(
      ThreeWays("latitude != 0.0", [], #Predicate { $0.latitude != 0 }) { $0.latitude != 0 })
    try check(
      ThreeWays("latitude == longitude", [], #Predicate { $0.latitude == $0.longitude }) {
        $0.latitude == $0.longitude
      })
    try check(
      ThreeWays("NOT (latitude < longitude)", [], #Predicate { !($0.latitude < $0.longitude) }) {
        !($0.latitude < $0.longitude)
      })
    try check(ThreeWays("height == nil", [], #Predicate { $0.height == nil }) { $0.height == nil })
    try check(ThreeWays("height != 5", [], #Predicate { $0.height != 5 }) { $0.height != 5 })
    try check(ThreeWays("height > 3", [], #Predicate { $0.height! > 3 }) { $0.height > 3 })
    try check(
      ThreeWays("price >= decimal(2)", [], #Predicate { $0.price >= 2 }) { $0.price >= 2 })
    try check(
      ThreeWays("made < $0", [.date(date)], #Predicate { $0.made < date }) { $0.made < date })
    try check(ThreeWays("area == 'europe'", [], #Predicate { $0.area == area }) { $0.area == area })
    try check(ThreeWays("note == 'Xy'", [], #Predicate { $0.note == "Xy" }) { $0.note == "Xy" })
    try check(
      ThreeWays("isKnown == false", [], #Predicate { $0.isKnown == false }) {
        $0.isKnown == false
      })
  }

  @Test func `text, predicates and closures agree on junctions, ranges and arithmetic`() throws {
    try check(
      ThreeWays(
        "people > 2 AND isActive == true AND small != 0", [],
        #Predicate { $0.people > 2 && $0.isActive && $0.small != 0 }
      ) { $0.people > 2 && $0.isActive && $0.small != 0 })
    try check(
      ThreeWays(
        "people > 8 OR NOT isActive == true", [], #Predicate { $0.people > 8 || !$0.isActive }
      ) { $0.people > 8 || !$0.isActive })
    try check(
      ThreeWays("people BETWEEN {1, 3}", [], #Predicate { (1...3).contains($0.people) }) {
        $0.people.contains(1...3)
      })
    try check(
      ThreeWays("people BETWEEN 1 ..< 3", [], #Predicate { (1..<3).contains($0.people) }) {
        $0.people.contains(1..<3)
      })
    try check(
      ThreeWays("people IN {1, 3}", [], #Predicate { [1, 3].contains($0.people) }) {
        $0.people.in([1, 3])
      })
    try check(
      ThreeWays("people + 2 > 6", [], #Predicate { $0.people + 2 > 6 }) { $0.people + 2 > 6 })
    try check(
      ThreeWays("people / 2 == 2", [], #Predicate { $0.people / 2 == 2 }) { $0.people / 2 == 2 })
    try check(
      ThreeWays(
        "latitude * 2.0 - longitude > 1.0", [],
        #Predicate {
          $0.latitude * 2 - $0.longitude > 1
        }
      ) { $0.latitude * 2 - $0.longitude > 1 })
  }

  @Test func `text, predicates and closures agree on texts and links`() throws {
    try check(
      ThreeWays("identifier CONTAINS '1'", [], #Predicate { $0.identifier.contains("1") }) {
        $0.identifier.contains("1")
      })
    try check(
      ThreeWays(
        "identifier BEGINSWITH 'zone 1'", [],
        #Predicate {
          $0.identifier.starts(with: "zone 1")
        }
      ) { $0.identifier.starts(with: "zone 1") })
    try check(
      ThreeWays("note CONTAINS 'x'", [], #Predicate { $0.note?.contains("x") == true }) {
        $0.note.contains("x")
      })
    try check(
      ThreeWays(
        "country.name == 'country ES'", [],
        #Predicate {
          $0.country?.name == "country ES"
        }
      ) { $0.country.name == "country ES" })
    try check(
      ThreeWays(
        "country.name != 'country ES'", [],
        #Predicate {
          $0.country?.name != "country ES"
        }
      ) { $0.country.name != "country ES" })
    try check(
      ThreeWays("country == nil", [], #Predicate { $0.country == nil }) { $0.country == nil })
    try check(
      ThreeWays(
        "country.capital.people > 3", [],
        #Predicate {
          ($0.country?.capital?.people ?? 0) > 3
        }
      ) { $0.country.capital.people > 3 })
    try check(
      ThreeWays("twin.height == nil", [], #Predicate { $0.twin?.height == nil }) {
        $0.twin.height == nil
      })
  }

  @Test func `text, predicates and closures agree on collections`() throws {
    try check(
      ThreeWays("neighbors.@count > 1", [], #Predicate { $0.neighbors.count > 1 }) {
        $0.neighbors.count > 1
      })
    try check(
      ThreeWays("tags.@count == 0", [], #Predicate { $0.tags.isEmpty }) { $0.tags.isEmpty })
    try check(
      ThreeWays("ANY tags == 'ab'", [], #Predicate { $0.tags.contains("ab") }) {
        $0.tags.contains("ab")
      })
    try check(
      ThreeWays("ANY numbers > 4", [], #Predicate { $0.numbers.contains { $0 > 4 } }) {
        $0.numbers.any > 4
      })
    try check(
      ThreeWays("ALL numbers > 1", [], #Predicate { $0.numbers.allSatisfy { $0 > 1 } }) {
        $0.numbers.all > 1
      })
    try check(
      ThreeWays("NONE numbers > 1", [], #Predicate { !$0.numbers.contains { $0 > 1 } }) {
        $0.numbers.none > 1
      })
    try check(
      ThreeWays(
        "ANY neighbors.people > 7", [],
        #Predicate {
          $0.neighbors.contains { $0.people > 7 }
        }
      ) { $0.neighbors.people > 7 })
    try check(
      ThreeWays(
        "ALL neighbors.people > 2", [],
        #Predicate {
          $0.neighbors.allSatisfy { $0.people > 2 }
        }
      ) { $0.neighbors.all.people > 2 })
    try check(
      ThreeWays(
        "SUBQUERY(neighbors, $x, $x.people > 2 AND $x.country.code == 'AD').@count >= 1", [],
        #Predicate {
          $0.neighbors.filter { $0.people > 2 && $0.country?.code == "AD" }.count >= 1
        }
      ) { ($0.neighbors.people > 2 && $0.neighbors.country.code == "AD").count >= 1 })
    try check(
      ThreeWays("numbers.@max == 3", [], #Predicate { $0.numbers.max() == 3 }) {
        $0.numbers.max == 3
      })
    try check(
      ThreeWays(
        "country.zones.@count > 1", [],
        #Predicate {
          ($0.country?.zones.count ?? 0) > 1
        }
      ) { $0.country.zones.count > 1 })
  }

  /// What only predicates can say.
  @Test func `a predicate that becomes several conditions finds what Swift finds`() throws {
    let predicates: [Predicate<QueryZone>] = [
      #Predicate { ($0.height ?? 4) > 3 },
      #Predicate { ($0.height ?? $0.people) + 1 == 4 },
      #Predicate { $0.isKnown ?? false },
      #Predicate { $0.isKnown ?? true },
      #Predicate { ($0.isKnown ?? true) == $0.isActive },
      #Predicate { $0.people > 4 ? $0.isActive : $0.height == nil },
      #Predicate { ($0.people > 4 ? $0.people : $0.height ?? 9) > 5 },
      #Predicate { if let note = $0.note { note.contains("x") } else { $0.isActive } },
      #Predicate { zone in zone.height.flatMap { _ in zone.isActive } ?? false },
      #Predicate { zone in zone.height.flatMap { _ in zone.people } == 3 },
      #Predicate { zone in zone.twin.flatMap { _ in zone.height } == nil },
      #Predicate { $0.country?.zones.isEmpty == nil },
      #Predicate { $0.twin?.country?.name == $0.country?.name },
      #Predicate { $0.twin?.isActive != true },
      #Predicate { ($0.people > 4) != $0.isActive },
      #Predicate { $0.twin.flatMap { $0.twin } == nil },
      #Predicate { $0.numbers.contains { $0 == 1 || $0 > 5 } },
      #Predicate { zone in zone.numbers.contains { $0 > zone.people } },
      #Predicate { $0.numbers.allSatisfy { $0 != 1 && $0 < 6 } },
      #Predicate { $0.neighbors.filter { $0.people > 2 }.allSatisfy { $0.isActive } },
      #Predicate { $0.neighbors.contains { $0.neighbors.contains { $0.people == 9 } } },
      #Predicate { $0.country?.zones.contains { $0.people == 9 && $0.isActive } == true },
      #Predicate { ($0.small...5).contains(2) && !(0..<$0.people).contains(3) },
      #Predicate { -$0.people < -3 && $0.latitude / 2 < 30 },
      #Predicate { ["x", "Xy"].contains($0.note ?? "x") },
      // Doubles round these sums and quotients differently.
      #Predicate { $0.ratio + 0.1 == 0.3 },
      #Predicate { $0.ratio / 3 == 0.1 },
      // The opposite of 0 is −0.
      #Predicate { 1 / (-$0.longitude) > 0 },
    ]
    let zones = store.objects(QueryZone.self)
    for (number, predicate) in predicates.enumerated() {
      let expected = zones.lazy.filter { zone in (try? predicate.evaluate(zone)) ?? false }
        .map(\.identifier)
      let found = try zones.where(predicate).map(\.identifier)
      #expect(found == Array(expected), "predicate \(number)")
      #expect(!found.isEmpty && found.count < zones.count, "predicate \(number) tells nothing")
    }
  }
}
