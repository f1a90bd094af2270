public import Foundation
import Whimbrel

extension ZonesSampleStore {
  /// The name of the store in transition: the format, then the name.
  public static let transitionFileName = "9.Zones.v7.whimbrel"

  /// The store in transition in the repository: a store of version 6 that version 7 has opened and
  /// closed before all its zones had their cities.
  public static var transitionURL: URL {
    folder.appending(path: "Formats/\(transitionFileName)")
  }

  /// The number of zones of that store that are converted.
  public static let convertedCount = 105

  /// Makes the store in transition in a folder. Two runs on the same kind of machine give the same
  /// bytes.
  ///
  /// The background converts the first 64 zones, and the app writes each sixth zone.
  ///
  /// - Throws: `StoreError` when the file cannot be written, and `CocoaError` when it exists.
  public static func makeInTransition(from data: SourceData, in folder: URL) throws {
    let url = folder.appending(path: transitionFileName)
    guard !FileManager.default.fileExists(atPath: url.path) else {
      throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: url.path])
    }
    let old = try v6.makeStore(from: data, at: url)
    try old.close()
    var configuration = Store.Configuration.zones(url: url)
    configuration.identity = v7.identity
    configuration.onlineMigration?.startsPaused = true
    try Store(configuration).close()
    try configuration.convertObjects(inBatches: 4)
    let store = try Store(configuration)
    // One transaction: what it reuses of the file does not depend on what other threads read.
    try store.write {
      for (number, zone) in store.objects(Zone.self).enumerated() where number % 6 == 0 {
        // The same value again: an object that is written is stored converted.
        zone.comments = zone.comments
      }
    }
    try store.close()
  }
}
