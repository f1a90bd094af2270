internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// Opens a store some bytes of which an input replaces, reads it in every way and writes to it.
///
/// An input begins with the number of a store and with flags. Then come changes, each a kind and a
/// place, the number of a page and an offset in it:
///
/// | kind, of 4 | follows | meaning |
/// |---|---|---|
/// | 0, 1 | a count of up to 31, bytes | the bytes are written there |
/// | 2 | another page | the page is copied over it |
/// | 3 | | the file ends there, or a bit is changed where the offset is not 0 |
final class PagesReader: FuzzReader {
  private let folder: FuzzFolder
  private let stores: [[UInt8]]
  private let contents: [StoreReading.Contents]
  private static let pageSize = 4_096

  init() throws {
    folder = try FuzzFolder()
    stores = [
      try EveryKind.bytes(count: 12), try EveryKind.bytes(count: 2),
      try repositoryFile("SampleStores/Formats/1.Zones.v3.whimbrel"),
      try repositoryFile("SampleStores/Formats/2.Zones.v6.whimbrel"),
    ]
    let folder = folder
    contents = try stores.map { store in
      defer { folder.removeAll() }
      return try StoreReading.contents(
        of: OpenRequest(path: folder.write(store, as: "a.whimbrel")))
    }
  }

  var seeds: [[UInt8]] {
    let stores = UInt8(stores.count)
    return (0..<stores * 32).map { [$0 % stores, $0 / stores << 3] }
      + (0..<32).map { [0, 0, 0, $0, 16, 0, 4, 1, 2, 3, 4] } + [
        [1, 0, 2, 4, 0, 0, 5], [1, 0, 3, 9, 0, 0],
      ]
  }

  func read(_ input: [UInt8]) throws {
    var input = FuzzInput(input)
    let store = Int(input.byte()) % stores.count
    let flags = input.byte()
    let (bytes, isCertain) = damaged(stores[store], &input)
    let path = try folder.write(bytes, as: "a.whimbrel")
    defer { folder.removeAll() }
    var request = OpenRequest(path: path)
    request.isReadOnly = flags & 1 != 0
    if flags & 2 != 0 { request.file.checks = .allPages }
    request.file.verifiesReads = flags & 4 == 0
    if flags & 8 != 0 {
      // A migration with code reads all objects, and writes those of a class anew.
      let name = EveryKind.other.name
      let other = ClassSchema(
        name: name,
        properties: [EveryKind.other.properties[0], PropertySchema(name: "note", type: .int)])
      request.declaration = Declaration(StoreSchema(classes: [other]))
      request.schemaVersion = 9
      request.migration.block = { migration, _ in
        for old in migration.oldSchema.classes {
          try migration.enumerateObjects(ofType: old.name) { object, new in
            _ = object.map { "\($0)" }
            if old.name == name { try new?.set("note", to: 1) }
          }
        }
      }
    }
    switch flags >> 4 & 7 {
    case 4: attempt { _ = try StoreCheck(path: path).run() }
    case 5: attempt { _ = try StoreSalvage(path: path).run(to: folder.path("salvaged.whimbrel")) }
    case let part:
      // Where checksums are not checked, and in a migration, values may differ.
      let isCertain = isCertain && flags & 12 == 0
      StoreReading.open(request, .init(part), contents: isCertain ? contents[store] : nil)
    }
  }

  /// Returns the bytes of a damaged store, and whether what is read of it must be right: an older
  /// page in the place of another, or an older meta page, is not always found out.
  private func damaged(
    _ store: [UInt8], _ input: inout FuzzInput
  ) -> (file: [UInt8], isCertain: Bool) {
    var file = store
    var isCertain = true
    while !input.isAtEnd {
      let kind = input.byte() & 3
      let page = Int(input.byte())
      let offset = input.number()
      let place = page * Self.pageSize + offset % Self.pageSize
      if kind == 2 || page < 2 { isCertain = false }
      switch kind {
      case 0, 1:
        let count = Int(input.byte() & 31)
        file.overwrite(at: place, with: input.bytes(count))
      case 2:
        let source = Int(input.byte()) * Self.pageSize
        guard source < file.count else { continue }
        file.overwrite(
          at: page * Self.pageSize,
          with: Array(file[source..<min(source + Self.pageSize, file.count)]))
      default:
        if offset == 0 {
          file = Array(file.prefix(place))
        } else if place < file.count {
          file[place] ^= 1 << UInt8(offset >> 13)
        }
      }
    }
    return (file, isCertain)
  }
}
