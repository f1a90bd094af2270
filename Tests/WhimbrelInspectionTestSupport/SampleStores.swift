package import Foundation

/// The folder of the repository's sample stores.
package let sampleStores = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "SampleStores", directoryHint: .isDirectory)

extension TestFolder {
  /// Copies a sample store into the folder, under its own or another name, and returns the path.
  @discardableResult
  package func copySampleStore(_ name: String, as copy: String? = nil) throws -> String {
    let copy = copy ?? "\(name).whimbrel"
    try FileManager.default.copyItem(
      at: sampleStores.appending(path: "\(name).whimbrel"), to: url.appending(path: copy))
    return path(copy)
  }
}
