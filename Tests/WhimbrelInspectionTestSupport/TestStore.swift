internal import Foundation
package import Testing
package import WhimbrelEngine
package import WhimbrelInspection

/// Makes a store with the engine, or opens an existing one, and writes to it.
package func makeStore(
  at path: String, _ classes: [ClassSchema], version: SchemaVersion = 1,
  _ fill: (Session) throws -> Void = { _ in }
) throws {
  let session = try Session(StoreFile.open(request(path, classes, version)))
  try session.write { try fill(session) }
  session.close()
}

package func migrateStore(
  at path: String, _ classes: [ClassSchema], version: SchemaVersion,
  _ migration: @escaping MigrationBlock
) throws {
  var request = request(path, classes, version)
  request.migration.block = migration
  _ = try StoreFile.open(request)
}

private func request(
  _ path: String, _ classes: [ClassSchema], _ version: SchemaVersion
) -> OpenRequest {
  var request = OpenRequest(path: path)
  request.declaration = Declaration(StoreSchema(classes: classes))
  request.schemaVersion = version
  request.identity = StoreIdentity(
    uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
    date: Date(timeIntervalSinceReferenceDate: 788_918_400))
  return request
}

/// Copies a store and damages the copy's catalog, and its header if that is said.
package func copyWithoutCatalog(
  _ path: String, to copy: String, losingHeader: Bool,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  var bytes = try Data(contentsOf: URL(filePath: path))
  for name in [#""nextClassID""#] + (losingHeader ? ["WHIMBREL"] : []) {
    var (start, count) = (bytes.startIndex, 0)
    while let found = bytes.range(of: Data(name.utf8), in: start..<bytes.endIndex) {
      bytes[found.lowerBound + 1] ^= 1
      (start, count) = (found.upperBound, count + 1)
    }
    #expect(count > 0, sourceLocation: sourceLocation)
  }
  try bytes.write(to: URL(filePath: copy))
}

/// Opens a session that only reads a store.
package func readOnlySession(_ path: String) throws -> Session {
  var request = OpenRequest(path: path)
  request.isReadOnly = true
  return try Session(StoreFile.attach(request))
}

package func dump(_ path: String) throws -> String {
  var text = ""
  try StoreDump(StoreInspector(path: path)).write(to: &text)
  return text
}

@discardableResult
package func load(_ text: String, into path: String) throws -> StoreLoad.Summary {
  try StoreLoad(.data(Data(text.utf8), name: "test.jsonl"), into: path).run()
}

package func integrityFindings(_ path: String) throws -> [String] {
  try IntegrityCheck.run(readOnlySession(path)).map(\.description)
}

/// Dumps a store, loads the dump, and expects that the loaded store is sound and gives the same
/// dump.
@discardableResult
package func expectRoundTrip(
  of path: String, in folder: TestFolder, sourceLocation: SourceLocation = #_sourceLocation
) throws -> String {
  let first = try dump(path)
  let copy = folder.path("copy-\(UUID().uuidString).whimbrel")
  try load(first, into: copy)
  #expect(try dump(copy) == first, sourceLocation: sourceLocation)
  #expect(try integrityFindings(copy) == [], sourceLocation: sourceLocation)
  return first
}

package enum Sample {
  package static let country = ClassSchema(
    name: "Country",
    properties: [
      PropertySchema(name: "code", type: .string, isPrimaryKey: true),
      PropertySchema(name: "name", type: .string),
    ])
  package static let zone = ClassSchema(
    name: "Zone",
    properties: [
      PropertySchema(name: "identifier", type: .string, isPrimaryKey: true),
      PropertySchema(name: "latitude", type: .double),
      PropertySchema(name: "country", type: .link(to: "Country")),
      PropertySchema(name: "area", type: .string, isIndexed: true, cases: ["europe", "asia"]),
      PropertySchema(name: "comments", type: .string, defaultValue: .value("")),
    ])

  package static func fill(_ session: Session) throws {
    let andorra = try session.table("Country").create(
      ["code": "AD", "name": "Andorra"], replacing: false)
    _ = try session.table("Zone").create(
      [
        "identifier": "Europe/Andorra", "latitude": 42.5, "country": .link(andorra),
        "area": "europe",
      ], replacing: false)
    _ = try session.table("Zone").create(
      ["identifier": "Asia/Kathmandu", "latitude": 27.75, "area": "asia", "comments": "a \"b\""],
      replacing: false)
  }

  package static func make(at path: String) throws {
    try makeStore(at: path, [country, zone], version: 4, fill)
  }
}
