public import Foundation
public import Whimbrel

/// A copy of a sample store file, for a test to do with as it likes.
///
/// ```swift
/// let sample = try SampleStore(copying: url)
/// let store = try Store(configuration(for: sample.url))
/// ```
///
/// The copy lies in a temporary folder of its own, which is removed with the
/// sample.
public final class SampleStore: Sendable {
  /// Where the copy is.
  public let url: URL
  private let folder: URL

  /// Copies a sample store.
  ///
  /// - Throws: an error of the file system.
  public init(copying original: URL) throws {
    folder = try Self.makeFolder()
    url = folder.appending(path: original.lastPathComponent)
    try FileManager.default.copyItem(at: original, to: url)
  }

  /// Makes a place for a store that is not there yet.
  ///
  /// - Throws: an error of the file system.
  public init(named name: String = "Test.whimbrel") throws {
    folder = try Self.makeFolder()
    url = folder.appending(path: name)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "whimbrel-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}

extension Store {
  /// What does not agree in the store: records, layouts, indexes, keys and links.
  /// Nothing, in a store that is whole.
  ///
  /// - Complexity: O(*n* log *n*).
  public func integrityFindings() throws -> [String] {
    try IntegrityCheck.run(session).map(\.description)
  }
}
