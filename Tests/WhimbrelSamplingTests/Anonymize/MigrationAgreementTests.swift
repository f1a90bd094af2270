import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling

/// A migration of an anonymised store fails where that of the original fails, and nowhere else.
struct MigrationAgreementTests {
  private static func schema(_ properties: [PropertySchema]) -> [ClassSchema] {
    [ClassSchema(name: "Entry", properties: properties)]
  }

  private static let old = schema([
    PropertySchema(name: "number", type: .string), PropertySchema(name: "place", type: .string),
    PropertySchema(name: "day", type: .string, isOptional: true),
    PropertySchema(name: "owner", type: .string),
  ])
  private static let new = schema([
    PropertySchema(name: "number", type: .int), PropertySchema(name: "place", type: .string),
    PropertySchema(name: "day", type: .date, isOptional: true),
    PropertySchema(name: "owner", type: .string, isPrimaryKey: true),
  ])

  private struct Unreadable: Error {}

  /// What an app does to an object that it has to read texts of.
  private static func migrate(_ migration: Migration) throws {
    try migration.enumerateObjects(ofType: "Entry") { old, new in
      guard let old, let new else { return }
      guard let number = Int(try old["number", as: String.self]) else { throw Unreadable() }
      guard TextFormTests.isPlace(try old["place", as: String.self]) else { throw Unreadable() }
      try new.set("number", to: number)
      if case .string(let day) = old["day"] {
        new["day"] = .date(try Date(day, strategy: .iso8601))
      }
    }
  }

  /// Makes a store of one object, or two with the same owner, and says whether it can be migrated.
  private func outcomes(_ values: [String: PropertyValue], copies: Int) throws -> [Bool] {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    try makeStore(at: path, Self.old) { session in
      for _ in 0..<copies {
        _ = try session.table("Entry").create(values, replacing: false)
      }
    }
    let key = try AnonymizationKey(text: "\(values["number"] ?? 0)")
    _ = try StoreAnonymization(StoreInspector(path: path), key: key).write(
      to: .newFile(folder.path("b.whimbrel")))
    return ["a", "b"].map { name in
      do {
        try migrateStore(at: folder.path("\(name).whimbrel"), Self.new, version: 2) {
          migration, _ in try Self.migrate(migration)
        }
        return true
      } catch {
        return false
      }
    }
  }

  @Test(
    arguments: [
      ("17", "+4230+00131", "2025-05-01T12:30:00Z", 1, true),
      ("-9223372036854775807", "-345950-0583330", nil, 1, true),
      ("9223372036854775808", "+4230+00131", nil, 1, false),
      ("seventeen", "+4230+00131", nil, 1, false), ("", "+4230+00131", nil, 1, false),
      ("1.5", "+4230+00131", nil, 1, false), (" 17", "+4230+00131", nil, 1, false),
      ("17", "+4260+00131", nil, 1, false), ("17", "4230+00131", nil, 1, false),
      ("17", "+4230+00131", "the first of May", 1, false),
      ("17", "+4230+00131", "2025-05-01", 1, false), ("17", "+4230+00131", nil, 2, false),
    ] as [(String, String, String?, Int, Bool)])
  func `both can be migrated or neither`(
    number: String, place: String, day: String?, copies: Int, expected: Bool
  ) throws {
    let outcomes = try outcomes(
      [
        "number": .string(number), "place": .string(place),
        "day": day.map(PropertyValue.string) ?? .null, "owner": "Winterbottom",
      ], copies: copies)
    #expect(outcomes == [expected, expected])
  }

  @Test func `every place of the first sample store stays one`() throws {
    let folder = try TestFolder()
    let inspector = try StoreInspector(path: SampleStorePath.zones(1))
    _ = try StoreAnonymization(inspector, key: .random()).write(
      to: .newFile(folder.path("a.whimbrel")))
    let session = try readOnlySession(folder.path("a.whimbrel"))
    defer { session.close() }
    let table = try session.table("Zone")
    let position = try table.resolved.requiredPosition(of: "coordinates")
    try table.forEachRecord { id, record in
      guard case .string(let text) = try table.value(position, of: record, id) else { return }
      #expect(TextFormTests.isPlace(text), "\(text) of object \(id)")
    }
  }
}
