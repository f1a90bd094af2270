internal import Foundation
internal import WhimbrelLMDB

/// A converter of objects of a class in groups, which keeps their pages full.
///
/// LMDB: a record that grows splits a full page in the middle. If all records grow one after the
/// other, both halves stay half empty. A record put behind the last one of a page does not split it
/// so. So a group of whole pages is removed first, and then put again, with the objects on them
/// that are already converted: a record put before one of these would split the page, too.
///
/// LMDB: a page that falls below a quarter of its size takes records from the page before it, or
/// from the page behind it if it is the first one of its branch. Records from the page behind would
/// then lie behind the group, and each page of the group would be split in the middle. So the first
/// page of a branch begins a group, and the first part of its records stays in place.
struct ObjectPacking: ~Copyable {
  /// The bounds of ``size``.
  private static let (smallest, largest) = (64, 1_024)
  /// The minimum number of pages of a group. Each group leaves one page partly empty.
  private static let fewestPages = 2
  /// The minimum processor time that the conversion of a group should take.
  private static let groupTime = Duration.microseconds(500)
  /// The shortest time in which a batch converts a page, and the minimum number of pages to look
  /// ahead.
  private static let (timePerPage, pagesAhead) = (Duration.microseconds(16), 64)

  /// The number of slow groups in a row after which objects are converted one by one. The first
  /// group in a process is slow, because it creates what all others use.
  private static let slowGroupLimit = 3

  /// Whether objects are written together. This does not pay if they do not grow.
  var isOn = true
  /// The number of objects after which a group ends with its page.
  private var size = smallest
  private var slowGroups = 0
  /// The class whose objects are on the next pages.
  private var classID: ClassID?
  /// The next pages. They were verified in the snapshot before the write: LMDB trusts the pages
  /// that it reads in a write.
  private var pages: [Page] = []
  private var nextPage = 0
  /// Whether there are more pages after these.
  private(set) var hasMorePages = false
  private var group = ObjectGroup()
  private var entries = EntryBatch()

  private struct Page {
    let isFirstOfBranch: Bool
    /// The last object on the page.
    let end: ObjectID
  }

  /// Forgets the next pages, which belonged to a batch.
  mutating func endBatch() {
    (classID, nextPage) = (nil, 0)
    pages.removeAll(keepingCapacity: true)
  }

  /// Returns whether the next objects of a class can be written together.
  func isReady(for table: ClassTable) -> Bool { isOn && classID == table.resolved.id }

  /// Finds the pages that a batch can convert in its time.
  mutating func lookAhead(in table: ClassTable, after last: ObjectID?, _ time: Duration) throws {
    guard isOn, table.canConvertTogether, last?.rawValue != .max else { return }
    let limit = max(Int(time / Self.timePerPage), Self.pagesAhead)
    let cursor = try table.session.view.cursor(table.objects)
    hasMorePages = try cursor.seek(atLeast: last.map { $0.rawValue + 1 } ?? 0)
    while hasMorePages, pages.count < limit {
      let isFirst = cursor.isOnFirstPageOfBranch
      try cursor.moveToEndOfPage()
      pages.append(Page(isFirstOfBranch: isFirst, end: ObjectID(rawValue: cursor.integerKey)))
      hasMorePages = try cursor.move(to: .next)
    }
    classID = table.resolved.id
  }

  /// Converts the next group, and returns whether there was one.
  ///
  /// - Parameter batch: The time limit of the batch.
  mutating func convert(
    _ table: ClassTable, _ walk: inout TransitionState.Walk, in batch: Duration
  ) throws -> Bool {
    guard nextPage < pages.count else { return false }
    let start = Self.processorTime()
    try gather(table, &walk)
    if group.staleCount > 0 { isOn = try table.convertTogether(group) }
    walk.converted += group.staleCount
    // A shorter batch does not depend on the clock.
    guard batch >= Self.groupTime else { return true }
    // Fewer groups leave fewer pages partly empty.
    let wanted = max(batch / 2, Self.groupTime)
    let time = Self.processorTime() - start
    let isSlow = size == Self.smallest && time > Self.groupTime * 4
    slowGroups = isSlow ? slowGroups + 1 : 0
    if time * 2 < wanted {
      size = min(size * 2, Self.largest)
    } else if size > Self.smallest, time > wanted {
      size /= 2
    } else if slowGroups == Self.slowGroupLimit {
      // Other writers must not wait for fuller pages.
      (isOn, slowGroups) = (false, 0)
    }
    return true
  }

  /// Returns the processor time that the thread has used. The time that it waits for a core says
  /// nothing about the objects.
  private static func processorTime() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Reads the objects of the next pages.
  private mutating func gather(
    _ table: ClassTable, _ walk: inout TransitionState.Walk
  ) throws {
    let start = nextPage
    group.removeAll()
    if pages[start].isFirstOfBranch {
      // More than the quarter of a page below which LMDB takes records from another page.
      group.stayingBytes = try table.session.file.environment.information().pageSize / 3
    }
    let cursor = try table.session.view.cursor(table.objects)
    var count = 0
    while count < size || nextPage - start < Self.fewestPages, nextPage < pages.count,
      nextPage == start || !pages[nextPage].isFirstOfBranch
    {
      let end = pages[nextPage].end
      nextPage += 1
      var first: UInt64? = walk.last.map { $0.rawValue + 1 } ?? 0
      while try entries.fill(cursor, from: first, through: end.rawValue, touching: nil) {
        try table.gather(entries, into: &group)
        count += entries.count
        first = nil
      }
      walk.last = max(walk.last ?? end, end)
    }
    walk.visited += count
  }
}

/// A group of objects of a class, as they are stored.
struct ObjectGroup: ~Copyable {
  private(set) var ids: [ObjectID] = []
  /// The number of objects that have past shapes.
  private(set) var staleCount = 0
  private var ends: [Int] = []
  private var bytes = ByteBuffer(capacity: 1 << 15)

  /// The number of bytes of the first objects, which stay in their page while the others are
  /// removed.
  var stayingBytes = 0

  /// The bytes that LMDB stores in addition to each record: its key, a header, and its position on
  /// the page.
  private static let bytesOfEntry = 18

  /// The number of objects that stay in their page.
  var stayingCount: Int {
    if stayingBytes == 0 { return 0 }
    let first = ends.indices.first { ends[$0] + ($0 + 1) * Self.bytesOfEntry > stayingBytes }
    return (first ?? 0) + 1
  }

  mutating func removeAll() {
    ids.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    bytes.reset(zeros: 0)
    (staleCount, stayingBytes) = (0, 0)
  }

  mutating func append(_ id: ObjectID, _ record: PageBytes, isStale: Bool) {
    ids.append(id)
    if isStale { staleCount += 1 }
    bytes.append(record)
    ends.append(bytes.count)
  }

  /// Returns the record of an object by its index. It is valid until the group changes.
  func record(_ index: Int) -> PageBytes {
    let start = index == 0 ? 0 : ends[index - 1]
    guard let record = bytes.bytes.slice(at: start, count: ends[index] - start) else {
      preconditionFailure("The records of a group lie in its bytes.")
    }
    return record
  }
}

extension ClassTable {
  /// Adds objects to a group. Throws if one of them is damaged.
  fileprivate func gather(
    _ entries: borrowing EntryBatch, into group: inout ObjectGroup
  ) throws {
    let sound = soundRecords(entries)
    for index in 0..<entries.count {
      let record = try soundRecord(entries, index, sound)
      let id = ObjectID(rawValue: entries.key(index))
      group.append(id, record, isStale: resolved.isStale(record))
    }
  }
}
