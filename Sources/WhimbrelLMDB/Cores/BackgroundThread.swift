internal import Foundation

/// The threads on which the library waits for the disk and runs code of the app.
///
/// `Thread.start()` ignores a refusal of the system, which gives a process only so many threads and
/// so much address space. Whoever awaits the work would then wait forever.
package enum BackgroundThread {
  /// A closure for a thread.
  private final class Work: Sendable {
    private let name: String
    private let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      (self.name, self.body) = (name, body)
    }

    func run() {
      // On Linux only the thread itself can set its name.
      Thread.current.name = name
      body()
    }
  }

  /// The code of the app may need as much stack as on the main thread.
  private static let stackSize = 8 << 20

  /// Runs `body` on a new thread.
  ///
  /// The corresponding C function is `pthread_create`.
  ///
  /// - Throws: ``LMDBError`` if the system refuses the thread. `body` is not called then.
  package static func start(
    _ name: String, _ body: @escaping @Sendable () -> Void
  ) throws(LMDBError) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    // Safe: the new thread takes the reference, or it is released below.
    let work = unsafe Unmanaged.passRetained(Work(name, body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = unsafe pthread_create(
        &thread, &attributes,
        { argument in
          unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
          return nil
        }, work.toOpaque())
    #else
      var thread = pthread_t()
      let code = unsafe pthread_create(
        &thread, &attributes,
        { argument in
          if let argument = unsafe argument {
            unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
          }
          return nil
        }, work.toOpaque())
    #endif
    guard code == 0 else {
      unsafe work.release()
      throw LMDBError(code: .init(rawValue: code), function: "pthread_create")
    }
  }
}
