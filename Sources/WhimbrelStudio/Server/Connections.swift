internal import NIOCore
internal import Synchronization

/// The connections of a server.
///
/// Any program of the machine can open connections, and any web page can make a browser open them.
/// If there are too many, the oldest of those that have not shown a token is closed for a new one.
/// So the page that has one is never locked out.
final class Connections: Sendable {
  /// The limit of connections that have not shown a token.
  private static let limit = 64

  private struct State {
    var open: [ObjectIdentifier: any Channel] = [:]
    /// The connections that have not yet sent a request that may be answered, with their numbers.
    var untrusted: [ObjectIdentifier: Int] = [:]
  }

  private let state = Mutex(State())
  private let count = Atomic(0)

  init() {}

  /// Adds a new connection, and closes the oldest one if there are too many.
  func add(_ channel: any Channel) {
    let number = count.add(1, ordering: .relaxed).newValue
    let id = ObjectIdentifier(channel)
    let closed: (any Channel)? = state.withLock { state in
      state.open[id] = channel
      state.untrusted[id] = number
      guard state.untrusted.count > Self.limit,
        let oldest = state.untrusted.min(by: { $0.value < $1.value })
      else { return nil }
      state.untrusted[oldest.key] = nil
      return state.open[oldest.key]
    }
    closed?.close(promise: nil)
    channel.closeFuture.whenComplete { _ in
      self.trust(channel)
      self.state.withLock { $0.open[id] = nil }
    }
  }

  /// Notes that a connection belongs to someone who may use the server, or that it has ended.
  func trust(_ channel: any Channel) {
    state.withLock { $0.untrusted[ObjectIdentifier(channel)] = nil }
  }

  /// Closes all connections, which cancels the work for them.
  func closeAll() {
    for channel in state.withLock({ Array($0.open.values) }) { channel.close(promise: nil) }
  }
}
