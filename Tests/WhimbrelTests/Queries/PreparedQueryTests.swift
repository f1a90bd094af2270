import Foundation
import Testing
import Whimbrel
import WhimbrelEngine

/// Conditions that are built once and used with several values.
@Suite struct PreparedQueryTests {
  @Test func `a prepared query finds what a condition with the value finds`() throws {
    let test = try HarborStore()
    let byName = test.store.prepare(Harbor.self, taking: String.self) { $0.name == $1 }
    for name in (0..<20).map({ "harbor \($0)" }) + ["", "nowhere"] {
      let expected = test.harbors.where { $0.name == name }
      let found = byName(name)
      #expect(found.first?.id == expected.first?.id)
      #expect(found.ids == expected.ids)
      #expect(found.count == expected.count)
      #expect(found.isEmpty == expected.isEmpty)
      #expect(found.last?.id == expected.last?.id)
      #expect(try found.explain() == expected.explain())
    }
  }

  @Test func `an optional property and a parameter are calculated with`() throws {
    let test = try HarborStore()
    let scaled = test.store.prepare(Harbor.self, taking: Double.self) { $0.share * $1 > 0.5 }
    for factor in [0, 0.5, 1, 2.5, -4] {
      let expected = test.harbors.filter { harbor in
        harbor.share.map { $0 * factor > 0.5 } ?? false
      }
      #expect(scaled(factor).map(\.id) == expected.map(\.id))
    }
    #expect(scaled(2.5).count > 0)
  }

  @Test func `its closure is called once`() throws {
    let test = try HarborStore()
    var calls = 0
    let bySize = test.store.prepare(Harbor.self, taking: Int.self) { harbor, size in
      calls += 1
      return harbor.size == size
    }
    for size in 0..<5 { #expect(bySize(size).count == 4) }
    #expect(calls == 1)
  }

  @Test func `results with several values live beside each other`() throws {
    let test = try HarborStore()
    let bySize = test.store.prepare(Harbor.self, taking: Int.self) { $0.size == $1 }
    let results = (0..<5).map { bySize($0) }
    for (size, found) in results.enumerated() {
      #expect(found.map(\.id) == [size, size + 5, size + 10, size + 15])
    }
    try test.store.write {
      try test.harbor(0).size = 3
      #expect(results[3].map(\.id) == [0, 3, 8, 13, 18])
    }
    #expect(results[0].count == 3)
    #expect(results[3].count == 5)
  }

  @Test func `several parameters are taken in their order`() throws {
    let test = try HarborStore()
    let between = test.store.prepare(Harbor.self, taking: Int.self, Int.self, String.self) {
      harbor, low, high, code in
      harbor.size > low && high > harbor.size && harbor.coast.code == code
    }
    for (low, high, code) in [(0, 3, "N"), (1, 4, "S"), (3, 1, "N"), (-1, 9, "X")] {
      let expected = test.harbors.where {
        $0.size > low && $0.size < high && $0.coast.code == code
      }
      #expect(between(low, high, code).ids == expected.ids)
    }
  }

  @Test func `every kind of value can be a parameter`() throws {
    let test = try HarborStore()
    let store = test.store
    let byShare = store.prepare(Harbor.self, taking: Double?.self) { $0.share == $1 }
    #expect(byShare(nil).ids == test.harbors.where { $0.share == nil }.ids)
    #expect(byShare(3.5).map(\.id) == [7])
    let byPrice = store.prepare(Harbor.self, taking: Decimal.self) { $0.price < $1 }
    #expect(byPrice(0.3).map(\.id) == [0, 1, 2])
    let founded = store.prepare(Harbor.self, taking: Date.self) { $0.founded >= $1 }
    #expect(founded(Date(timeIntervalSinceReferenceDate: 18)).map(\.id) == [18, 19])
    let byRank = store.prepare(Harbor.self, taking: Int8.self) { $0.rank == $1 }
    #expect(byRank(-10).map(\.id) == [0])
    let byCoast = store.prepare(Harbor.self, taking: Coast?.self) { $0.coast == $1 }
    #expect(byCoast(test.north).ids == test.harbors.where { $0.coast == test.north }.ids)
    #expect(byCoast(nil).ids == test.harbors.where { $0.coast == nil }.ids)
    let byDouble = store.prepare(Harbor.self, taking: Int.self) { $0.size * 2 == $1 + 0 }
    #expect(byDouble(6).ids == test.harbors.where { $0.size == 3 }.ids)
    let byKey = store.prepare(Harbor.self, taking: Int.self) { $0.id == $1 }
    #expect(byKey(7).map(\.id) == [7])
    #expect(byKey(70).isEmpty)
    let isDone = store.prepare(Voyage.self, taking: Bool.self) { $0.isDone == $1 }
    #expect(isDone(true).isEmpty)
  }

  @Test func `a path through a link uses the index of the target`() throws {
    let test = try HarborStore()
    try test.store.write {
      for day in 0..<200 {
        let voyage = Voyage(day: day)
        voyage.harbor = day % 3 == 0 ? nil : try test.harbor(day % 20)
        try test.store.add(voyage)
      }
    }
    let byHarbor = test.store.prepare(Voyage.self, taking: String?.self) { $0.harbor.name == $1 }
    for name in ["harbor 1", "harbor 7", "nowhere", nil] {
      let expected = test.store.objects(Voyage.self).where { $0.harbor.name == name }
      #expect(byHarbor(name).ids == expected.ids)
      #expect(try byHarbor(name).explain() == expected.explain())
    }
    #expect(try byHarbor(nil).explain().isScan)
    #expect(
      try byHarbor("harbor 7").explain().indexes.map(\.name) == ["Harbor.name", "Voyage.harbor"])
  }

