import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Every eight bytes of a store in turn, overwritten: opening with all pages
/// checked and reading everything is an error or goes well, and whatever reads
/// differently is found by the check of the store's integrity.
@Suite struct DamagedStoreTests {
  enum Pattern: Int, CaseIterable, Codable {
    case zeros, ones, oneBit, plusOne, random
  }

  struct Tally: CustomStringConvertible {
    var (refused, reported, same, silent) = (0, 0, 0, 0)
    var silentOffsets: [Int] = []
    /// Of the silent ones, those in the text of the catalog.
    var catalog = 0
    var description: String {
      "refused \(refused), reported \(reported), same \(same), silent \(silent)"
        + " (\(catalog) in the catalog) at \(silentOffsets)"
    }
  }

  private static func overwrite(
    _ block: [UInt8], _ pattern: Pattern, _ random: inout SeededGenerator
  ) -> [UInt8] {
    var block = block
    switch pattern {
    case .zeros: return [UInt8](repeating: 0, count: 8)
    case .ones: return [UInt8](repeating: 0xFF, count: 8)
    case .oneBit: block[Int(random.next() % 8)] ^= 1 << UInt8(random.next() % 8)
    case .plusOne: block[0] &+= 1
    case .random: block = block.map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
    return block
  }

  private static func run(_ path: String, _ pattern: Pattern, step: Int) throws -> Tally {
    var random = SeededGenerator(seed: UInt64(pattern.rawValue) + 1)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var request = OpeningTestStore.request(path)
    (request.isReadOnly, request.file.checks) = (true, .allPages)
    let healthy = try openingDump(Session(StoreFile.open(request)))
    let text = try catalogText(request)
    let start = try #require(Data(bytes).range(of: text)?.lowerBound)
    let catalog = start - 7..<start + text.count
    let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    var tally = Tally()
    let shift = Int(random.next() % UInt64(step))
    for offset in stride(from: shift * 8, to: bytes.count - 7, by: 8 * step) {
      let block = Array(bytes[offset..<offset + 8])
      let damaged = overwrite(block, pattern, &random)
      if damaged == block { continue }
      #expect(unsafe pwrite(descriptor, damaged, 8, off_t(offset)) == 8)
      do {
        let session = try Session(StoreFile.open(request))
        let seen = Result { try openingDump(session) }
        let findings = try IntegrityCheck.run(session)
        if !findings.isEmpty {
          tally.reported += 1
        } else if try seen.get() == healthy {
          tally.same += 1
        } else {
          tally.silent += 1
          tally.silentOffsets.append(offset)
          if catalog.contains(offset) { tally.catalog += 1 }
        }
      } catch {
        #expect(error is StoreError, "offset \(offset), \(pattern): \(error)")
        tally.refused += 1
      }
      #expect(unsafe pwrite(descriptor, block, 8, off_t(offset)) == 8)
    }
    return tally
  }

  private static func catalogText(_ request: OpenRequest) throws -> Data {
    let lease = try Environment.open(path: request.path, options: request.options)
    let json = try lease.environment.read { view throws(LMDBError) in
      try view.value(.main, MainKey.catalog)?.data
    }
    return try #require(json)
  }

  @Test(.takesLong, arguments: Pattern.allCases)
  func `any eight bytes may be wrong, and it shows`(pattern: Pattern) async throws {
    let store = try OpeningTestStore()
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [path = store.path as String, number = pattern.rawValue as Int] in
      let pattern = try #require(Pattern(rawValue: number))
      let tally = try Self.run(path, pattern, step: TestRun.isLong ? 1 : 60)
      FileHandle.standardOutput.write(Data("\(tally)".utf8))
      #expect(tally.silent == 0, "\(pattern): \(tally)")
      #expect(tally.refused > 0 && tally.same > 0)
    }
    if let output = result?.standardOutputContent, TestRun.isLong {
      Attachment.record(String(decoding: output, as: UTF8.self), named: "\(pattern).txt")
    }
  }
}

/// Files that are too large to be checked as a whole before the first write.
@Suite struct LargeFileWriteTests {
  /// A store with free pages, and where the list of them is.
  private func store() throws -> (OpeningTestStore, page: Int, pageSize: Int) {
    let store = try OpeningTestStore(objects: 200)
    let session = try Session(StoreFile.open(store.request))
    let table = try session.table("Thing")
    try session.write { for id in try table.firstObjectIDs(150) { try table.remove(id) } }
    try OpeningTestStore.add(1_000..<1_010, to: session)
    session.close()
    let structure = try FileStructure.inspect(path: store.path)
    #expect(!structure.freeList.isEmpty)
    return (store, Int(structure.freeList.root), structure.pageSize)
  }

  @Test func `a damaged list of free pages is found before the first write`() throws {
    let (store, page, pageSize) = try store()
    let session = try Session(StoreFile.open(store.request))
    let bytes = try store.bytes
    // A page number of the first list, behind the header of its node and the length of the list.
    let node = Int(bytes[page * pageSize + 16]) + Int(bytes[page * pageSize + 17]) << 8
    let place = page * pageSize + node + 16 + 8 + 3
    let descriptor = unsafe open(store.path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    var byte = bytes[place] ^ 0x40
    #expect(unsafe pwrite(descriptor, &byte, 1, off_t(place)) == 1)
    let error = storeError { try session.file.requireSoundPagesBeforeWriting(upTo: 0) }
    #expect(error?.code == .damaged)
  }

  @Test func `a sound one is written to as others are`() throws {
    let (store, _, _) = try store()
    let session = try Session(StoreFile.open(store.request))
    try session.file.requireSoundPagesBeforeWriting(upTo: 0)
    #expect(try session.file.environment.verifiesWritePaths)
    try OpeningTestStore.add(2_000..<2_200, to: session)
    let table = try session.table("Thing")
    try session.write { for id in try table.objectIDs() { try table.remove(id) } }
    #expect(try table.count() == 0)
    session.close()
    #expect(try FileStructure.inspect(path: store.path).checkPages().lostPages == 0)
  }
}
