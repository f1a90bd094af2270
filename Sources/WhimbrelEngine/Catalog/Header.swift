package import Foundation
package import WhimbrelLMDB

/// The header of a file, which is read before everything else.
///
/// | bytes | content |
/// |---|---|
/// | 0 ..< 8 | `WHIMBREL` |
/// | 8 ..< 12 | format version |
/// | 12 ..< 16 | the oldest format version that a reader must know |
/// | 16 ..< 20 | the oldest format version that a writer must know |
/// | 20 ..< 24 | checksum of the catalog |
/// | 24 ..< 32 | schema version |
/// | 32 ..< 40 | catalog revision, which grows with every change of the catalog |
/// | 40 ..< 56 | fingerprint of the declared schema |
/// | 56 ..< 72 | store UUID |
/// | 72 ..< 80 | creation, in seconds since 2001-01-01 00:00 UTC |
/// | 80 ..< 84 | length of the name of the last writer |
/// | 84 ..< 88 | checksum |
/// | 88 … | the name of the last writer in UTF-8, padded with zeros to a multiple of eight |
package struct Header: Hashable, Sendable {
  package var formatVersion: UInt32 = Header.currentFormat
  package var minimumReader: UInt32 = Header.currentFormat
  package var minimumWriter: UInt32 = Header.currentFormat
  package var catalogChecksum: UInt32 = 0
  package var schemaVersion: SchemaVersion
  package var catalogRevision: UInt64
  package var fingerprint: Fingerprint
  package var uuid: UUID
  package var creation: Date
  package var lastWriter: String

  /// The format that this library writes, unless a transition is under way.
  ///
  /// | format | what it added |
  /// |---|---|
  /// | 1 | |
  /// | 2 | an overflow table for each class |
  /// | 3 | compound, unique and full-text indexes |
  /// | 4 | checksums of index entries, and a second number of a class's objects |
  /// | 5 | objects that a transition has not yet converted, only as long as it lasts |
  /// | 6 | checksums that tell stores apart: see ``ChecksumSalt`` |
  /// | 7 | the same in a transition, only as long as it lasts |
  /// | 8 | compact slots, and records without padding: see ``RecordSlot`` |
  /// | 9 | the same in a transition, only as long as it lasts |
  ///
  /// A file of format 4 to 7 gets format 8 or 9 when its schema changes.
  package static let currentFormat: UInt32 = 8
  /// The format of a file in transition, and the newest that this library reads.
  package static let transitionFormat: UInt32 = 9
  /// The formats of files in transition.
  private static let transitionFormats = [
    formatWithGuardedIndexes + 1, formatWithSalts + 1, transitionFormat,
  ]
  /// The first format whose checksums tell stores apart.
  package static let formatWithSalts: UInt32 = 6
  /// The first format whose index entries have checksums. Files of earlier ones are upgraded.
  package static let formatWithGuardedIndexes: UInt32 = 4
  /// The first format whose classes have overflow tables.
  package static let formatWithOverflow: UInt32 = 2
  /// The name and version of this library, as written to files.
  package static let writerName = "Whimbrel \(libraryVersion)"
  package static let libraryVersion = "0.4.0"

  private static let magic: UInt64 = 0x4C45_5242_4D49_4857
  private static let checksumOffset = 84
  private static let fixedSize = 88
}

extension Header {
  /// Sets the format that this library writes.
  ///
  /// An earlier library would take records with compact slots for damaged.
  package mutating func setFormat(isInTransition: Bool = false) {
    formatVersion = isInTransition ? Self.transitionFormat : Self.currentFormat
    (minimumReader, minimumWriter) = (formatVersion, formatVersion)
  }

  /// Makes this the header of a changed catalog, which the library writes now.
  mutating func revise(for catalog: Catalog) {
    catalogRevision &+= 1
    lastWriter = Self.writerName
    setFormat(isInTransition: catalog.isInTransition)
  }
}

extension Header {
  /// Whether the format is that of a file in transition.
  package var isInTransition: Bool {
    Self.transitionFormats.contains(formatVersion)
  }
}

/// A hash of a schema. Two schemas with equal fingerprints count as equal.
package struct Fingerprint: Hashable, Sendable {
  package var low: UInt64
  package var high: UInt64

  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  package init(of text: String) {
    let bytes = Array(text.utf8)
    (low, high) = PageBytes.with(bytes) {
      (Checksum.hash64($0, seed: 1), Checksum.hash64($0, seed: 2))
    }
  }
}

