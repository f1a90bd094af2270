internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Reads a catalog, or a header, with a right checksum, and opens a store that has it.
///
/// The first byte of an input says which: `h` a header, any other a catalog.
final class CatalogReader: FuzzReader {
  private let folder: FuzzFolder
  private let stores: [[UInt8]]
  private let catalogs: [[UInt8]]
  private let header: Header
  private let headerBytes: [UInt8]

  init() throws {
    folder = try FuzzFolder()
    stores = [
      try EveryKind.bytes(count: 2),
      try FuzzStore.bytes(of: [EveryKind.other]) {
        _ = try $0.table("Other").create(["key": 1], replacing: false)
      },
    ]
    var catalogs: [[UInt8]] = []
    var headers: [(Header, [UInt8])] = []
    for store in stores {
      let path = try folder.write(store, as: "a.whimbrel")
      let session = try Session(StoreFile.open(OpenRequest(path: path)))
      catalogs.append(try session.view.value(.main, MainKey.catalog)?.array ?? [])
      let bytes = try session.view.value(.main, MainKey.header)?.array ?? []
      headers.append((session.loaded.header, bytes))
      session.close()
      folder.removeAll()
    }
    self.catalogs = catalogs
    (header, headerBytes) = headers[1]
  }

  var seeds: [[UInt8]] {
    [[UInt8(ascii: "h")] + headerBytes]
      + catalogs.flatMap { catalog in
        (0..<4).map { [$0] + catalog }
      }
  }

  func read(_ input: [UInt8]) throws {
    guard let first = input.first else { return }
    let rest = Array(input.dropFirst())
    defer { folder.removeAll() }
    if first == UInt8(ascii: "h") { return try read(header: rest) }
    // What no store takes is refused here, before a file is written.
    let catalog: Catalog
    do { catalog = try Catalog(json: Data(rest)) } catch { return }
    let again = try Catalog(json: catalog.json())
    require(again == catalog, "a catalog that is written and read is the same")
    _ = LoadedCatalog(catalog, header)
    try open(rest, header, first)
  }

  /// Opens a store with a catalog.
  private func open(_ catalog: [UInt8], _ header: Header, _ flags: UInt8) throws {
    let store = stores[Int(flags >> 4) % stores.count]
    let path = try folder.write(store, as: "a.whimbrel")
    var header = header
    header.catalogChecksum = PageBytes.with(catalog) { Header.checksum(ofCatalog: $0) }
    var buffer = ByteBuffer(capacity: 128)
    header.encode(into: &buffer)
    try put(catalog, buffer.bytes.array, path)
    var request = OpenRequest(path: path)
    request.isReadOnly = flags & 1 != 0
    if flags & 2 != 0 {
      request.declaration = Declaration(
        StoreSchema(classes: [EveryKind.other, EveryKind.part, EveryKind.thing, EveryKind.late]))
      request.schemaVersion = 3
      request.migration.block = { migration, _ in
        for name in migration.newSchema.classes.map(\.name) {
          try migration.enumerateObjects(ofType: name) { old, _ in _ = old.map { "\($0)" } }
        }
      }
      if let declaration = request.declaration {
        attempt { _ = "\(try StoreFile.migrationPlan(request, declaration))" }
      }
    }
    StoreReading.open(request)
  }

  private func put(_ catalog: [UInt8]?, _ header: [UInt8], _ path: String) throws {
    let session = try Session(StoreFile.open(OpenRequest(path: path)))
    defer { session.close() }
    try session.write {
      let view = try session.requireWriting("fuzz")
      if let catalog { try view.put(.main, MainKey.catalog, catalog) }
      try view.put(.main, MainKey.header, header)
    }
  }

  private func read(header: [UInt8]) throws {
    var header = header
    if header.count >= 88 {
      let offset = 84
      let magic: UInt64 = 0x4C45_5242_4D49_4857
      let checksum = PageBytes.with(header) { Checksum.record($0, hole: offset, seed: magic) }
      header.overwrite(
        at: offset, with: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) })
    }
    let path = try folder.write(stores[1], as: "a.whimbrel")
    try put(nil, header, path)
    attempt { _ = try StoreFile.headerWithoutOpening(path) }
    StoreReading.open(OpenRequest(path: path))
  }
}
