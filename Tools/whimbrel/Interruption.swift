import Foundation
import Synchronization

/// Whether the user wants the tool to stop, so that it can clean up before it
/// does.
enum Interruption {
  private static let flag = Atomic<Bool>(false)

  /// Whether the user wants to stop.
  static var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Makes the signals to stop set the flag; a second one ends the process.
  static func watch() {
    // Made now, and not in the middle of a signal.
    _ = flag.load(ordering: .relaxed)
    // Who started the tool may have them blocked: libdispatch does in its threads,
    // and a child inherits that.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    defer { unsafe sigprocmask(SIG_UNBLOCK, &signals, nil) }
    for number in [SIGINT, SIGTERM] {
      unsafe sigaddset(&signals, number)
      // Without SA_RESTART, so that who waits for input notices.
      var action = sigaction()
      #if canImport(Darwin)
        unsafe action.__sigaction_u.__sa_handler = stop
      #else
        unsafe action.__sigaction_handler.sa_handler = stop
      #endif
      unsafe sigaction(number, &action, nil)
    }
  }

  /// Makes the signals to stop end the process, as long as there is nothing to clean up.
  static func endsProcess() {
    if isRequested { ExitStatus.interrupted.exit() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }

  /// What is done at a signal, and may be done in one.
  private static let stop: @convention(c) (Int32) -> Void = { number in
    Interruption.flag.store(true, ordering: .relaxed)
    signal(number, SIG_DFL)
  }
}
