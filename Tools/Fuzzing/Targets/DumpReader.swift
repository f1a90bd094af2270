internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// Loads a dump into a new store, and merges it into one that is there.
final class DumpReader: FuzzReader {
  private let folder: FuzzFolder
  private let store: [UInt8]

  init() throws {
    folder = try FuzzFolder()
    store = try EveryKind.bytes(count: 2)
  }

  var seeds: [[UInt8]] {
    get throws {
      var seeds: [[UInt8]] = []
      for store in [
        store, try FuzzStore.bytes(of: [EveryKind.other]),
        try repositoryFile("SampleStores/Zones.v1.whimbrel"),
      ] {
        let path = try folder.write(store, as: "a.whimbrel")
        var bytes: [UInt8] = []
        try StoreDump(StoreInspector(path: path)).write { bytes += $0 }
        // Whole lines, and not more than a fuzzer handles well.
        let lines = bytes.split(separator: 0x0A).map(Array.init)
        seeds.append(Array(lines.filter { $0.count < 3_000 }.prefix(8).joined(separator: [0x0A])))
        folder.removeAll()
      }
      let small =
        #"{"format":"whimbrel.dump","version":2,"schemaVersion":1,"classes":[]}"#
      return seeds + [Array(small.utf8)]
    }
  }

  func read(_ input: [UInt8]) throws {
    defer { folder.removeAll() }
    let path = folder.path("new.whimbrel")
    let isLoaded =
      attempt { try StoreLoad(.data(Data(input), name: "input.jsonl"), into: path).run() } != nil
    require(
      isLoaded == FileManager.default.fileExists(atPath: path), "a failed load leaves no store")
    if isLoaded { LoadedStore(path: path, folder: folder).check() }
    guard input.count < 8_192 else { return }
    let source = try folder.write(input, as: "input.jsonl")
    let target = try folder.write(store, as: "target.whimbrel")
    let merge = StoreMerge(
      path: source, into: target, policy: input.count & 1 == 0 ? .update : .replace,
      unknown: .ignored,
      mode: .commit)
    if attempt({ try merge.run() }) != nil {
      folder.removeStore("copy.whimbrel")
      LoadedStore(path: target, folder: folder).check()
    }
  }
}
