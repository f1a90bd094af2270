import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// LMDB takes the meta page with the higher number. One changed bit in a number made it take the
/// older one: a commit was gone, and everything called the file sound.
@Suite struct MetaDamageTests {
  /// The fields of a meta page that decide which commit is seen, by their offsets.
  private static let newestFields = [
    "root of the free list": 80, "root of the main table": 128, "last page": 136,
    "transaction": 144,
  ]

  private func isRefused(_ bytes: [UInt8], at path: String) throws -> Bool {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    do throws(FileStructure.Failure) {
      try FileStructure.inspect(path: path).checkAccounts()
      return false
    } catch {
      return true
    }
  }

  private func expectRefusals(of bytes: [UInt8], at path: String, _ comment: String) throws {
    try #require(try !isRefused(bytes, at: path), "\(comment)")
    let structure = try FileStructure.inspect(path: path)
    let newest = Int(structure.metaPage) * structure.pageSize
    let older = Int(1 - structure.metaPage) * structure.pageSize
    var fields = Self.newestFields.map { ($0.key, newest + $0.value) }
    fields.append(("older transaction", older + 144))
    for (name, offset) in fields {
      for bit in 0..<64 {
        // Two less than the newest number: LMDB leaves the same after a commit that the disk refused.
        if name == "transaction", bit == 1, structure.transaction & 2 != 0 { continue }
        var damaged = bytes
        damaged[offset + bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(try isRefused(damaged, at: path), "\(comment), \(name), bit \(bit)")
      }
    }
  }

  @Test(.takesLong) func `no changed bit in a meta page rolls a commit back`() throws {
    let folder = try StructureTestFolder()
    let file = try StructureTestFile(path: folder.file())
    var operations = RandomOperations(seed: 4, scale: 60)
    for commit in 1...TestRun.count(14, long: 200) {
      try operations.transaction(on: file)
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path)))
      guard try FileStructure.inspect(path: file.path).transaction > 0 else { continue }
      try expectRefusals(of: bytes, at: folder.file("damaged.mdb"), "commit \(commit)")
    }
  }

  // With relaxed durability, a power loss in a commit left the meta pages of the third and the second
  // commit before it. The older one's free list was written over by then, and the store was said to
  // be damaged: 2 times in 2,000 moments.
  @Test func `the last commit but one opens after a power loss without synced meta pages`() throws {
    let folder = try StructureTestFolder()
    let file = try StructureTestFile(path: folder.file())
    var operations = RandomOperations(seed: 7, scale: 60)
    var metas: [UInt64: ArraySlice<UInt8>] = [:]
    var reused = 0
    for _ in 1...150 {
      try operations.transaction(on: file)
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path)))
      let structure = try FileStructure.inspect(path: file.path)
      let (commit, size) = (structure.transaction, structure.pageSize)
      let start = Int(structure.metaPage) * size
      metas[commit] = bytes[start..<start + size]
      guard commit > 3, let newest = metas[commit - 2], let older = metas[commit - 3] else {
        continue
      }
      var crashed = bytes
      crashed.replaceSubrange(newest.indices, with: newest)
      crashed.replaceSubrange(older.indices, with: older)
      let path = folder.file("crashed.mdb")
      try Data(crashed).write(to: URL(fileURLWithPath: path))
      #expect(try !isRefused(crashed, at: path), "commit \(commit)")
      try FileStructure.inspect(path: path).checkPagesAndAccounts()
      let source = try SalvagedPages(path: path)
      if source.roots.contains(where: { $0.lastFreed == commit }) { reused += 1 }
    }
    #expect(reused > 0)
  }

  @Test func `no changed bit in a meta page of a compacted copy passes`() throws {
    let folder = try StructureTestFolder()
    let file = try StructureTestFile(path: folder.file())
    var operations = RandomOperations(seed: 5, scale: 60)
    for _ in 0..<10 { try operations.transaction(on: file) }
    let copy = folder.file("copy.mdb")
    try file.copyCompacted(to: copy)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: copy)))
    try expectRefusals(of: bytes, at: folder.file("damaged.mdb"), "a copy")
  }

  @Test func `meta pages of other commits do not belong together`() throws {
    let folder = try StructureTestFolder()
    let file = try StructureTestFile(path: folder.file())
    var operations = RandomOperations(seed: 6, scale: 60)
    for _ in 0..<10 { try operations.transaction(on: file) }
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path)))
    let structure = try FileStructure.inspect(path: file.path)
    let newest = Int(structure.metaPage) * structure.pageSize
    for (offset, fault) in [
      (136, FileStructure.MetaFault.fewerPages(1, before: structure.older.lastPage)),
      (32, .smallerMap(1, before: structure.mapSize)),
    ] {
      var damaged = bytes
      damaged.replaceSubrange(
        newest + offset..<newest + offset + 8, with: [1] + [UInt8](repeating: 0, count: 7))
      try Data(damaged).write(to: URL(fileURLWithPath: folder.file("damaged.mdb")))
      #expect(throws: FileStructure.Failure.badMeta(page: structure.metaPage, reason: fault)) {
        try FileStructure.inspect(path: folder.file("damaged.mdb"))
      }
    }
    var damaged = bytes
    damaged[newest + 88 + 4] ^= 8
    try Data(damaged).write(to: URL(fileURLWithPath: folder.file("damaged.mdb")))
    #expect(throws: FileStructure.Failure.badMeta(page: structure.metaPage, reason: .otherFlags)) {
      try FileStructure.inspect(path: folder.file("damaged.mdb"))
    }
  }
}
