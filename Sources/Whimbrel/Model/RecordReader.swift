internal import WhimbrelEngine
internal import WhimbrelLMDB

/// What the places of many objects of one class have in common, while the
/// epoch of their session stays.
@safe
struct RecordReader {
  let session: Session
  let current: Counter.View
  private(set) var epoch: UInt64
  // Safe: as in ``ModelRow``.
  @safe let unsafeTable: Unmanaged<ClassTable>
  @safe private(set) var unsafeLayout: Unmanaged<ResolvedLayout>
  private(set) var slots: StaticArray<ResolvedLayout.Slot>.View
  private var layoutID: LayoutID
  private var fixedSize: Int

  init(_ session: Session, _ table: ClassTable) {
    self.session = session
    current = session.epochView
    epoch = session.epoch
    unsafe unsafeTable = .passUnretained(table)
    let layout = table.resolved.written
    unsafe unsafeLayout = .passUnretained(layout)
    slots = layout.slotView
    layoutID = layout.layout.id
    fixedSize = layout.layout.fixedSize
  }

  /// Whether records are where they were.
  @inline(__always)
  var isCurrent: Bool { epoch == current.value || current.isClaimed(at: epoch) }

  /// Goes on after a write or in another snapshot, with the class as before.
  @inline(__always)
  mutating func follow() { epoch = session.epoch }

  /// Makes sure that the layout is that of a record, which fits into it.
  ///
  /// - Throws: ``StoreError`` with `damaged`.
  @inline(__always)
  mutating func use(_ record: PageBytes, _ id: ObjectID) throws {
    // By the raw values: an operator of another module is not inlined.
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
