/// The space that a store's file takes, and how much of it is in use.
public struct FileUsage: Hashable, Sendable {
  /// The size of the file, in bytes.
  public let totalBytes: Int
  /// The bytes of the pages in use. The remaining pages are free for the next writes.
  public let usedBytes: Int

  /// Creates a usage from two numbers of bytes.
  public init(totalBytes: Int, usedBytes: Int) {
    self.totalBytes = totalBytes
    self.usedBytes = usedBytes
  }
}
