internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// A store that was made from an input.
struct LoadedStore {
  let path: String
  let folder: FuzzFolder

  /// Stops the program unless the store is sound, and comes back from its dump as it is.
  func check() {
    guard let first = attempt({ try dump(path) }) else {
      return require(false, "a loaded store can be dumped")
    }
    let found: [String]? = attempt { try findings(path) }
    require(found?.isEmpty == true, "a loaded store is sound: \(found ?? [])")
    let copy = folder.path("copy.whimbrel")
    let load = StoreLoad(.data(Data(first), name: "copy.jsonl"), into: copy)
    let isLoaded = attempt { try load.run() } != nil
    require(isLoaded, "a dump is loaded: \(String(decoding: first.prefix(2_000), as: UTF8.self))")
    let second: [UInt8]? = attempt { try dump(copy) }
    require(second == first, "a loaded dump is the same when it is dumped")
  }

  private func findings(_ path: String) throws -> [String] {
    var request = OpenRequest(path: path)
    request.isReadOnly = true
    let session = try Session(StoreFile.attach(request))
    defer { session.close() }
    return try IntegrityCheck.run(session).map(\.description)
  }

  private func dump(_ path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try StoreDump(StoreInspector(path: path)).write { bytes += $0 }
    return bytes
  }
}

extension EveryKind {
  /// The schema of a store with things of every kind.
  static let schema = SchemaExport(
    schemaVersion: 1,
    classes: [other, part, thing].map {
      SchemaExport.ClassExport(
        name: $0.name, isEmbedded: $0.isEmbedded, properties: $0.properties, indexes: $0.indexes)
    })
}
