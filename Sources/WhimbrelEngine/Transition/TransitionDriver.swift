internal import Foundation
internal import Logging
internal import Synchronization
internal import WhimbrelLMDB

/// A driver that converts the objects of a file in transition on its own thread, while stores of
/// this process use the file.
///
/// Only one of the processes that have the file open converts: the one that holds the
/// ``ConverterLock``. The others check from time to time whether the lock is free. A process that
/// does not convert, whatever the reason, does not hold it: another one may have the right rules.
/// A process whose app is older than the schema of the file leaves the conversion to newer ones.
package final class TransitionDriver: Sendable {
  private let request: OpenRequest
  private let declaration: Declaration
  private let state: Mutex<State>
  /// The lock under which listeners are called, so that none gets an earlier progress after a later
  /// one. It is separate from ``state``, because a listener may end and remove itself.
  private let delivery = Mutex(())
  private let thread = DispatchSemaphore(value: 0)
  private let wake = DispatchSemaphore(value: 0)

  private struct State {
    var users = 0
    var isStopping = false
    var isOver = false
    var isPaused = false
    /// The number of callers that wait for the end. While there are any, batches follow without
    /// pauses.
    var hurries = 0
    /// Whether a caller has begun to wait since the thread looked at the objects.
    var isAsked = false
    var progress: TransitionProgress
    var nextListener = 0
    var listeners: [Int: @Sendable (TransitionProgress?) -> Void] = [:]
  }

  /// The pause after a batch while others write, as a multiple of the time of the batch. One write
  /// waits for each batch: fewer than one in a hundred if a write takes no longer than a batch.
  private static let patience = 150
  private static let idleBatch = Duration.milliseconds(4)
  private static let busyBatch = Duration.microseconds(500)
  /// The bounds of the pause after an error. It doubles with each error in a row.
  private static let (shortestRetry, longestRetry) = (Duration.seconds(1), Duration.seconds(60))

  /// - Parameter progress: The progress of the conversion before it goes on.
  init(_ request: OpenRequest, _ declaration: Declaration, _ progress: TransitionProgress) {
    self.request = request
    self.declaration = declaration
    state = Mutex(State(isPaused: request.transition?.startsPaused ?? false, progress: progress))
  }

  /// - Throws: ``LMDBError`` if the system refuses a thread.
  func start() throws(LMDBError) {
    try BackgroundThread.start("Whimbrel conversion") { [self] in
      Self.lowerPriority()
      run()
      finish()
    }
  }

  #if canImport(Darwin)
    /// Lowers the priority of the calling thread.
    private static func lowerPriority() {
      pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
    }
  #else
    /// The nice value of the thread, relative to that of the thread that starts it. It is small:
    /// others wait while the conversion holds the write lock, for up to 5 ms, so beside a busy
    /// thread the conversion must still get a quarter of a core.
    static let niceness: Int32 = 5

    /// Lowers the priority of the calling thread. The quality of service of a thread has no effect
    /// on Linux.
    private static func lowerPriority() {
      // Linux: this changes the calling thread, and not the process as POSIX says.
      _ = nice(niceness)
    }
  #endif
}

// MARK: - Users

extension TransitionDriver {
  /// Adds a store that uses the file. Returns false if the conversion is over or stops, or if the
  /// app of the store declares other classes or rules, or has another schema version.
  func join(_ declaration: Declaration) -> Bool {
    guard declaration.fingerprint == self.declaration.fingerprint,
      declaration.schemaVersion == self.declaration.schemaVersion,
      declaration.rules.hasSameShapes(as: self.declaration.rules)
    else { return false }
    return state.withLock { state in
      if state.isOver || state.isStopping { return false }
      state.users += 1
      return true
    }
  }

  /// Removes a store. The last one stops the conversion.
  ///
  /// - Parameter patience: The time to wait until the thread has released the file.
  func leave(waiting patience: Duration) {
    let isLast = state.withLock { state in
      state.users -= 1
      if state.users == 0 { state.isStopping = true }
      return state.users == 0
    }
    guard isLast else { return }
    wake.signal()
    // A batch takes milliseconds, but it may wait for another writer. So this wait has a limit.
    let nanoseconds = Int(patience / .nanoseconds(1))
    if thread.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success { thread.signal() }
  }

  /// The latest progress.
  package var progress: TransitionProgress { state.withLock { $0.progress } }

  package func pause() { setPaused(true) }

  package func resume() { setPaused(false) }

