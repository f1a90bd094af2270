internal import Foundation

/// The signal that the system sends to a thread that writes beyond the file size limit of the
/// process (`RLIMIT_FSIZE`).
///
/// By default the signal ends the process. While it is blocked, the write fails with `EFBIG`
/// instead. The signal is blocked on the writing thread only, and a signal that came meanwhile is
/// consumed: the app's own handlers stay as they are.
package struct SizeSignal {
  /// The previous signal mask, or nil if the signal was blocked already.
  private let mask: sigset_t?

  /// Blocks the signal on this thread. End it on the same thread.
  package static func block() -> SizeSignal {
    var (only, before) = (only, sigset_t())
    guard unsafe pthread_sigmask(SIG_BLOCK, &only, &before) == 0,
      unsafe sigismember(&before, SIGXFSZ) == 0
    else { return SizeSignal(mask: nil) }
    return SizeSignal(mask: before)
  }

  /// Consumes the signal if it was sent, and restores the mask.
  package func end() {
    guard var mask else { return }
    var pending = sigset_t()
    if unsafe sigpending(&pending) == 0, unsafe sigismember(&pending, SIGXFSZ) == 1 {
      var (only, number) = (Self.only, Int32(0))
      unsafe sigwait(&only, &number)
    }
    unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
  }

  /// Runs `body` while the signal is blocked.
  package static func blocked<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let signals = block()
    defer { signals.end() }
    return try body()
  }

  private static var only: sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGXFSZ)
    return set
  }
}
