import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct StoreStatisticsTests {
  let folder: TestFolder
  private var path: String { folder.path("a.whimbrel") }

  init() throws { folder = try TestFolder() }

  /// The statistics of a property `it` of objects with these values.
  private func statistics(
    _ type: PropertyType, _ values: [PropertyValue], isOptional: Bool = false
  ) throws -> PropertyStatistics {
    let path = folder.path("\(UUID().uuidString).whimbrel")
    let property = PropertySchema(name: "it", type: type, isOptional: isOptional)
    try makeStore(at: path, [ClassSchema(name: "Thing", properties: [property])]) { session in
      let table = try session.table("Thing")
      for value in values { _ = try table.create(["it": value], replacing: false) }
    }
    let found = try StoreStatistics(
      of: ObjectSelection(className: "Thing"), in: StoreInspector(path: path))
    #expect(found.objects == values.count)
    return try #require(found.properties.first)
  }

  @Test func `nil values, bounds and the spread of numbers are counted`() throws {
    let values = (0..<100).map { PropertyValue.int($0) } + [.null, .null, .int(1_000)]
    let found = try statistics(.int, values, isOptional: true)
    #expect(found.nils == 2)
    #expect(found.values == 101)
    #expect(found.distinct == 101)
    #expect(found.isDistinctExact)
    #expect(found.minimum == .int(0))
    #expect(found.maximum == .int(1_000))
    #expect(found.histogram.map(\.count) == [100, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    #expect(found.histogram.first?.from == .double(0))
    #expect(found.histogram.last?.to == .double(1_000))
    #expect(found.mean == .double((4_950 + 1_000) / 101.0))
  }

  @Test func `what is no finite number is no part of the spread`() throws {
    let found = try statistics(
      .double, [.double(.nan), .double(.infinity), .double(1), .double(3), .double(.nan)])
    #expect(found.histogram.reduce(0) { $0 + $1.count } == 2)
    #expect(found.distinct == 4)
    #expect(found.mean == .double(2))
    let largest = try statistics(
      .double, [.double(-.greatestFiniteMagnitude), .double(.greatestFiniteMagnitude), .double(0)])
    #expect(largest.histogram.map(\.count).reduce(0, +) == 3)
    let least = try statistics(.double, [.double(0), .double(.leastNonzeroMagnitude)])
    #expect(least.histogram.map(\.count) == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  }

  @Test func `frequent values are counted though there are many others`() throws {
    var values = (0..<20_000).map { PropertyValue.string("other \($0)") }
    values += (0..<300).map { _ in "often" } + (0..<200).map { _ in "less often" }
    values.shuffle()
    let found = try statistics(.string, values)
    #expect(found.top.map(\.text) == ["often", "less often"])
    #expect(found.top.map(\.count) == [300, 200])
    #expect(found.distinct == 20_002)
    #expect(found.lengths == 5...11)
  }

  @Test func `very many different values are estimated`() throws {
    let count = 200_000
    let found = try statistics(.int, (0..<count).map { .int(Int64($0)) })
    #expect(!found.isDistinctExact)
    #expect(abs(found.distinct - count) < count / 50, "\(found.distinct)")
  }

  @Test func `of collections the elements count`() throws {
    let found = try statistics(
      .list(of: ElementType(.int)), [[1, 2, 2], [], [2]].map(PropertyValue.list))
    #expect(found.sizes == 0...3)
    #expect(found.values == 4)
    #expect(found.distinct == 2)
    #expect(found.top.first?.count == 3)
  }

  @Test func `only some properties and the first objects are looked at`() throws {
    try Sample.make(at: path)
    let inspector = try StoreInspector(path: path)
    func statistics(_ properties: String? = nil, limit: Int? = nil, _ query: String = "") throws
      -> StoreStatistics
    {
      try StoreStatistics(
        of: ObjectSelection(className: "Zone", query: query), properties: properties, limit: limit,
        in: inspector)
    }
    let some = try statistics("area, latitude,area", limit: 1)
    #expect(some.properties.map(\.name) == ["area", "latitude"])
    #expect(some.properties.map(\.objects) == [1, 1])
    #expect(some.objects == 1 && !some.isComplete)
    #expect(try some.text().hasPrefix("Zone: the first 1 object\n"))
    let json = String(decoding: some.json(), as: UTF8.self)
    #expect(
      json.hasPrefix(#"{"class":"Zone","objects":1,"isComplete":false,"properties":[{"class""#))
    let lines = String(decoding: some.jsonLines(), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { json.contains($0) })
    #expect(lines.allSatisfy { $0.contains(#""objects":1,"isComplete":false,"#) })
    for limit in [2, 3, .max] {
      let all = try statistics(limit: limit)
      #expect(all.objects == 2 && all.isComplete)
    }
    let none = try statistics(limit: 0)
    #expect(none.objects == 0 && !none.isComplete)
    let one = try statistics(limit: 1, "latitude > 40")
    #expect(one.objects == 1 && one.isComplete)
    for text in ["country.name", "#", "nothing", ""] {
      expectError(.badArgument) { try statistics(text) }
    }
  }
}
