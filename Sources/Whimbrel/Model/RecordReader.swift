internal import WhimbrelEngine
internal import WhimbrelLMDB

/// The data that the rows of many objects of one class share during one epoch
/// of their session.
@safe
struct RecordReader {
  // Safe: whatever uses a reader keeps the session. So a reader is copied without counting
  // references.
  @safe private let unsafeSession: Unmanaged<Session>
  let current: Counter.View
  private(set) var epoch: UInt64
  // Safe: as in ``ModelRow``.
  @safe let unsafeTable: Unmanaged<ClassTable>
  private(set) var layout: ResolvedLayout.View
  private let mark: UInt64

  init(_ session: Session, _ table: ClassTable) {
    unsafe unsafeSession = .passUnretained(session)
    current = session.epochView
    epoch = session.epoch
    unsafe unsafeTable = .passUnretained(table)
    layout = table.written
    mark = session.rowEpoch & Session.trackingMark
  }

  @inline(__always)
  var session: Session { unsafe unsafeSession.takeUnretainedValue() }

  /// The epoch as rows keep it.
  @inline(__always)
  var rowEpoch: UInt64 { epoch | mark }

  @inline(__always)
  var isCurrent: Bool { epoch == current.value || current.isClaimed(at: epoch) }

  /// Continues after a write or in another snapshot, if the class is unchanged.
  @inline(__always)
  mutating func follow() {
    epoch = unsafe unsafeSession._withUnsafeGuaranteedRef { $0.epoch }
  }

  /// Loads the layout of a record, and checks that the record is large enough
  /// for it.
  ///
  /// - Throws: ``StoreError`` with `damaged`.
  @inline(__always)
  mutating func use(_ record: PageBytes, _ id: ObjectID) throws {
    if !layout.fits(record) { try change(record, id) }
  }

  @inline(never)
  private mutating func change(_ record: PageBytes, _ id: ObjectID) throws {
    layout = try unsafe unsafeTable._withUnsafeGuaranteedRef { try $0.layout(of: record, id).view }
  }
}
