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
  @safe private(set) var unsafeLayout: Unmanaged<ResolvedLayout>
  private(set) var slots: StaticArray<ResolvedLayout.Slot>.View
  private var layoutID: LayoutID
  private let mark: UInt64
  private var fixedSize: Int

  init(_ session: Session, _ table: ClassTable) {
    unsafe unsafeSession = .passUnretained(session)
    current = session.epochView
    epoch = session.epoch
    unsafe unsafeTable = .passUnretained(table)
    let layout = table.resolved.written
    unsafe unsafeLayout = .passUnretained(layout)
    slots = layout.slotView
    layoutID = layout.layout.id
    fixedSize = layout.layout.fixedSize
    mark = ModelRow.mark(of: session)
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
    // Compares raw values, because an operator of another module is not
    // inlined.
    if record.count >= 8, record.layoutID.rawValue == layoutID.rawValue,
      record.count >= fixedSize
    {
      return
    }
    try change(record, id)
  }

  @inline(never)
  private mutating func change(_ record: PageBytes, _ id: ObjectID) throws {
    let layout = try unsafe unsafeTable.takeUnretainedValue().layout(of: record, id)
    unsafe unsafeLayout = .passUnretained(layout)
    slots = layout.slotView
    layoutID = layout.layout.id
    fixedSize = layout.layout.fixedSize
  }
}
