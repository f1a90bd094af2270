import Foundation
import Testing
import Whimbrel
import WhimbrelInspection
import WhimbrelSampling
import WhimbrelTestSupport
import Zones

/// Samples of the sample app that were made as the article "Trimming a store into a sample" says:
/// pruned, anonymised, and then migrated.
struct AnonymizedSamplesTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "whimbrel-samples-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func anonymize(
    _ sample: ZonesSampleStore, _ source: String, to name: String, key: String
  ) throws {
    var anonymization = StoreAnonymization(
      try StoreInspector(path: path(source)), key: try AnonymizationKey(text: key))
    // The migration from version 5 looks the names of regions up: they are words of the app.
    if sample == .v5 { try anonymization.keepValues(of: "Region.name") }
    try anonymization.shiftDates(by: "30d")
    _ = try anonymization.write(to: .newFile(path(name)))
  }

  private func zones(_ name: String) throws -> [String] {
    var lines: [String] = []
    let selection = ObjectSelection(className: "Zone")
    let inspector = try StoreInspector(path: path(name))
    try ObjectTable(selection, of: inspector).writeJSONLines { bytes in
      lines += String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    return lines
  }

  /// The anonymised sample app's stores could not be migrated: identifiers had lost the area that
  /// the migration reads, and coordinates their form.
  @Test(.takesLong, arguments: ZonesSampleStore.allCases, ["pruned", "whole"])
  func `a sample without people migrates like the one with them`(
    sample: ZonesSampleStore, size: String
  ) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(
      at: sample.url, to: folder.appending(path: "whole.whimbrel"))
    if size == "pruned" {
      _ = try StorePruning().run(
        StoreInspector(path: path("whole.whimbrel")), into: .newFile(path("pruned.whimbrel")))
    }
    let before = try zones("\(size).whimbrel")
    for key in 1...3 {
      let name = "\(key).whimbrel"
      try anonymize(sample, "\(size).whimbrel", to: name, key: "\(key)")
      // Not one zone is as it was.
      #expect(Set(try zones(name)).isDisjoint(with: before))
      let store = try Store(.zones(url: folder.appending(path: name)))
      #expect(store.schemaVersion == 7)
      #expect(store.objects(Zone.self).count == before.count)
      if sample.version < 5 {
        #expect(store.objects(Zone.self).allSatisfy { $0.region != nil })
      }
      #expect(try StoreCheck(path: path(name)).run().isSound)
    }
  }
}
