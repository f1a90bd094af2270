import Foundation
import Testing

@testable import WhimbrelLMDB

/// The number that each commit writes into the main table.
@Suite struct CommitSealTests {
  private typealias MetaFault = FileStructure.MetaFault

  /// Makes a file with some commits, and returns its bytes.
  private func makeFile() throws -> (file: EnvironmentTestFile, bytes: [UInt8]) {
    let file = try EnvironmentTestFile()
    do {
      let lease = try file.open()
      for round in 0..<9 { try lease.environment.fill(0..<(20 + round * 15), mark: UInt8(round)) }
    }
    return (file, [UInt8](try Data(contentsOf: URL(filePath: file.path))))
  }

  private func check(_ bytes: [UInt8], at path: String) throws(FileStructure.Failure) {
    do { try Data(bytes).write(to: URL(filePath: path)) } catch { throw .io(-1) }
    try FileStructure.inspect(path: path).checkAccounts()
  }

  @Test func `no changed bit in a root or a number of a sealed commit passes`() throws {
    let (file, bytes) = try makeFile()
    let path = file.sibling("damaged.mdb")
    try check(bytes, at: path)
    let structure = try FileStructure.inspect(path: path)
    #expect(try structure.checkSeal())
    let newest = Int(structure.metaPage) * structure.pageSize
    // The roots of the free list and of the main table, and the number of the transaction.
    for offset in [80, 128, 144] {
      for bit in 0..<64 {
        // Two less than the newest number: LMDB leaves the same after a commit that the disk refused.
        if offset == 144, bit == 1, structure.transaction & 2 != 0 { continue }
        var damaged = bytes
        damaged[newest + offset + bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(throws: FileStructure.Failure.self, "offset \(offset), bit \(bit)") {
          try check(damaged, at: path)
        }
      }
    }
  }

  @Test func `a meta page that leads to the tables of another commit is refused`() throws {
    let (file, bytes) = try makeFile()
    let structure = try FileStructure.inspect(path: file.path)
    let newest = Int(structure.metaPage) * structure.pageSize
    let older = structure.pageSize - newest
    var damaged = bytes
    // The header of the main table.
    damaged.replaceSubrange(newest + 88..<newest + 136, with: bytes[older + 88..<older + 136])
    let number = structure.transaction
    #expect(
      throws: FileStructure.Failure.badMeta(
        page: structure.metaPage, reason: .otherSeal(number, seal: number - 1))
    ) {
      try check(damaged, at: file.sibling("damaged.mdb"))
    }
  }

  @Test(arguments: [true, false])
  func `pages that are neither in use nor free are refused where no seal speaks for the commit`(
    isSealed: Bool
  ) throws {
    let (file, sealed) = try makeFile()
    var bytes = sealed
    if !isSealed {
      // Under another name of the same length the seal is none.
      let place = try #require(Data(bytes).range(of: Data("seal".utf8)))
      #expect(place.count == 4)
      var start = 0
      while let range = Data(bytes[start...]).range(of: Data("seal".utf8)) {
        bytes[start + range.lowerBound + 3] = UInt8(ascii: "m")
        start += range.upperBound
      }
    }
    let structure = try FileStructure.inspect(path: file.path)
    let leaf = Int(structure.newest.freeList.root) * structure.pageSize
    try #require(structure.newest.freeList.depth == 1)
    let node = leaf + Int(bytes[leaf + 16]) + Int(bytes[leaf + 17]) << 8
    // A node has 8 bytes before its key of 8 bytes. The value begins with the number of pages.
    try #require(bytes[node + 16] > 0)
    bytes[node + 16] -= 1
    let path = file.sibling("leaking.mdb")
    if isSealed {
      try check(bytes, at: path)
    } else {
      let all = structure.lastPage + 1
      #expect(
        throws: FileStructure.Failure.badMeta(
          page: structure.metaPage, reason: .pageCount(all, accounted: all - 1))
      ) { try check(bytes, at: path) }
    }
  }

  @Test func `a transaction without writes is no commit`() throws {
    let (file, _) = try makeFile()
    let environment = try file.environment()
    let number = try environment.read { view throws(LMDBError) in view.transactionID }
    try environment.write { _ throws(LMDBError) in }
    #expect(try environment.read { view throws(LMDBError) in view.transactionID } == number)
  }
}
