internal import WhimbrelLMDB

// A store may move between threads, as that of an actor does, but only one may use it at a time.
// The compiler proves that. Where it was told not to, the uses are found that no program can do
// right: another thread reads or writes while one is in a write, and would see what is not
// committed, or comes amidst a refresh. Two threads that only read are not found, nor is one that
// comes between two uses of another.
//
// The cost is paid in writes: outside of them a getter compares one number as before. In a write
// that number is claimed, so that a getter compares the thread too.
extension Session {
  /// Stops the program when another thread writes or refreshes.
  @inline(__always)
  package func requireThread() {
    let thread = clock.claimant
    if thread != 0, thread != Environment.currentThread { stopForOtherThread() }
  }

  @inline(never)
  private func stopForOtherThread() -> Never {
    stopProgram(StoreError.usedByOtherThread(path: file.path).description)
  }

  /// Keeps other threads out.
  func claim() {
    requireThread()
    clock.claimant = Environment.currentThread
  }

  /// Lets other threads in again.
  func release() { clock.claimant = 0 }
}
