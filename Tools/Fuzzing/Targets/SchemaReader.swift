internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// Reads a schema file, writes it in every form, and makes a store of it.
final class SchemaReader: FuzzReader {
  private let folder: FuzzFolder
  private let store: [UInt8]

  init() throws {
    folder = try FuzzFolder()
    store = try FuzzStore.bytes(of: [EveryKind.other, EveryKind.part])
  }

  var seeds: [[UInt8]] {
    get throws {
      let small =
        #"{"classes":[{"name":"A","previousNames":["B"],"properties":[{"name":"k","primaryKey":true,"type":"int"},{"name":"n","type":"string","default":{"value":{"string":"x"}},"cases":["x","y"],"indexed":true},{"name":"l","type":"<A>","previousNames":["m"]}],"indexes":[{"kind":"unique","properties":["n"]}]}],"schemaVersion":4}"#
      return [Array(small.utf8), [UInt8](try EveryKind.schema.json())]
        + (try (1...6).map { try repositoryFile("Tests/ZonesTests/Schemas/Zones.v\($0).json") })
    }
  }

  func read(_ input: [UInt8]) throws {
    let source = try SchemaSource.export(Data(input), name: "schema.json")
    let schema = source.schema
    guard let json = attempt({ try schema.json() }) else {
      return require(false, "a schema is written")
    }
    let again = attempt { try SchemaSource.export(json, name: "again.json") }
    require(again?.schema == schema, "a schema that is written and read is the same")
    _ = SchemaText(schema).description
    _ = SwiftModels(schema).description
    _ = MermaidDiagram(schema).description
    try compare(source)
    try makeStore(schema)
  }

  private func compare(_ source: SchemaSource) throws {
    let path = try folder.write(store, as: "old.whimbrel")
    defer { folder.removeAll() }
    let old = try SchemaSource.store(at: path)
    for comparison in [
      SchemaComparison(from: old, to: source), SchemaComparison(from: source, to: old),
    ] {
      _ = comparison.changes.map { "\($0)" }
    }
  }

  private func makeStore(_ schema: SchemaExport) throws {
    defer { folder.removeAll() }
    let classes = schema.classes.filter(\.isDeclared).map { entry in
      ClassSchema(
        name: entry.name, isEmbedded: entry.isEmbedded, properties: entry.properties,
        indexes: entry.indexes, previousNames: entry.previousNames)
    }
    let path = try folder.write(store, as: "a.whimbrel")
    var request = OpenRequest(path: path)
    request.declaration = Declaration(StoreSchema(classes: classes))
    request.schemaVersion = schema.schemaVersion
    attempt {
      if let declaration = request.declaration {
        _ = "\(try StoreFile.migrationPlan(request, declaration))"
      }
    }
    StoreReading.open(request, .writes)
    request.path = folder.path("new.whimbrel")
    StoreReading.open(request, .writes)
  }
}
