import Foundation
import Testing
import Whimbrel

@Suite struct ResultsOrderTests {
  @Test func `one property puts objects in order, up and down`() throws {
    let test = try TownStore()
    let names = test.towns.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(test.towns.sorted(by: \.name).map(\.name) == names)
    #expect(test.towns.sorted(by: \.name, ascending: false).map(\.name) == names.reversed())
    // Those that tie stay as they were.
    #expect(test.towns.sorted(by: \.size).limit(6).map(\.id) == [0, 5, 10, 15, 1, 6])
    let down = test.towns.sorted(by: \.size, ascending: false)
    #expect(down.limit(6).map(\.id) == [4, 9, 14, 19, 3, 8])
  }

  @Test func `nil comes first`() throws {
    let test = try TownStore()
    #expect(test.towns.sorted(by: \.share).limit(7).map(\.id) == [0, 4, 8, 12, 16, 1, 2])
    #expect(test.towns.sorted(by: \.founded).offset(9).limit(3).map(\.id) == [9, 10, 11])
  }

  @Test func `several properties, also through links, which may be nil`() throws {
    let test = try TownStore()
    let sorted = test.towns.sorted(by: [.descending(\.land.name), .ascending(\.size), .descending(\.id)])
    let expected = Array(test.towns).sorted { left, right in
      let names = (left.land?.name ?? "", right.land?.name ?? "")
      if names.0 != names.1 { return names.0 > names.1 }
      return left.size != right.size ? left.size < right.size : left.id > right.id
    }
    #expect(sorted.map(\.id) == expected.map(\.id))
    #expect(test.towns.sorted(by: []).map(\.id) == Array(0..<20))
    let trips = test.store.objects(Trip.self)
    try test.store.write {
      for day in 0..<6 { try test.store.add(Trip(day: day, town: test.town(day % 3))) }
    }
    #expect(trips.sorted(by: \.town.land.code).map(\.day) == [2, 5, 0, 3, 1, 4])
  }

  @Test func `of objects with the same values only the first is left`() throws {
    let test = try TownStore()
    #expect(test.towns.distinct(by: \.size).map(\.id) == [0, 1, 2, 3, 4])
    let last = test.towns.sorted(by: \.id, ascending: false).distinct(by: \.size)
    #expect(last.map(\.id) == [19, 18, 17, 16, 15])
    #expect(test.towns.distinct(by: \.land.code).map(\.id) == [0, 1, 2])
    // The land in the south has no name, and that is nil as where there is no land.
    #expect(test.towns.distinct(by: \.land.name).map(\.id) == [0, 1])
    #expect(test.towns.distinct(by: \.size, \.land.code).count == 15)
    #expect(test.towns.distinct(by: \.share).count == 16)
  }

  @Test func `there is no order by data, collections or links`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try TownStore().towns.sorted(by: \.land).count
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("'Town'") || text.contains("'Town.land'"))
  }

  // MARK: Aggregates

  @Test func `the least, the greatest, the sum and the average`() throws {
    let test = try TownStore()
    #expect(test.towns.min(of: \.size) == 0)
    #expect(test.towns.max(of: \.rank) == 9)
    #expect(test.towns.sum(of: \.size) == 40)
    #expect(test.towns.average(of: \.size) == 2)
    // More than fits into an Int8.
    #expect(test.towns.where { $0.rank > 0 }.sum(of: \.rank) == 45)
    #expect(test.towns.sum(of: \.price) == Decimal(19))
    #expect(test.towns.average(of: \.price) == Decimal(95) / 100)
    #expect(test.towns.min(of: \.founded) == Date(timeIntervalSinceReferenceDate: 10))
    #expect(test.towns.max(of: \.price) == Decimal(19) / 10)
  }

  @Test func `nil is passed over, and there is nothing of nothing`() throws {
    let test = try TownStore()
    let shares = test.towns.compactMap(\.share)
    #expect(test.towns.min(of: \.share) == 0.5)
    #expect(test.towns.max(of: \.share) == 9.5)
    #expect(test.towns.sum(of: \.share) == shares.reduce(0, +))
    #expect(test.towns.average(of: \.share) == shares.reduce(0, +) / 15)
    let none = test.towns.where { $0.size > 8 }
    #expect(none.min(of: \.share) == nil && none.max(of: \.size) == nil)
    #expect(none.average(of: \.price) == nil && none.average(of: \.size) == nil)
    #expect(none.sum(of: \.share) == 0 && none.sum(of: \.size) == 0 && none.sum(of: \.price) == 0)
    let early = test.towns.where { $0.id < 5 }
    #expect(early.max(of: \.founded) == nil)
  }

  @Test func `aggregates follow the stages before them, and changes`() throws {
    let test = try TownStore()
    let last = test.towns.sorted(by: \.id, ascending: false).limit(3)
    #expect(last.sum(of: \.id) == 17 + 18 + 19)
    try test.store.write {
      try test.store.delete(test.town(19))
      #expect(last.sum(of: \.id) == 16 + 17 + 18)
      #expect(last.max(of: \.id) == 18)
    }
    #expect(last.min(of: \.id) == 16)
  }

  @Test func `aggregates lead through links and collections`() throws {
    let test = try TownStore()
    try test.store.write {
      test.north.tour.append(objectsIn: try [test.town(3), test.town(3), test.town(19)])
      try test.store.add(Trip(day: 0, town: test.town(7)))
      try test.store.add(Trip(day: 1))
    }
    #expect(test.store.objects(Trip.self).sum(of: \.town.id) == 7)
    #expect(test.store.objects(Land.self).sum(of: \.tour.id) == 25)
    #expect(test.store.objects(Land.self).max(of: \.towns.id) == 19)
  }

  @Test func `a sum that does not fit is nothing, and the next write says so`() throws {
    let test = try TownStore()
    try test.store.write {
      try test.town(0).size = .max
      try test.town(1).size = .max
    }
    #expect(test.towns.sum(of: \.size) == 0)
    try expectError(.outOfRange) { try test.store.refresh() }
    #expect(try test.store.refresh() == false)
  }
}