  private func setPaused(_ isPaused: Bool) {
    state.withLock { $0.isPaused = isPaused }
    wake.signal()
  }

  /// Converts without pauses until ``relax()`` has been called as often as this.
  package func hurry() {
    state.withLock { state in
      state.hurries += 1
      state.isAsked = true
      state.isPaused = false
      // The app may have deleted the objects since, so the thread looks again.
      if !state.isOver, state.progress.activity == .blocked {
        state.progress.activity = .converting
      }
    }
    wake.signal()
  }

  package func relax() { state.withLock { $0.hurries -= 1 } }

  /// Calls a function with each progress, and with nil after the last one. It must not add a
  /// listener.
  ///
  /// - Returns: A number for ``removeListener(_:)``.
  package func addListener(_ body: @escaping @Sendable (TransitionProgress?) -> Void) -> Int {
    delivery.withLock { _ in
      let (number, progress, isOver) = state.withLock { state in
        state.nextListener += 1
        if !state.isOver { state.listeners[state.nextListener] = body }
        return (state.nextListener, state.progress, state.isOver)
      }
      body(progress)
      if isOver { body(nil) }
      return number
    }
  }

  package func removeListener(_ number: Int) {
    state.withLock { _ = $0.listeners.removeValue(forKey: number) }
  }

  private func report(_ progress: TransitionProgress) {
    delivery.withLock { _ in
      let listeners = state.withLock { state in
        // The objects were seen before the caller asked.
        let isOld = progress.activity == .blocked && state.isAsked
        if isOld || state.progress == progress {
          return [@Sendable (TransitionProgress?) -> Void]()
        }
        state.progress = progress
        return Array(state.listeners.values)
      }
      for listener in listeners { listener(progress) }
    }
  }

  private func finish() {
    delivery.withLock { _ in
      let listeners = state.withLock { state in
        state.isOver = true
        defer { state.listeners = [:] }
        return Array(state.listeners.values)
      }
      for listener in listeners { listener(nil) }
    }
    thread.signal()
  }
}

// MARK: - The thread

extension TransitionDriver {
  private var isStopping: Bool { state.withLock { $0.isStopping } }

  private func run() {
    var retry = Self.shortestRetry
    while !isStopping {
      do {
        let file = try StoreFile.attach(request)
        defer { file.close() }
        return convert(file)
      } catch {
        note(error)
        pause(for: retry)
        retry = min(retry * 2, Self.longestRetry)
      }
    }
  }

  /// Reports an error after which the conversion is tried again.
  private func note(_ error: any Error) {
    report(error) { message in
      Logger(label: "whimbrel.transition").warning(
        "Objects could not be converted in the background; this will be tried again: \(message)",
        metadata: ["path": "\(request.path)"])
    }
  }

  /// Reports why the conversion ends in this process. Nothing has failed.
  private func noteEnd(_ error: any Error) {
    report(error) { message in
      Logger(label: "whimbrel.transition").info(
        "The conversion of objects ends here; processes with the new schema go on: \(message)",
        metadata: ["path": "\(request.path)"])
    }
  }

  private func report(_ error: any Error, log: (_ message: String) -> Void) {
    let message = (error as? StoreError)?.message ?? "\(error)"
    var progress = progress
    // Attempts that fail alike are logged once.
    if progress.problem != message { log(message) }
    progress.problem = message
    report(progress)
  }

