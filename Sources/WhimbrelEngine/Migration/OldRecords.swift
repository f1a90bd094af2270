internal import WhimbrelLMDB

/// An old record on its way to its turn.
struct OldRecord {
  let id: ObjectID
  let record: PageBytes
  /// The checksum that the record should have, if it has been worked out.
  var checksum: UInt32?
}

/// The old records of a class, in the order of their IDs, some read ahead: the checksums of
/// several are worked out together.
///
/// Invariants:
/// 1. The records at hand are those that come after `last`, in their order.
/// 2. Their bytes are valid for `batch` only; after it they are read again.
struct OldRecords {
  private let old: OldSpace
  private var atHand: [OldRecord] = []
  private var position = 0
  private var batch = -1
  private var last: ObjectID?

  private static let readAhead = 4

  /// - Parameter last: the object after which the records begin, or nil for all.
  init(of old: OldSpace, after last: ObjectID?) {
    self.old = old
    self.last = last
    atHand.reserveCapacity(Self.readAhead)
  }

  /// The next record, or nil; valid until a batch is committed.
  ///
  /// - Parameter isVerified: whether its checksum will be asked for.
  mutating func next(isVerified: Bool) throws -> OldRecord? {
    if position == atHand.count || batch != old.batch {
      position = 0
      batch = old.batch
      try old.read(after: last, upTo: Self.readAhead, into: &atHand)
      if isVerified { addChecksums() }
      if atHand.isEmpty { return nil }
    }
    let found = atHand[position]
    position += 1
    last = found.id
    return found
  }

  private mutating func addChecksums() {
    guard atHand.count == Self.readAhead else { return }
    func input(_ found: OldRecord) -> Checksum.Input {
      Checksum.Input(found.record, seed: old.resolved.checksumSeed(found.id))
    }
    let sums = Checksum.records(
      input(atHand[0]), input(atHand[1]), input(atHand[2]), input(atHand[3]),
      hole: RecordLayout.checksumOffset)
    (atHand[0].checksum, atHand[1].checksum) = (sums.0, sums.1)
    (atHand[2].checksum, atHand[3].checksum) = (sums.2, sums.3)
  }
}

// MARK: - Checking

/// What the records of one layout are checked by, without counting references.
struct RecordOutline {
  private let layoutID: LayoutID
  private let fixedSize: Int
  private let pointers: StaticArray<ResolvedLayout.Pointer>.View

  init(_ layout: ResolvedLayout) {
    layoutID = layout.layout.id
    fixedSize = layout.layout.fixedSize
    pointers = layout.pointers
  }

  /// Whether a record has the layout, and its full size.
  @inline(__always)
  func fits(_ record: PageBytes) -> Bool {
    record.count >= 8 && record.layoutID == layoutID && record.count >= fixedSize
  }

  /// Whether a record has the layout and the checksum that it should have, and everything
  /// that its slots lead to. If not it may still be sound.
  func isWhole(_ record: PageBytes, checksum: UInt32) -> Bool {
    guard fits(record),
      UInt32(littleEndian: record.load(UInt32.self, at: RecordLayout.checksumOffset)) == checksum
    else { return false }
    for number in 0..<pointers.count where record.variable(at: pointers[number].offset) == nil {
      return false
    }
    return true
  }
}
