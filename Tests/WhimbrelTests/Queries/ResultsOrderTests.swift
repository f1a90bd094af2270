import Foundation
import Testing
import Whimbrel

@Suite struct ResultsOrderTests {
  @Test func `one property puts objects in order, up and down`() throws {
    let test = try HarborStore()
    let names = test.harbors.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(test.harbors.sorted(by: \.name).map(\.name) == names)
    #expect(test.harbors.sorted(by: \.name, ascending: false).map(\.name) == names.reversed())
    // Those that tie stay as they were.
    #expect(test.harbors.sorted(by: \.size).limit(6).map(\.id) == [0, 5, 10, 15, 1, 6])
    let down = test.harbors.sorted(by: \.size, ascending: false)
    #expect(down.limit(6).map(\.id) == [4, 9, 14, 19, 3, 8])
  }

  @Test func `nil comes first`() throws {
    let test = try HarborStore()
    #expect(test.harbors.sorted(by: \.share).limit(7).map(\.id) == [0, 4, 8, 12, 16, 1, 2])
    #expect(test.harbors.sorted(by: \.founded).offset(9).limit(3).map(\.id) == [9, 10, 11])
  }

  @Test func `several properties order objects, also through links that may be nil`() throws {
    let test = try HarborStore()
    let sorted = test.harbors.sorted(by: [
      .descending(\.coast.name), .ascending(\.size), .descending(\.id),
    ])
    let expected = Array(test.harbors).sorted { left, right in
      let names = (left.coast?.name ?? "", right.coast?.name ?? "")
      if names.0 != names.1 { return names.0 > names.1 }
      return left.size != right.size ? left.size < right.size : left.id > right.id
    }
    #expect(sorted.map(\.id) == expected.map(\.id))
    #expect(test.harbors.sorted(by: []).map(\.id) == Array(0..<20))
    let voyages = test.store.objects(Voyage.self)
    try test.store.write {
      for day in 0..<6 { try test.store.add(Voyage(day: day, harbor: test.harbor(day % 3))) }
    }
    #expect(voyages.sorted(by: \.harbor.coast.code).map(\.day) == [2, 5, 0, 3, 1, 4])
  }

  @Test func `of objects with the same values only the first is left`() throws {
    let test = try HarborStore()
    #expect(test.harbors.distinct(by: \.size).map(\.id) == [0, 1, 2, 3, 4])
    let last = test.harbors.sorted(by: \.id, ascending: false).distinct(by: \.size)
    #expect(last.map(\.id) == [19, 18, 17, 16, 15])
    #expect(test.harbors.distinct(by: \.coast.code).map(\.id) == [0, 1, 2])
    // The coast in the south has no name, and that is nil as where there is no coast.
    #expect(test.harbors.distinct(by: \.coast.name).map(\.id) == [0, 1])
    #expect(test.harbors.distinct(by: \.size, \.coast.code).count == 15)
    #expect(test.harbors.distinct(by: \.share).count == 16)
  }

  @Test func `of a link the objects with the same target are told apart`() throws {
    let test = try HarborStore()
    #expect(test.harbors.distinct(by: \.coast).map(\.id) == [0, 1, 2])
    #expect(test.harbors.distinct(by: \.coast, \.size).count == 15)
  }

  // MARK: Aggregates

  @Test func `results give the least, the greatest, the sum and the average`() throws {
    let test = try HarborStore()
    #expect(test.harbors.min(of: \.size) == 0)
    #expect(test.harbors.max(of: \.rank) == 9)
    #expect(test.harbors.sum(of: \.size) == 40)
    #expect(test.harbors.average(of: \.size) == 2)
    // More than fits into an Int8.
    #expect(test.harbors.where { $0.rank > 0 }.sum(of: \.rank) == 45)
    #expect(test.harbors.sum(of: \.price) == Decimal(19))
    #expect(test.harbors.average(of: \.price) == Decimal(95) / 100)
    #expect(test.harbors.min(of: \.founded) == Date(timeIntervalSinceReferenceDate: 10))
    #expect(test.harbors.max(of: \.price) == Decimal(19) / 10)
  }

  @Test func `nil is passed over, and there is nothing of nothing`() throws {
    let test = try HarborStore()
    let shares = test.harbors.compactMap(\.share)
    #expect(test.harbors.min(of: \.share) == 0.5)
    #expect(test.harbors.max(of: \.share) == 9.5)
    #expect(test.harbors.sum(of: \.share) == shares.reduce(0, +))
    #expect(test.harbors.average(of: \.share) == shares.reduce(0, +) / 15)
    let none = test.harbors.where { $0.size > 8 }
    #expect(none.min(of: \.share) == nil && none.max(of: \.size) == nil)
    #expect(none.average(of: \.price) == nil && none.average(of: \.size) == nil)
    #expect(none.sum(of: \.share) == 0 && none.sum(of: \.size) == 0 && none.sum(of: \.price) == 0)
    let early = test.harbors.where { $0.id < 5 }
    #expect(early.max(of: \.founded) == nil)
  }

  @Test func `aggregates follow the stages before them, and changes`() throws {
    let test = try HarborStore()
    let last = test.harbors.sorted(by: \.id, ascending: false).limit(3)
    #expect(last.sum(of: \.id) == 17 + 18 + 19)
    try test.store.write {
      try test.store.delete(test.harbor(19))
      #expect(last.sum(of: \.id) == 16 + 17 + 18)
      #expect(last.max(of: \.id) == 18)
    }
    #expect(last.min(of: \.id) == 16)
  }

  @Test func `aggregates lead through links and collections`() throws {
    let test = try HarborStore()
    try test.store.write {
      test.north.tour.append(objectsIn: try [test.harbor(3), test.harbor(3), test.harbor(19)])
      try test.store.add(Voyage(day: 0, harbor: test.harbor(7)))
      try test.store.add(Voyage(day: 1))
    }
    #expect(test.store.objects(Voyage.self).sum(of: \.harbor.id) == 7)
    #expect(test.store.objects(Coast.self).sum(of: \.tour.id) == 25)
    #expect(test.store.objects(Coast.self).max(of: \.harbors.id) == 19)
  }

  @Test func `a sum that does not fit is nothing, and the next write says so`() throws {
    let test = try HarborStore()
    try test.store.write {
      try test.harbor(0).size = .max
      try test.harbor(1).size = .max
    }
    #expect(test.harbors.sum(of: \.size) == 0)
    try expectError(.outOfRange) { try test.store.refresh() }
    #expect(try test.store.refresh() == false)
  }
}
