import Foundation
import Testing
import Whimbrel

/// Typed queries find what they say.
@Suite struct QueryAnswerTests {
  private let store: Store
  private let place: TestStore

  /// Three zones, the first of which is in a country.
  init() throws {
    place = try TestStore(TestStore.queryModels)
    store = try place.open()
    let store = store
    try store.write {
      let (one, two, three) = (zone("one"), zone("two"), zone("three"))
      let country = QueryCountry(code: "AD")
      try store.add([one, two, three])
      try store.add(country)
      country.zones.append(objectsIn: [one, two])
      one.country = country
      one.point = QueryPoint(x: 3, y: 4)
      (one.people, two.people, three.people) = (1, 2, 3)
      one.names["en"] = "Uno"
      two.names["fr"] = "Deux"
      one.twins["a"] = two
      three.neighbors.append(objectsIn: [one, two, two])
      one.anything = ["size": 5, "owner": .object(two)]
      two.anything = "éX"
      three.anything = 2.5
      one.numbers.formUnion([1, 2, 3])
      two.numbers.insert(7)
      one.uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
      two.bytes = Data([1, 2, 3])
      (one.offset, two.summer) = (QueryOffset(minutes: 60), QueryOffset(minutes: 30))
      (one.rank, two.lastArea) = (.high, .africa)
    }
  }

  private func zone(_ identifier: String) -> QueryZone { QueryZone(identifier: identifier) }

  private func found(_ isIncluded: (QueryValue<QueryZone>) -> QueryValue<Bool>) -> [String] {
    store.objects(QueryZone.self).where(isIncluded).map(\.identifier)
  }

