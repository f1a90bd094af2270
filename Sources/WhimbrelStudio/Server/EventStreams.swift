internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// The open event streams: one for each open page.
final class EventStreams: Sendable {
  /// The limit of pages. A browser opens at most six connections to a server anyway.
  private static let limit = 32

  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// When the last page was closed, or nil if none was or one is open.
    var emptySince: NIODeadline?
  }

  private let state = Mutex(State())

  /// Called when the first page is opened or the last one closed.
  private let onChange: @Sendable () -> Void

  init(onChange: @escaping @Sendable () -> Void) { self.onChange = onChange }

  var isEmpty: Bool { state.withLock { $0.channels.isEmpty } }

  /// The time since the last page was closed, or nil if none was or one is open.
  var timeWithoutPage: TimeAmount? {
    state.withLock { $0.emptySince.map { .now() - $0 } }
  }

  func add(_ channel: any Channel) {
    let isFull = state.withLock { state in
      if state.channels.count >= Self.limit { return true }
      state.channels[ObjectIdentifier(channel)] = channel
      state.emptySince = nil
      return false
    }
    if isFull { return channel.close(promise: nil) }
    // The first line shows the page that the stream is open.
    write("retry: 1000\n\n", to: channel)
    onChange()
  }

  func remove(_ channel: any Channel) {
    state.withLock { state in
      state.channels[ObjectIdentifier(channel)] = nil
      if state.channels.isEmpty { state.emptySince = .now() }
    }
    onChange()
  }

  /// Sends an event to all pages. A page that does not take what it is sent is cut off; it connects
  /// again and loads everything anew.
  func send(_ name: String, _ json: [UInt8]) {
    let channels = state.withLock { Array($0.channels.values) }
    if channels.isEmpty { return }
    // A line feed would end the data. In JSON there are none but between members.
    let data = String(decoding: json, as: UTF8.self).replacing("\n", with: " ")
    let text = "event: \(name)\ndata: \(data)\n\n"
    for channel in channels {
      if channel.isWritable {
        write(text, to: channel)
      } else {
        channel.close(promise: nil)
      }
    }
  }

  /// Sends a comment, which keeps connections through a tunnel alive.
  func keepAlive() {
    for channel in state.withLock({ Array($0.channels.values) }) { write(":\n\n", to: channel) }
  }

  private func write(_ text: String, to channel: any Channel) {
    let buffer = channel.allocator.buffer(string: text)
    channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(buffer)), promise: nil)
  }
}
