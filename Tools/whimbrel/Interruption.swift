import Foundation
import Synchronization

/// The user's request to stop, which the tool obeys after cleaning up.
enum Interruption {
  private static let flag = Atomic<Bool>(false)

  /// Whether the user asked the tool to stop.
  static var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// The signals that ask the tool to stop. `nohup` makes a program ignore SIGHUP, and it then stays
  /// ignored.
  private static let numbers: [Int32] = {
    // If the signal was not ignored, ``watch()`` sets the handler now.
    let before = signal(SIGHUP, SIG_IGN)
    // Safe: both are addresses of functions, or small numbers in their place.
    let isIgnored =
      unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    return [SIGINT, SIGTERM] + (isIgnored ? [] : [SIGHUP])
  }()

  /// Makes SIGINT, SIGTERM and SIGHUP set the flag. A second SIGINT or SIGTERM ends the process.
  static func watch() {
    // Initialises the flag now: a signal handler must not do it.
    _ = flag.load(ordering: .relaxed)
    // The parent process may have blocked the signals: libdispatch does so in its threads, and a
    // child inherits it.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    defer { unsafe sigprocmask(SIG_UNBLOCK, &signals, nil) }
    for number in numbers {
      unsafe sigaddset(&signals, number)
      // Without SA_RESTART, so that a call that waits for input returns with EINTR.
      var action = sigaction()
      #if canImport(Darwin)
        unsafe action.__sigaction_u.__sa_handler = stop
      #else
        unsafe action.__sigaction_handler.sa_handler = stop
      #endif
      unsafe sigaction(number, &action, nil)
    }
  }

  /// Restores the default action of the signals, which ends the process. For times without anything
  /// to clean up.
  static func endsProcess() {
    if isRequested { ExitStatus.interrupted.exit() }
    for number in numbers { signal(number, SIG_DFL) }
  }

  /// The signal handler. It makes only calls that are allowed in one.
  private static let stop: @convention(c) (Int32) -> Void = { number in
    Interruption.flag.store(true, ordering: .relaxed)
    // A terminal that is closed may send SIGHUP twice: its shell and the system do.
    if number != SIGHUP { signal(number, SIG_DFL) }
  }
}
