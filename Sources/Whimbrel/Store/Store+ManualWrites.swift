internal import WhimbrelEngine

extension Store {
  /// Begins a write that lasts until ``commitWrite()`` or ``cancelWrite()``. Waits first until
  /// other writes have ended.
  ///
  /// Use it in code that cannot write in one closure, such as a form that the user edits. Prefer
  /// ``write(_:)-(()->Result)`` wherever possible, because that always ends its write.
  ///
  /// ```swift
  /// try store.beginWrite()
  /// zone.comments = field.text
  /// try store.commitWrite()
  /// ```
  ///
  /// All other writers, in all threads and processes, wait until the write ends. A write belongs to
  /// the thread that began it and must end on that thread. If the store is deallocated, the write
  /// is cancelled. If the store is deallocated on another thread, the program stops, because all
  /// other writers would wait for ever.
  ///
  /// - Throws: ``StoreError`` with `nestedWrite` while this store, or another store of the same
  ///   file on this thread, is in a write; otherwise as ``write(_:)-(()->Result)``.
  @available(*, noasync, message: "A write belongs to one thread. Use 'write' instead.")
  public func beginWrite() throws { try session.beginWrite() }

  /// Commits everything written since ``beginWrite()``.
  ///
  /// - Throws: ``StoreError`` with `notInWrite` if no write is in progress; with `inWrite` inside
  ///   of ``write(_:)-(()->Result)``, which ends with its closure; with `writeOfOtherThread` on a
  ///   thread other than the writer's. In the last case the write stays open. After any other error
  ///   the write is over, and everything written in it is undone.
  @available(*, noasync, message: "A write belongs to one thread. Use 'write' instead.")
  public func commitWrite() throws { try session.commitWrite() }

  /// Undoes everything written since ``beginWrite()``. Do not use objects that were added in the
  /// write afterwards.
  ///
  /// - Throws: ``StoreError`` as ``commitWrite()`` does.
  @available(*, noasync, message: "A write belongs to one thread. Use 'write' instead.")
  public func cancelWrite() throws { try session.cancelWrite() }
}
