import CWhimbrelLMDB
import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

@Suite struct HealthyFileTests {
  /// Compares what the check counted with what LMDB says of its tables.
  private func compare(
    _ count: FileStructure.PageCount, with file: StructureTestFile, _ comment: Comment
  ) throws {
    try file.read { transaction in
      let main = try transaction.table(nil)
      var statistics = [try transaction.statistics(0), try transaction.statistics(main)]
      for name in try transaction.keys(main).map({ String(decoding: $0, as: UTF8.self) })
      where !name.hasPrefix("header-") {
        let table = try transaction.table(name, create: false)
        statistics.append(try transaction.statistics(table))
      }
      #expect(count.tables == UInt64(statistics.count - 2), comment)
      #expect(count.branchPages == statistics.reduce(0) { $0 + UInt64($1.ms_branch_pages) })
      #expect(count.leafPages == statistics.reduce(0) { $0 + UInt64($1.ms_leaf_pages) })
      #expect(count.overflowPages == statistics.reduce(0) { $0 + UInt64($1.ms_overflow_pages) })
      #expect(count.entries == statistics.dropFirst().reduce(0) { $0 + UInt64($1.ms_entries) })
    }
  }

  @Test(arguments: 1...TestRun.count(6, long: 60))
  func `every commit of random work passes the check`(seed: Int) throws {
    let folder = try StructureTestFolder()
    let path = folder.file()
    let file = try StructureTestFile(path: path)
    let scale = [20, 200, 2_000][seed % 3]
    var operations = RandomOperations(seed: UInt64(seed), scale: scale)
    for step in 0..<TestRun.count(40, long: 200) {
      try operations.transaction(on: file)
      let comment: Comment = "seed \(seed), scale \(scale), step \(step)"
      let structure = try FileStructure.inspect(path: path)
      do {
        let count = try structure.checkPages()
        try structure.checkAccounts()
        #expect(count.lostPages == 0, comment)
        #expect(
          try structure.checkCatalog().withoutUnusedBytes == count.withoutUnusedBytes, comment)
        try compare(count, with: file, comment)
      } catch {
        Issue.record(error, comment)
        return
      }
    }
  }

  @Test func `pages pinned by a reader and freed later pass the check`() throws {
    let folder = try StructureTestFolder()
    let path = folder.file()
    let file = try StructureTestFile(path: path)
    var operations = RandomOperations(seed: 77, scale: 600)
    for _ in 0..<6 {
      try file.read { reader in
        _ = try reader.statistics(0)
        for _ in 0..<10 {
          try operations.transaction(on: file)
          let structure = try FileStructure.inspect(path: path)
          #expect(try structure.checkPages().lostPages == 0)
          try structure.checkAccounts()
        }
      }
    }
  }

  @Test func `a file whose last pages are free may end before them`() throws {
    var shorter = 0
    for seed in 0..<UInt64(20) {
      let folder = try StructureTestFolder()
      let file = try StructureTestFile(path: folder.file())
      var operations = RandomOperations(seed: 1_000 + seed, scale: 60)
      for _ in 0..<30 {
        try operations.transaction(on: file)
        let structure = try FileStructure.inspect(path: file.path)
        _ = try structure.checkPages()
        let needed = (structure.lastPage + 1) * UInt64(structure.pageSize)
        if structure.fileSize < needed {
          shorter += 1
          try structure.checkAccounts()
          #expect(
            try structure.checkCatalog().withoutUnusedBytes
              == structure.checkPages().withoutUnusedBytes,
            "seed \(seed)")
        }
      }
    }
    #expect(shorter > 0, "no file of this test is shorter than its pages: it tests nothing")
  }

  @Test func `a compacted copy passes the check`() throws {
    let folder = try StructureTestFolder()
    let file = try StructureTestFile(path: folder.file())
    var operations = RandomOperations(seed: 5, scale: 400)
    for _ in 0..<30 { try operations.transaction(on: file) }
    let copy = folder.file("copy.mdb")
    try file.copyCompacted(to: copy)
    let structure = try FileStructure.inspect(path: copy)
    let count = try structure.checkPages()
    #expect(count.freePages == 0)
    #expect(count.lostPages == 0)
    try structure.checkAccounts()
    // The copy is written to in its turn: its free list begins anew.
    let copied = try StructureTestFile(path: copy)
    for _ in 0..<10 {
      try operations.transaction(on: copied)
      try FileStructure.inspect(path: copy).checkAccounts()
    }
    let original = try FileStructure.inspect(path: folder.file()).checkPages()
    #expect(count.entries == original.entries)
  }

  @Test func `a new file without any entry passes the check`() throws {
    let folder = try StructureTestFolder()
    let file = try StructureTestFile(path: folder.file(), mapSize: 1 << 22)
    let structure = try FileStructure.inspect(path: file.path)
    #expect(structure.transaction == 0)
    #expect(structure.lastPage == 1)
    #expect(structure.mapSize == 1 << 22)
    #expect(try structure.checkPages() == FileStructure.PageCount())
    try structure.checkAccounts()
  }

  @Test func `a file with long lists of free pages passes the check`() throws {
    let folder = try StructureTestFolder()
    let file = try StructureTestFile(path: folder.file())
    for round in 0..<4 {
      try file.write { transaction in
        let table = try transaction.table("events", integers: true)
        for number in 0..<UInt64(20_000) {
          try transaction.put(table, integerKey(number), [UInt8](repeating: 9, count: 200))
        }
        return true
      }
      try file.write { transaction in
        let table = try transaction.table("events", integers: true)
        try transaction.drop(table, delete: round % 2 == 0)
        return true
      }
      let count = try FileStructure.inspect(path: file.path).checkPages()
      try FileStructure.inspect(path: file.path).checkAccounts()
      #expect(count.freePages > 1_000)
      #expect(count.overflowPages > 0, "the list of free pages itself needs overflow pages")
      #expect(count.lostPages == 0)
    }
  }

  @Test func `a check beside a writer passes while its reader is open`() async throws {
    let folder = try StructureTestFolder()
    let path = folder.file()
    let file = try StructureTestFile(path: path)
    var operations = RandomOperations(seed: 9, scale: 500)
    for _ in 0..<20 { try operations.transaction(on: file) }
    // The environment stays on this thread; checks run beside it.
    for round in 0..<10 {
      try file.read { reader in
        _ = try reader.statistics(0)
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var failure: FileStructure.Failure?
        Thread {
          do throws(FileStructure.Failure) {
            for _ in 0..<10 {
              try FileStructure.inspect(path: path).checkAccounts()
              try FileStructure.inspect(path: path).checkPagesAndAccounts()
            }
          } catch {
            unsafe failure = error
          }
          done.signal()
        }.start()
        for _ in 0..<20 { try operations.transaction(on: file) }
        done.wait()
        let found = unsafe failure
        #expect(found == nil, "round \(round)")
      }
    }
  }
}

extension FileStructure.PageCount {
  /// The same, of pages that were not looked into.
  fileprivate var withoutUnusedBytes: Self {
    var count = self
    count.unusedBytes = 0
    return count
  }
}