  @Test func `conditions take values of every kind`() throws {
    let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    #expect(found { $0.uuid == uuid } == ["one"])
    #expect(found { $0.bytes.contains(Data([2, 3])) } == ["two"])
    #expect(found { $0.bytes.starts(with: Data([2])) } == [])
    #expect(found { $0.bytes.ends(with: Data([3])) } == ["two"])
    #expect(found { $0.offset > QueryOffset(minutes: 5) } == ["one"])
    #expect(found { $0.summer != nil } == ["two"])
    #expect(
      found { $0.summer.contains(QueryOffset(minutes: 0)...QueryOffset(minutes: 60)) } == ["two"])
    #expect(found { $0.rank == .high || $0.lastArea == .africa } == ["one", "two"])
    #expect(found { 10 - $0.people * 2 == 6 } == ["two"])
  }

  @Test func `conditions look into values of any type`() throws {
    let two = try #require(store.object(ofType: QueryZone.self, forPrimaryKey: "two"))
    #expect(found { $0.anything["size"] == 5 } == ["one"])
    #expect(found { $0.anything["size"] > 4.5 } == ["one"])
    #expect(found { $0.anything["owner"] == .object(two) } == ["one"])
    #expect(found { $0.anything.keys.starts(with: "ow") } == ["one"])
    #expect(
      found { $0.anything.starts(with: "EX", options: [.caseInsensitive, .diacriticInsensitive]) }
        == ["two"])
    #expect(found { $0.anything.in([2.5, "x"]) } == ["three"])
  }

  @Test func `a predicate compares numbers of any type by their value`() throws {
    let zones = store.objects(QueryZone.self)
    try store.write {
      zones[0].anything = 5
      zones[0].twin = zones[1]
      zones[1].anything = 5.0
    }
    let areEqual = #Predicate<QueryZone> { $0.twin!.anything == $0.anything }
    #expect(try zones.where(areEqual).map(\.identifier) == ["one"])
  }

  @Test func `a list or a map of objects does not equal one of its objects`() throws {
    let two = try #require(store.object(ofType: QueryZone.self, forPrimaryKey: "two"))
    try store.write { two.anything = .object(two) }
    #expect(found { $0.anything == .object(two) } == ["two"])
    #expect(found { $0.anything.in([.object(two)]) } == ["two"])
    #expect(found { $0.anything == .object(two) && $0.people > 0 } == ["two"])
    #expect(found { $0.anything == .object(two) || $0.people > 5 } == ["two"])
    #expect(found { $0.anything != .object(two) } == ["one", "three"])
    #expect(store.objects(QueryZone.self).where { $0.anything == .object(two) }.count == 1)
    try store.write { two.anything = .list([.object(two)]) }
    #expect(found { $0.anything == .object(two) } == [])
    #expect(found { $0.anything == .list([.object(two)]) } == ["two"])
  }

  @Test func `the extremes of values of any type do not depend on the order of objects`() throws {
    let zones = store.objects(QueryZone.self)
    let values: [AnyValue] = [true, 5, "a"]
    for shift in 0..<3 {
      try store.write { for place in 0..<3 { zones[place].anything = values[(place + shift) % 3] } }
      let dynamic = try store.dynamicObjects("QueryZone")
      #expect(try dynamic.min(of: "anything") == .bool(true))
      #expect(try dynamic.max(of: "anything") == .string("a"))
    }
  }

  @Test func `conditions look into links, collections and inverses`() throws {
    let one = try #require(store.object(ofType: QueryZone.self, forPrimaryKey: "one"))
    let country = try #require(store.objects(QueryCountry.self).first)
    #expect(found { $0.country == country } == ["one"])
    #expect(found { $0.country.in([country]) } == ["one"])
    #expect(found { $0.country == nil } == ["two", "three"])
    #expect(found { $0.point.x < $0.point.y } == ["one"])
    #expect(found { $0 != one } == ["two", "three"])
    #expect(found { $0.neighbors.contains(one) } == ["three"])
    #expect(found { ($0.neighbors.people == 2).count == 2 } == ["three"])
    #expect(found { $0.neighbors.people.sum == 5 && $0.neighbors.people.min == 1 } == ["three"])
    #expect(found { $0.neighbors.none.people == 1 } == ["one", "two"])
    #expect(found { $0.numbers.sum > 6 } == ["two"])
    #expect(found { $0.numbers.avg == 2 } == ["one"])
    #expect(found { $0.numbers.containsAny(in: [3, 7]) } == ["one", "two"])
    #expect(found { $0.country.linked.people.max == 1 } == ["one"])
    let countries = store.objects(QueryCountry.self)
    #expect(countries.where { $0.linked.count == 1 && $0.zones.all.people < 3 }.count == 1)
    #expect(countries.where { $0.linked.isEmpty }.isEmpty)
  }

  @Test func `conditions look into maps`() {
    #expect(found { $0.names["en"] == "Uno" } == ["one"])
    #expect(found { $0.names["en"] == nil } == ["two", "three"])
    #expect(found { $0.names.keys == "fr" } == ["two"])
    #expect(found { $0.names.values.like("*u?", options: .caseInsensitive) } == ["two"])
    #expect(found { $0.names.all != "Uno" } == ["two", "three"])
    #expect(found { $0.twins["a"].people == 2 } == ["one"])
    #expect(found { $0.twins["a"] == nil } == ["two", "three"])
    #expect(found { $0.twins.count == 1 && $0.twins.names.keys == "fr" } == ["one"])
  }

  @Test func `conditions of several stages are live, in a write too`() throws {
    let few = store.objects(QueryZone.self).where { $0.people > 1 }.where { $0.people < 9 }
    #expect(few.map(\.identifier) == ["two", "three"])
    try store.write {
      few.first?.people = 9
      #expect(few.map(\.identifier) == ["three"])
    }
    #expect(few.map(\.identifier) == ["three"])
    let named = try few.where(#Predicate { $0.identifier == "three" })
    #expect(named.count == 1)
  }

  @Test func `a search finds the words of a text`() throws {
    let bodies = ["A swan on the lake", "Two swans", "The lake at night", "Swan song"]
    try store.write {
      for (id, body) in bodies.enumerated() { try store.add(QueryArticle(id: id, body: body)) }
    }
    let articles = store.objects(QueryArticle.self)
    #expect(articles.where { $0.body.search("swan -lake") }.map(\.id) == [3])
    #expect(articles.where { $0.body.search("lake") && $0.id > 0 }.map(\.id) == [2])
    #expect(articles.where { !$0.body.search("swan*") }.map(\.id) == [2])
  }
}
