internal import NIOCore
internal import NIOHTTP1

/// A writer of the parts of an answer. Each part waits until the client has taken the one before.
struct WebWriter: Sendable {
  /// The time in which a client takes a part.
  private static let patience = TimeAmount.seconds(30)

  let channel: any Channel

  /// Writes a part. Call it on a thread that may wait, not on one of the event loop.
  ///
  /// - Throws: An error if the client has gone, or is too slow.
  func write(_ bytes: [UInt8]) throws {
    if bytes.isEmpty { return }
    let channel = channel
    let buffer = channel.allocator.buffer(bytes: bytes)
    // Safe: the channel is closed on its own loop.
    let timer = channel.eventLoop.scheduleTask(in: Self.patience) {
      channel.close(promise: nil)
    }
    defer { timer.cancel() }
    try channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(buffer))).wait()
  }
}
