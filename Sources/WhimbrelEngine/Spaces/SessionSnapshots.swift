internal import WhimbrelLMDB

/// The snapshots of a session: the one that it shows, and the one that its observers have followed.
///
/// Invariants:
/// 1. The session shows `reader` if there is one, else `shown`.
/// 2. A base is held from when the session releases the snapshot that the observers have followed
///    until they have followed the next one. There is at most one: `base` or `baseReader`.
final class SessionSnapshots {
  private let file: StoreFile
  /// The snapshot that is shown. Nil while reading is paused, and after it has become the base.
  private var shown: ReadTransaction?
  /// The reader of a snapshot that is shared with other threads, or nil. `shown` is then not
  /// active.
  private var reader: SharedSnapshot.Reader?
  private var base: ReadTransaction?
  private var baseReader: SharedSnapshot.Reader?
  /// An unused transaction, for the next snapshot.
  private var spare: ReadTransaction?
  /// The note that this process holds the snapshot that is shown.
  private(set) var holder: HeldSnapshot?

  /// Takes the first snapshot.
  init(_ file: StoreFile) throws {
    self.file = file
    holder = file.hold(as: .store)
    shown = try ReadTransaction(file.environment)
  }

  /// The view of the snapshot that is shown, or a closed view if none is shown.
  var view: ReadView {
    if let reader { return reader.view }
    return shown?.isActive == true ? shown?.view ?? .closed : .closed
  }

  /// The view of the snapshot that observers have followed, or nil if there is no base.
  var baseView: ReadView? { base?.view ?? baseReader?.view }

  /// Takes a snapshot of the newest commit, and returns its view.
  ///
  /// - Parameter keepsBase: Whether observers must still follow the changes since the snapshot that
  ///   was shown. It then becomes the base, unless there is one already. If another process has
  ///   enlarged the file, or all reader slots are in use, no base can be kept.
  func take(keepingBase keepsBase: Bool) throws -> ReadView {
    if keepsBase { keepBase() }
    if baseView != nil, try file.environment.information().isOutgrown { dropBase() }
    reader = nil
    if shown == nil { shown = try makeTransaction() }
    try shown?.renew()
    let view = view
    holder?.note(view.transactionID)
    return view
  }

  /// Makes a transaction for the next snapshot. If all reader slots are in use, releases the base and
  /// takes its slot: otherwise nothing could be shown.
  private func makeTransaction() throws -> ReadTransaction {
    if let spare = spare.take() { return spare }
    do throws(LMDBError) {
      return try ReadTransaction(file.environment)
    } catch {
      guard error.code == .readersFull else { throw error }
      dropBase()
      guard let spare = spare.take() else { throw error }
      return spare
    }
  }

  /// Releases the snapshot before a write: it would pin the pages that the write frees, and the map
  /// cannot grow while it is held. Keeps a base as ``take(keepingBase:)`` does.
  func letGo(keepingBase keepsBase: Bool) {
    if keepsBase { keepBase() }
    reader = nil
    shown?.reset()
  }

  /// Shows a snapshot that is shared with other threads, and keeps the previous one as the base for
  /// observers. Returns the view of the new snapshot.
  func show(_ shared: SharedSnapshot) throws -> ReadView {
    let next = try shared.makeReader()
    keepBase()
    reader = next
    shown?.reset()
    holder?.note(shared.commit)
    return next.view
  }

  /// Shows another snapshot, and keeps the previous one as the base for observers. Returns the view
  /// of the new snapshot.
  func show(_ next: consuming ReadTransaction) -> ReadView {
    keepBase()
    reader = nil
    shown = consume next
    let view = self.view
    holder?.note(view.transactionID)
    return view
  }

  private func keepBase() {
    guard base == nil, baseReader == nil else { return }
    if let reader {
      baseReader = reader
    } else if shown?.isActive == true {
      base = shown.take()
    }
  }

  /// Shows the base again.
  ///
  /// - Returns: The view of the base, or nil if there is none.
  func showBase() -> ReadView? {
    if let baseReader {
      reader = baseReader
      self.baseReader = nil
    } else if let base = base.take() {
      if shown != nil { spare = shown.take() }
      reader = nil
      shown = consume base
    } else {
      return nil
    }
    let view = view
    holder?.note(view.transactionID)
    return view
  }

  /// Releases the base.
  func dropBase() {
    base?.reset()
    if base != nil { spare = base.take() }
    baseReader = nil
  }

  /// Shares the snapshot with other threads, and continues to show it. Returns the new view of it.
  ///
  /// If this throws, nothing may be shown any more: see ``view``.
  func share() throws -> (SharedSnapshot, ReadView) {
    var next = try ReadTransaction(file.environment)
    next.reset()
    guard shown?.isActive == true, let given = shown.take() else {
      throw LMDBError(code: .closed, function: "mdb_txn_begin")
    }
    shown = consume next
    let shared = try SharedSnapshot(given)
    let made = try shared.makeReader()
    reader = made
    return (shared, made.view)
  }

  /// Releases the snapshot until the next one is taken.
  func pause() {
    shown?.end()
    shown = nil
    reader = nil
  }

  /// Releases all snapshots and the file, for good.
  func end() {
    pause()
    base?.end()
    base = nil
    baseReader = nil
    spare?.end()
    spare = nil
    holder = nil
  }
}
