internal import NIOCore
internal import Synchronization

/// The connections that have not yet sent a request that may be answered.
///
/// Any program of the machine can open connections, and any web page can make a browser open them.
/// If there are too many, the oldest of those that have not shown a token is closed for a new one.
/// So the page that has one is never locked out.
final class Connections: Sendable {
  /// The limit of connections that have not shown a token.
  private static let limit = 64

  private let untrusted = Mutex<[ObjectIdentifier: (number: Int, channel: any Channel)]>([:])
  private let count = Atomic(0)

  init() {}

  /// Adds a new connection, and closes the oldest one if there are too many.
  func add(_ channel: any Channel) {
    let number = count.add(1, ordering: .relaxed).newValue
    let closed: (any Channel)? = untrusted.withLock { untrusted in
      untrusted[ObjectIdentifier(channel)] = (number, channel)
      guard untrusted.count > Self.limit,
        let oldest = untrusted.min(by: { $0.value.number < $1.value.number })
      else { return nil }
      untrusted[oldest.key] = nil
      return oldest.value.channel
    }
    closed?.close(promise: nil)
    channel.closeFuture.whenComplete { _ in self.trust(channel) }
  }

  /// Notes that a connection belongs to someone who may use the server, or that it has ended.
  func trust(_ channel: any Channel) {
    untrusted.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(channel)) }
  }
}