  @Test func `alternatives and sub-queries take parameters, too`() throws {
    let test = try HarborStore()
    let either = test.store.prepare(Harbor.self, taking: String.self, Int.self) {
      $0.name == $1 || $0.id == $2
    }
    #expect(either("harbor 0", 5).map(\.id) == [0, 5])
    #expect(try !either("harbor 0", 5).explain().isScan)
    let having = test.store.prepare(Coast.self, taking: Int.self) { coast, size in
      (coast.harbors.size >= size).count > 1
    }
    #expect(having(3).count == 2)
    #expect(having(4).count == 1)
    #expect(having(5).isEmpty)
    let negated = test.store.prepare(Harbor.self, taking: Int.self) { !($0.size == $1) }
    #expect(negated(2).count == 16)
  }

  @Test func `results of a prepared query take further stages`() throws {
    let test = try HarborStore()
    let bySize = test.store.prepare(Harbor.self, taking: Int.self) { $0.size == $1 }
    #expect(bySize(2).sorted(by: \.id, ascending: false).limit(2).map(\.id) == [17, 12])
    #expect(bySize(2).where { $0.id > 10 }.map(\.id) == [12, 17])
    #expect(bySize(2).sum(of: \.id) == 2 + 7 + 12 + 17)
    #expect(bySize(2).contains(try test.harbor(7)))
    #expect(bySize(2).index(of: try test.harbor(12)) == 2)
    #expect("\(bySize(9))" == "\(test.harbors.where { $0.size == 9 })")
    try test.store.write { try test.store.delete(bySize(2)) }
    #expect(test.harbors.count == 16)
    try test.place.expectWhole()
  }

  @Test func `a prepared query stays valid when another opening changes indexes`() throws {
    let test = try HarborStore()
    let bySize = test.store.prepare(Harbor.self, taking: Int.self) { $0.size == $1 }
    #expect(bySize(2).count == 4)
    let before = try bySize(2).explain()
    #expect(before.isScan)
    var classes = test.store.schema.classes
    let place = try #require(classes.firstIndex { $0.name == "Harbor" })
    classes[place] = ClassSchema(
      name: "Harbor",
      properties: classes[place].properties.map { property in
        var property = property
        if property.name == "size" { property.isIndexed = true }
        return property
      })
    var request = OpenRequest(path: test.place.url.path)
    request.declaration = Declaration(StoreSchema(classes: classes))
    request.schemaVersion = test.store.schemaVersion
    _ = try StoreFile.open(request)
    try test.store.refresh()
    #expect(bySize(2).count == 4)
    #expect(bySize(2).map(\.id) == [2, 7, 12, 17])
    #expect(try bySize(2).explain().indexes.map(\.name) == ["Harbor.size"])
  }

  @Test func `a condition that no store can answer finds nothing and says why`() throws {
    let test = try HarborStore()
    let wrong = test.store.prepare(Harbor.self, taking: Coast?.self) { $1.code == $0.name }
    #expect(wrong(nil).isEmpty)
    let error = #expect(throws: StoreError.self) { try wrong(nil).explain() }
    #expect(error?.code == .invalidQuery)
  }

  @Test func `an object that is not in the store is refused when it is given`() throws {
    let test = try HarborStore()
    let byCoast = test.store.prepare(Harbor.self, taking: Coast?.self) { $0.coast == $1 }
    let foreign = byCoast(Coast(code: "X"))
    #expect(foreign.isEmpty)
    #expect(throws: StoreError.self) { try foreign.explain() }
    #expect(throws: StoreError.self) { try test.store.write {} }
    #expect(byCoast(test.south).count == 7)
  }
}