  private func convert(_ file: StoreFile) {
    // A run holds a snapshot, which keeps pages from being reused. So it ends before each longer
    // pause, and so does the lock, for other processes.
    var run: TransitionRun?
    var lock: ConverterLock?
    // The last commit after the latest batch, or 0 if it is not known whether others write.
    var lastCommit = 0
    var time = Self.busyBatch
    var isFirst = true
    // Whether objects are left that the rules of this process cannot convert.
    var isBlocked = false
    var retry = Self.shortestRetry
    while !isStopping {
      state.withLock { $0.isAsked = false }
      do {
        let current = try run ?? TransitionRun(file, declaration)
        run = current
        if current.schemaVersion > request.schemaVersion {
          _ = try reportEnd(nil, file)
          return
        }
        // A batch would write, and fail again.
        if isBlocked {
          isBlocked = try current.isBlocked()
          isFirst = !isBlocked
        }
        if !isBlocked, lock == nil { lock = try ConverterLock(file.environment) }
        // Without the lock, another process converts.
        let obstacle = try isBlocked ? .blocked : lock == nil ? .converting : obstacle(file)
        if let obstacle {
          guard let state = try current.currentState() else {
            if try reportEnd(nil, file) { return }
            end(&run, &lock)
            continue
          }
          report(try progress(state, obstacle, file))
          end(&run, &lock)
          pause(at: obstacle)
          lastCommit = 0
          continue
        }
        if isFirst { try current.retryFailed() }
        isFirst = false
        let before = try commit(of: file)
        time = before == lastCommit ? min(time * 2, Self.idleBatch) : Self.busyBatch
        let (start, commits) = (ContinuousClock.now, current.commitCount)
        let waited = current.waitingTime
        let outcome = try current.runBatch(time)
        // While the batch waits for another writer, nobody waits for the batch.
        let taken = ContinuousClock.now - start - (current.waitingTime - waited)
        let after = try commit(of: file)
        // Others may also have written while the batch waited for the write lock.
        let isBusy =
          lastCommit != 0 && before != lastCommit
          || after - before > current.commitCount - commits
        lastCommit = after
        retry = Self.shortestRetry
        switch outcome {
        case .over(let state):
          if try reportEnd(state, file) { return }
          end(&run, &lock)
          pause(at: .converting)
        case .blocked(let state):
          isBlocked = true
          report(try progress(state, .blocked, file))
          end(&run, &lock)
          pause(at: .blocked)
          lastCommit = 0
        case .more(let state):
          report(try progress(state, .converting, file))
          if isHurried { continue }
          // A writer that waits for the write lock needs a moment to take it.
          if isBusy { end(&run) }
          pause(for: isBusy ? taken * Self.patience : .microseconds(100))
        }
      } catch {
        if isStopping { return }
        end(&run, &lock)
        let reason = file.explain(error)
        // The app cannot use the schema of the file any more. An app that can converts the rest.
        if (reason as? StoreError)?.code == .schemaChangedElsewhere { return noteEnd(reason) }
        note(reason)
        pause(for: retry)
        retry = min(retry * 2, Self.longestRetry)
        lastCommit = 0
      }
    }
  }

  /// Returns the reason why nothing is converted now, or nil.
  private func obstacle(_ file: StoreFile) throws -> TransitionProgress.Activity? {
    if state.withLock({ $0.isPaused }) { return .paused }
    guard let minimum = request.transition?.minimumFreeSpace, minimum > 0,
      let free = FilePreflight.freeSpace(beside: file.path), free < minimum
    else { return nil }
    return .waitingForDiskSpace
  }

  private func commit(of file: StoreFile) throws -> Int {
    try file.environment.information().lastTransaction
  }

  private func progress(
    _ state: TransitionState?, _ activity: TransitionProgress.Activity, _ file: StoreFile
  ) throws -> TransitionProgress {
    TransitionProgress(state, activity, in: try file.currentCatalog(), for: declaration.schema)
  }

  /// Reports the end of the conversion. Returns false if it is not over, because another process
  /// has begun a new transition.
  ///
  /// - Parameter state: The state at the end, or nil if another process has ended it.
  private func reportEnd(_ state: TransitionState?, _ file: StoreFile) throws -> Bool {
    let loaded = try file.currentCatalog()
    if loaded.catalog.isInTransition(for: declaration.schema) { return false }
    if let state {
      report(TransitionProgress(state, .finished, in: loaded, for: declaration.schema))
    } else {
      // The file no longer tells about the objects.
      report(progress.finished(atVersion: loaded.header.schemaVersion))
    }
    return true
  }

  /// Releases a run's snapshot at once, even if other references to the run exist.
  private func end(_ run: inout TransitionRun?) {
    run?.endReading()
    run = nil
  }

  /// Releases a run's snapshot and the lock, so that another process can convert.
  private func end(_ run: inout TransitionRun?, _ lock: inout ConverterLock?) {
    end(&run)
    lock = nil
  }

  /// Sleeps until it is worth a look whether an obstacle is gone, or until the state changes.
  private func pause(at obstacle: TransitionProgress.Activity) {
    switch obstacle {
    // Another process may have converted the objects.
    case .paused, .blocked: pause(for: .seconds(10))
    case .converting, .waitingForDiskSpace, .finished: pause(for: .milliseconds(250))
    }
  }

  /// Sleeps for a time, or until the state changes.
  private func pause(for time: Duration) {
    let nanoseconds = Int(min(time / .nanoseconds(1), 3.6e12))
    _ = wake.wait(timeout: .now() + .nanoseconds(nanoseconds))
  }

  private var isHurried: Bool { state.withLock { $0.hurries > 0 } }
}
