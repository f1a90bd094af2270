/// How many bytes of a store's file are in use.
public struct FileUsage: Hashable, Sendable {
  /// The size of the file.
  public let totalBytes: Int
  /// The bytes of pages that are in use; the others are free for what is written next.
  public let usedBytes: Int

  /// Makes a usage of its numbers.
  public init(totalBytes: Int, usedBytes: Int) {
    self.totalBytes = totalBytes
    self.usedBytes = usedBytes
  }
}
