import Foundation
import Synchronization
import Whimbrel

/// An actor that observes residents, and measures for how long it is busy.
actor ObservingActor {
  nonisolated let executor = MeasuringExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private nonisolated let calls = DispatchSemaphore(value: 0)
  private nonisolated let done = DispatchSemaphore(value: 0)
  private let configuration: Store.Configuration
  private var store: Store?
  private var tokens: [ObservationToken] = []

  init(_ configuration: Store.Configuration) throws { self.configuration = configuration }

  /// Begins to observe, and waits until it has begun.
  nonisolated func begin(_ trial: ObservingCase) {
    Task { await observe(trial) }
    done.wait()
  }

  private func observe(_ trial: ObservingCase) {
    do {
      let store = try Store(configuration)
      self.store = store
      let calls = calls
      tokens = trial.observe(in: store) { calls.signal() }
      // That the residents are observed from now on was told.
      while calls.wait(timeout: .now()) == .success {}
    } catch {
      say("\(error)")
    }
    done.signal()
  }

  nonisolated func waitForCall() throws {
    guard calls.wait(timeout: .now() + 60) == .success else {
      throw WorkloadError(description: "Wrong: the actor was not told.")
    }
  }

  nonisolated func end() {
    Task { await close() }
    done.wait()
  }

  private func close() {
    tokens = []
    try? store?.close()
    done.signal()
  }
}

/// A serial executor that adds up the processor time of its jobs. Waiting for a core does not count:
/// the library's threads, the actor's and that of the writer share two.
final class MeasuringExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "bench.actor")
  private let time = Mutex(Duration.zero)

  var busyTime: Duration { time.withLock { $0 } }

  func reset() { time.withLock { $0 = .zero } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      let start = Self.threadTime()
      job.runSynchronously(on: self.asUnownedSerialExecutor())
      let end = Self.threadTime()
      self.time.withLock { $0 += end - start }
    }
  }

  private static func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
