import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// Dates that are all shifted, numbers that are all jittered, and those that stay.
struct MovedValueTests {
  private let folder: TestFolder
  private static let start = 700_000_000.0

  init() throws {
    folder = try TestFolder()
    let thing = ClassSchema(
      name: "Thing",
      properties: [
        PropertySchema(name: "id", type: .int, isPrimaryKey: true),
        PropertySchema(name: "size", type: .double), PropertySchema(name: "count", type: .int),
        PropertySchema(name: "level", type: .int, cases: ["1", "2"]),
        PropertySchema(name: "date", type: .date),
        PropertySchema(name: "dates", type: .list(of: ElementType(.date))),
        PropertySchema(name: "serial", type: .int), PropertySchema(name: "flag", type: .bool),
      ], indexes: [IndexSchema(["serial"], .unique)])
    try makeStore(at: folder.path("a.whimbrel"), [thing]) { session in
      let table = try session.table("Thing")
      for number in 1...50 {
        let date = Date(timeIntervalSinceReferenceDate: Self.start + Double(number) * 1_000.5)
        _ = try table.create(
          [
            "id": .int(Int64(number)), "size": .double(Double(number)),
            "count": .int(Int64(number) * 1_000), "level": .int(1), "date": .date(date),
            "dates": .list([.date(date)]), "serial": .int(Int64(number)), "flag": true,
          ], replacing: false)
      }
    }
  }

  private func values(_ store: String, _ property: String) throws -> [PropertyValue] {
    let session = try readOnlySession(folder.path(store))
    defer { session.close() }
    let table = try session.table("Thing")
    let position = try table.resolved.requiredPosition(of: property)
    var values: [PropertyValue] = []
    try table.forEachRecord { id, record in
      values.append(try table.value(position, of: record, id))
    }
    return values
  }

  private func anonymize(_ arguments: String..., to store: String) throws -> ToolRun {
    let run = try ToolRun(
      ["anonymize", "a.whimbrel", store, "--key", "k"] + arguments, in: folder)
    #expect(run.exitCode == 0, "\(run.errors)")
    return run
  }

  @Test func `what stays is named, and what is moved is not`() throws {
    #expect(
      try anonymize(to: "b.whimbrel").errors == """
        Note: Numbers and dates are unchanged in Thing.id, Thing.size, Thing.count, \
        Thing.level, Thing.date, Thing.dates, Thing.serial. See '--jitter', '--jitter-numbers' \
        and '--shift-dates'.

        """)
    let moved = try anonymize("--shift-dates", "30d", "--jitter-numbers", "5%", to: "c.whimbrel")
    #expect(
      moved.errors == """
        Note: Numbers and dates are unchanged in Thing.id, Thing.level, Thing.serial. See \
        '--jitter', '--jitter-numbers' and '--shift-dates'.

        """)
    #expect(try StoreCheck(path: folder.path("c.whimbrel")).run().isSound)
  }

  @Test func `all dates are shifted alike, by whole days`() throws {
    _ = try anonymize("--shift-dates", "30d", to: "b.whimbrel")
    var offsets: Set<Double> = []
    for property in ["date", "dates"] {
      for (old, new) in zip(try values("a.whimbrel", property), try values("b.whimbrel", property))
      {
        func seconds(_ value: PropertyValue) -> Double {
          switch value {
          case .date(let date): date.timeIntervalSinceReferenceDate
          case .list(let elements): elements.first.map(seconds) ?? .nan
          default: .nan
          }
        }
        offsets.insert(seconds(new) - seconds(old))
      }
    }
    #expect(offsets.count == 1)
    let offset = try #require(offsets.first)
    #expect(offset != 0 && offset.magnitude <= 30 * 86_400)
    #expect(offset.truncatingRemainder(dividingBy: 86_400) == 0)
    _ = try anonymize("--shift-dates", "30d", to: "c.whimbrel")
    #expect(try values("b.whimbrel", "date") == values("c.whimbrel", "date"))
  }

  @Test func `numbers are jittered, but for keys and enums`() throws {
    _ = try anonymize(
      "--jitter-numbers", "5%", "--keep-values", "Thing.size", to: "b.whimbrel")
    for property in ["id", "level", "serial", "flag", "size", "date"] {
      #expect(try values("a.whimbrel", property) == values("b.whimbrel", property), "\(property)")
    }
    let (old, new) = (try values("a.whimbrel", "count"), try values("b.whimbrel", "count"))
    #expect(old != new)
    for case (.int(let before), .int(let after)) in zip(old, new) {
      #expect((before - after).magnitude <= before.magnitude / 20 + 1)
    }
  }
}
