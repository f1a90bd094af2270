import Foundation

/// The file of the store that is shown.
struct ShownFile {
  let path: String
  /// The folder of a copy that is removed at the end, or nil if the user named a file.
  private let folder: URL?

  /// Makes the file that the user named. Opening it would create it otherwise.
  init(path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw UsageError("There is no file '\(path)'.")
    }
    self.path = path
    folder = nil
  }

  private init(copying original: URL) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "whimbrel-live-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = folder.appending(path: "Zones.whimbrel")
    try FileManager.default.copyItem(at: original, to: copy)
    self.folder = folder
    path = copy.path
  }

  /// Copies the newest sample store of this repository.
  static func copyOfSample() throws -> ShownFile {
    let repository = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    return try ShownFile(copying: repository.appending(path: "SampleStores/Zones.v7.whimbrel"))
  }

  /// Removes the copy, if it is one.
  func removeCopy() {
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }
}