extension Header {
  package enum Problem: Error {
    case notAStore
    case tooNew(found: Int)
    case damaged
  }

  package init(_ bytes: PageBytes) throws(Problem) {
    guard bytes.count >= 20, UInt64(littleEndian: bytes.load(UInt64.self, at: 0)) == Self.magic
    else { throw .notAStore }
    func word(_ offset: Int) -> UInt32 { UInt32(littleEndian: bytes.load(UInt32.self, at: offset)) }
    func long(_ offset: Int) -> UInt64 { UInt64(littleEndian: bytes.load(UInt64.self, at: offset)) }
    formatVersion = word(8)
    minimumReader = word(12)
    minimumWriter = word(16)
    // Only a newer reader knows how a newer format continues from here.
    guard minimumReader <= Self.transitionFormat else { throw .tooNew(found: Int(formatVersion)) }
    guard bytes.count >= Self.fixedSize,
      word(84) == Checksum.record(bytes, hole: Self.checksumOffset, seed: Self.magic),
      let name = bytes.slice(at: Self.fixedSize, count: Int(word(80)))
    else { throw .damaged }
    catalogChecksum = word(20)
    schemaVersion = long(24)
    catalogRevision = long(32)
    fingerprint = Fingerprint(low: long(40), high: long(48))
    uuid = bytes.uuid(at: 56)
    creation = Date(timeIntervalSinceReferenceDate: bytes.double(at: 72))
    lastWriter = name.text
  }

  package static func checksum(ofCatalog json: PageBytes) -> UInt32 {
    UInt32(truncatingIfNeeded: Checksum.hash64(json))
  }

  package func encode(into buffer: inout ByteBuffer) {
    buffer.reset(zeros: Self.fixedSize)
    buffer.store(Self.magic.littleEndian, at: 0)
    buffer.store(formatVersion.littleEndian, at: 8)
    buffer.store(minimumReader.littleEndian, at: 12)
    buffer.store(minimumWriter.littleEndian, at: 16)
    buffer.store(catalogChecksum.littleEndian, at: 20)
    buffer.store(schemaVersion.littleEndian, at: 24)
    buffer.store(catalogRevision.littleEndian, at: 32)
    buffer.store(fingerprint.low.littleEndian, at: 40)
    buffer.store(fingerprint.high.littleEndian, at: 48)
    let words = uuid.words
    buffer.store(words.0.littleEndian, at: 56)
    buffer.store(words.1.littleEndian, at: 64)
    buffer.store(creation.timeIntervalSinceReferenceDate.bitPattern.littleEndian, at: 72)
    let writer = Array(lastWriter.utf8)
    buffer.append(writer)
    buffer.store(UInt32(writer.count).littleEndian, at: 80)
    buffer.padToMultipleOf8()
    let checksum = Checksum.record(buffer.bytes, hole: Self.checksumOffset, seed: Self.magic)
    buffer.store(checksum.littleEndian, at: Self.checksumOffset)
  }
}

/// The keys of LMDB's main table that do not name tables.
package enum MainKey {
  package static let header = "whimbrel"
  package static let catalog = "catalog"
  package static let migration = "migration"
  package static let previous = "previous"
  /// The state of a transition: see ``TransitionState``.
  package static let transition = "transition"
  /// The number of the last commit, which the LMDB layer writes.
  package static let seal = WriteTransaction.sealKey

  package static func nextObjectID(_ id: ClassID) -> String { "next.\(id.rawValue)" }
}

extension ReadView {
  /// Returns the next object ID of a class, or nil if the file records none.
  func nextObjectID(of id: ClassID) throws(LMDBError) -> UInt64? {
    guard let bytes = try value(.main, MainKey.nextObjectID(id)), bytes.count == 8 else {
      return nil
    }
    return UInt64(littleEndian: bytes.load(UInt64.self, at: 0))
  }
}

extension WriteView {
  func putNextObjectID(_ next: UInt64, of id: ClassID) throws(LMDBError) {
    try put(
      .main, MainKey.nextObjectID(id),
      unsafe withUnsafeBytes(of: next.littleEndian) { unsafe Array($0) })
  }
}
