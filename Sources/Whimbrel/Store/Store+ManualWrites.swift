internal import WhimbrelEngine

extension Store {
  /// Begins a write that lasts until ``commitWrite()`` or ``cancelWrite()``, and waits for the
  /// writes of others before that.
  ///
  /// It is for code that cannot write in one closure, such as a form that the user edits. Prefer
  /// ``write(_:)-(()->Result)`` wherever you can: it cannot forget to end a write.
  ///
  /// ```swift
  /// try store.beginWrite()
  /// zone.comments = field.text
  /// try store.commitWrite()
  /// ```
  ///
  /// All other writers wait as long as it lasts, in all threads and processes. It belongs to the
  /// thread that began it, and must end there. When the store goes away, the write is cancelled; if
  /// that happens on another thread, the program stops, for all other writers would wait for ever.
  ///
  /// - Throws: ``StoreError`` with `nestedWrite` while this store, or another one of the same file
  ///   on this thread, is in a write; and as ``write(_:)-(()->Result)``.
  @available(*, noasync, message: "A write belongs to one thread. Use 'write' instead.")
  public func beginWrite() throws { try session.beginWrite() }

  /// Commits what was written since ``beginWrite()``.
  ///
  /// - Throws: ``StoreError`` with `notInWrite` when no write is in progress; with `inWrite` inside
  ///   of ``write(_:)-(()->Result)``, which ends with its closure; with `writeOfOtherThread`, and the write goes
  ///   on. After any other error the write is over, and everything written in it is undone.
  @available(*, noasync, message: "A write belongs to one thread. Use 'write' instead.")
  public func commitWrite() throws { try session.commitWrite() }

  /// Undoes everything that was written since ``beginWrite()``. Objects that were added in it can
  /// then no longer be used.
  ///
  /// - Throws: ``StoreError`` as ``commitWrite()`` does.
  @available(*, noasync, message: "A write belongs to one thread. Use 'write' instead.")
  public func cancelWrite() throws { try session.cancelWrite() }
}
