internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The threads that answer requests. Long work has threads of its own, so that a page scrolls while
/// stores are compared. So have downloads, which wait for their clients.
final class Workers: Sendable {
  /// The limit of answers that wait.
  private static let limit = 64

  let quick = NIOThreadPool(numberOfThreads: 4)
  let long = NIOThreadPool(numberOfThreads: 2)
  let downloads = NIOThreadPool(numberOfThreads: 4)
  private let waiting = Atomic(0)

  init() {
    quick.start()
    long.start()
    downloads.start()
  }

  /// Runs `body` on a thread of a pool.
  func run<Result: Sendable>(
    _ pool: NIOThreadPool, on loop: any EventLoop,
    _ body: @escaping @Sendable () throws -> Result
  ) -> EventLoopFuture<Result> {
    guard waiting.add(1, ordering: .relaxed).newValue <= Self.limit else {
      waiting.subtract(1, ordering: .relaxed)
      return loop.makeFailedFuture(WebError.busy)
    }
    return pool.runIfActive(eventLoop: loop) {
      defer { self.waiting.subtract(1, ordering: .relaxed) }
      return try body()
    }
  }

  /// Waits for the work at hand, and ends the threads.
  func stop() {
    try? quick.syncShutdownGracefully()
    try? long.syncShutdownGracefully()
    try? downloads.syncShutdownGracefully()
  }
}
