internal import Dispatch
internal import Synchronization
internal import WhimbrelLMDB

/// A block of objects with past shapes, which two cores convert before a loop reads them: see
/// ``ConversionAhead``.
///
/// Each core takes the next remaining piece, and reads it in its own snapshot of the same commit.
/// If an object cannot be converted here, for whatever reason, it is left to the loop, which
/// converts it when it reads it, and gets the error.
final class ConversionBlock: Sendable {
  /// The objects, in the order of the loop.
  let ids: [ObjectID]
  private let stored: StoredObjects
  private let following = Atomic(0)
  private let size = Atomic(0)
  private let pieces: Mutex<[Piece?]>
  /// The resources of the other core, which takes them when it starts. If it has not started,
  /// ``end()`` takes them.
  private let help: Mutex<Help?>
  private let helpEnded = DispatchSemaphore(value: 0)

  fileprivate static let pieceLength = 64
  /// The limit on the size of converted objects, in bytes. Further objects are left to the loop.
  private static let sizeLimit = 1 << 21

  /// Access to the stored objects of a class, for any thread.
  struct StoredObjects: Sendable {
    let resolved: ResolvedClass
    let objects: Table
    let overflow: Table?
    let verifies: Bool
    let commit: Int
    /// Whether the loop reads all objects of the class.
    let areAll: Bool

    fileprivate func overflow(of id: ObjectID, in view: ReadView) -> Overflow {
      Overflow(view, overflow, id, seed: verifies ? resolved.checksumSeed(id) : nil)
    }
  }

  /// The resources that the other core converts with.
  struct Help: Sendable {
    let environment: Environment
    let converter: OtherConverter
  }

  /// The converter of the other core, which creates it. Blocks use it one after the other.
  // Safe: a block starts when the one before it has ended.
  final class OtherConverter: @unchecked Sendable {
    private let source: ConversionsSource
    private var conversions: Conversions?

    init(_ source: ConversionsSource) { self.source = source }

    fileprivate func converter(of id: ClassID) throws -> ObjectConverter {
      let conversions = conversions ?? source.make()
      self.conversions = conversions
      return try conversions.converter(of: id)
    }
  }

  /// Some of the objects of a block, converted.
  // Safe: one core creates it, and it is not changed afterwards.
  fileprivate final class Piece: @unchecked Sendable {
    private var buffer = ByteBuffer(capacity: 128 * ConversionBlock.pieceLength)
    private var ranges: [Range<Int>] = []
    private(set) var convertedCount = 0

    /// Appends a record, or an empty entry for an object that is left to the loop.
    func append(_ record: PageBytes?, isConverted: Bool = false) {
      let start = buffer.count
      if let record { buffer.append(record) }
      ranges.append(start..<buffer.count)
      if isConverted { convertedCount += 1 }
    }

    var size: Int { buffer.count }

    /// Returns a record, or nil if it was not converted.
    func record(_ index: Int) -> PageBytes? {
      guard index < ranges.count else { return nil }
      let range = ranges[index]
      return range.isEmpty ? nil : buffer.bytes.slice(at: range.lowerBound, count: range.count)
    }
  }

  /// The converted objects of a block. Their bytes are valid as long as this value exists.
  struct Outcome {
    fileprivate let pieces: [Piece?]

    /// The number of objects that had past shapes.
    var convertedCount: Int { pieces.reduce(0) { $0 + ($1?.convertedCount ?? 0) } }

    /// Returns the record of an object, in the current shape of the class, or nil if the object was
    /// left to the loop.
    func record(at index: Int) -> PageBytes? {
      pieces[index / ConversionBlock.pieceLength]?.record(index % ConversionBlock.pieceLength)
    }
  }

  /// Starts to convert on another core.
  init(_ ids: [ObjectID], _ stored: StoredObjects, _ help: Help, on queue: DispatchQueue) {
    self.ids = ids
    self.stored = stored
    self.help = Mutex(help)
    let count = (ids.count + Self.pieceLength - 1) / Self.pieceLength
    pieces = Mutex(Array(repeating: nil, count: count))
    queue.async { self.begin() }
  }

  private func begin() {
    guard let help = help.withLock({ $0.take() }) else { return }
    convert(with: help)
    helpEnded.signal()
  }

  private func convert(with help: consuming Help) {
    guard let snapshot = try? ReadTransaction(help.environment),
      snapshot.view.transactionID == stored.commit,
      let converter = try? help.converter.converter(of: stored.resolved.id)
    else { return }
    convert(in: snapshot.view, by: converter)
    _ = consume snapshot
  }

  /// Converts the remaining objects, together with the other core, and returns all of them.
  ///
  /// - Parameter view: The snapshot of the calling thread.
  func finish(in view: ReadView, by converter: ObjectConverter?) -> Outcome {
    if let converter { convert(in: view, by: converter) }
    end()
    return Outcome(pieces: pieces.withLock { $0 })
  }

  /// Stops the other core, and waits until it has stopped.
  func end() {
    following.store(ids.count, ordering: .relaxed)
    if help.withLock({ $0.take() }) == nil { helpEnded.wait() }
    helpEnded.signal()
  }

  private func convert(in view: ReadView, by converter: ObjectConverter) {
    guard let cursor = try? view.cursor(stored.objects) else { return }
    var batch = EntryBatch()
    while size.load(ordering: .relaxed) < Self.sizeLimit {
      let first = following.wrappingAdd(Self.pieceLength, ordering: .relaxed).oldValue
      guard first < ids.count else { return }
      let piece = Piece()
      let ids = ids[first..<min(first + Self.pieceLength, ids.count)]
      try? convert(ids, into: piece, &batch, cursor, view, converter)
      size.wrappingAdd(piece.size, ordering: .relaxed)
      pieces.withLock { $0[first / Self.pieceLength] = piece }
    }
  }

  private func convert(
    _ ids: ArraySlice<ObjectID>, into piece: Piece, _ batch: inout EntryBatch, _ cursor: Cursor,
    _ view: ReadView, _ converter: ObjectConverter
  ) throws {
    func append(_ record: PageBytes, _ id: ObjectID, isSound: Bool) {
      let resolved = stored.resolved
      guard isSound || !stored.verifies || resolved.hasChecksum(record, id) else {
        return piece.append(nil)
      }
      if !resolved.isStale(record) { return piece.append(record) }
      let converted = try? converter.convert(record, id, stored.overflow(of: id, in: view))
      guard let converted, converted.pending.isEmpty else { return piece.append(nil) }
      piece.append(converted.record, isConverted: true)
    }
    guard stored.areAll else {
      for id in ids {
        if try cursor.seek(to: id.rawValue) {
          append(cursor.value, id, isSound: false)
        } else {
          piece.append(nil)
        }
      }
      return
    }
    guard let first = ids.first, let last = ids.last,
      try batch.fill(cursor, from: first.rawValue, through: last.rawValue, touching: nil)
    else { return }
    let sound = stored.verifies ? stored.resolved.soundRecords(batch) : .max
    for (index, id) in zip(0..<batch.count, ids) {
      guard batch.key(index) == id.rawValue else { return }
      append(batch.value(index), id, isSound: sound & (1 << UInt64(index)) != 0)
    }
  }
}
