internal import WhimbrelLMDB

// A store may move between threads, as the store of an actor does, but only one thread may use it
// at a time. The compiler proves that. Where the compiler was told not to check, some uses are
// detected that are always wrong: another thread reads or writes while one is in a write, and would
// see uncommitted changes, or it does so during a refresh. Two threads that only read are not
// detected, and neither is a thread that comes between two uses of another.
//
// The cost is paid in writes. Outside of them, a getter compares one number as before. In a write
// that number is claimed, so that a getter compares the thread, too.
extension Session {
  /// Stops the program if another thread writes or refreshes.
  @inline(__always)
  package func requireThread() {
    let thread = clock.claimant
    if thread != 0, thread != Environment.currentThread { stopForOtherThread() }
  }

  @inline(never)
  private func stopForOtherThread() -> Never {
    stopProgram(StoreError.usedByOtherThread(path: file.path).description)
  }

  /// Keeps other threads out until ``release()``.
  func claim() {
    requireThread()
    clock.claimant = Environment.currentThread
  }

  /// Lets other threads use the session again.
  func release() { clock.claimant = 0 }
}
