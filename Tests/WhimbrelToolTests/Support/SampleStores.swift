import Foundation

extension TestFolder {
  /// Copies a sample store of the repository into the folder, under a short name.
  func copySampleStore(_ name: String, as copy: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    try FileManager.default.copyItem(
      at: root.appending(path: "SampleStores/\(name).whimbrel"), to: url.appending(path: copy))
  }
}
