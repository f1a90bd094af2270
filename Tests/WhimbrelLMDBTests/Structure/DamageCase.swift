import CWhimbrelLMDB
import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// A small healthy file in memory, and what becomes of damaged versions of it.
final class DamageCase {
  /// What the check found in all damaged versions so far.
  struct Tally {
    var refused = 0
    var passed = 0
  }

  let folder: StructureTestFolder
  let bytes: [UInt8]
  let pageSize: Int
  /// The counts so far; a passed file is exercised as well when there is time.
  private(set) var tally = Tally()
  private let checked: FileHandle

  /// Makes a file of about 30 pages: two tables of two levels, overflow pages,
  /// and free pages of several transactions.
  init(variant: UInt64) throws {
    folder = try StructureTestFolder()
    let path = folder.file("healthy.mdb")
    var random = SeededGenerator(seed: variant)
    do {
      let file = try StructureTestFile(path: path)
      for round in 0..<UInt64(4) {
        try file.write { transaction in
          try transaction.put(try transaction.table(nil), Array("header".utf8), random.bytes(64))
          let numbers = try transaction.table("numbers", integers: true)
          for number in 0..<UInt64(12) {
            try transaction.put(numbers, integerKey(round * 12 + number), random.bytes(300))
          }
          try transaction.delete(numbers, integerKey(round * 5))
          let words = try transaction.table("words")
          for _ in 0..<6 {
            try transaction.put(words, random.bytes(random.number(1..<400)), random.bytes(90))
          }
          let blobs = try transaction.table("blobs")
          try transaction.put(blobs, [UInt8(round % 3)], random.bytes(5_000))
          if round > 0 { try transaction.drop(try transaction.table("gone"), delete: round == 2) }
          return true
        }
        try file.write { transaction in
          let gone = try transaction.table("gone")
          for number in 0..<UInt8(8) {
            try transaction.put(gone, [number], random.bytes(700))
          }
          return true
        }
      }
    }
    bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let structure = try FileStructure.inspect(path: path)
    _ = try structure.checkPages()
    pageSize = structure.pageSize
    let url = URL(fileURLWithPath: folder.file("checked.mdb"))
    try Data(bytes).write(to: url)
    checked = try FileHandle(forUpdating: url)
  }

  private func overwrite(_ offset: Int, _ part: some Sequence<UInt8>) throws {
    try checked.seek(toOffset: UInt64(offset))
    try checked.write(contentsOf: Data(part))
  }

  /// Checks the file with one part replaced. When that passes, LMDB must be
  /// able to read and write it.
  func tryDamage(at offset: Int, _ part: [UInt8], _ comment: Comment) throws {
    if bytes[offset..<offset + part.count].elementsEqual(part) { return }
    try overwrite(offset, part)
    defer { try? overwrite(offset, bytes[offset..<offset + part.count]) }
    guard passes(folder.file("checked.mdb")), isExercised(offset) else { return }
    var damaged = bytes
    damaged.replaceSubrange(offset..<offset + part.count, with: part)
    try exercise(damaged, comment)
  }

  /// Whether LMDB is given a file with damage at an offset that passed: always
  /// near the start of a page, otherwise in one case of 32 unless there is time.
  private func isExercised(_ offset: Int) -> Bool {
    TestRun.isLong || offset % pageSize < 128 || offset / 8 % 32 == 0
  }

  /// Checks the file cut off after some bytes.
  func tryTruncation(to count: Int) throws {
    let path = folder.file("cut.mdb")
    let part = Array(bytes[..<count])
    try write(part, to: path)
    if passes(path) { try exercise(part, "cut to \(count) bytes") }
  }

  /// Checks the file with several parts replaced.
  func tryDamages(_ damaged: [UInt8], _ comment: Comment) throws {
    let path = folder.file("several.mdb")
    try write(damaged, to: path)
    if passes(path) { try exercise(damaged, comment) }
  }

  /// Writes a file anew, without the flush that comes with `Data.write(to:)`:
  /// there are hundreds of thousands of files to write.
  private func write(_ bytes: [UInt8], to path: String) throws {
    _ = unsafe unlink(path)
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    defer { close(file) }
    let written = unsafe bytes.withUnsafeBytes {
      unsafe Foundation.write(file, $0.baseAddress, $0.count)
    }
    try #require(written == bytes.count)
  }

  private func passes(_ path: String) -> Bool {
    do throws(FileStructure.Failure) {
      _ = try FileStructure.inspect(path: path).checkPages()
      tally.passed += 1
      return true
    } catch {
      tally.refused += 1
      return false
    }
  }

  /// Reads and writes a file that passed; a crash ends the tests, and an error
  /// of LMDB is an issue.
  private func exercise(_ damaged: [UInt8], _ comment: Comment) throws {
    let path = folder.file("exercised.mdb")
    try? FileManager.default.removeItem(atPath: path + "-lock")
    try write(damaged, to: path)
    do {
      let file = try StructureTestFile(path: path, mapSize: 1 << 26)
      try file.read(readAll)
      for round in 0..<UInt8(2) {
        try file.write { transaction in
          try change(transaction, round: round)
          return true
        }
      }
      try file.read(readAll)
    } catch let error as LMDBTestError where error.code == ENOMEM || error.code == MDB_MAP_FULL {
      // A last page or a map of the wrong size: an error, as it should be.
      return
    } catch {
      Issue.record(error, comment)
      return
    }
    #expect(throws: Never.self, comment) {
      try FileStructure.inspect(path: path).checkPages()
    }
  }

  private func tableNames(_ transaction: StructureTestTransaction) throws -> [String] {
    let main = try transaction.table(nil)
    var names: [String] = []
    unsafe try transaction.scan(main) { key, value in
      // LMDB's names end at a zero byte, which damage may have put there.
      let isTable = unsafe value.count == 48 && !key.contains(0)
      if isTable { unsafe names.append(String(decoding: key, as: UTF8.self)) }
      return true
    }
    return names
  }

  /// Touches every byte of every table.
  private func readAll(of transaction: StructureTestTransaction) throws {
    var copy = [UInt8](repeating: 0, count: 1 << 17)
    for name in try tableNames(transaction) where name.utf8.count < 100 {
      guard let table = try? transaction.table(name, create: false) else { continue }
      unsafe try transaction.scan(table) { key, value in
        unsafe copy.withUnsafeMutableBytes { copy in
          unsafe copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: key.prefix(copy.count)))
          unsafe copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: value.prefix(copy.count)))
        }
        return true
      }
    }
  }

  /// Adds and deletes in every table, so that pages split, merge and are reused.
  private func change(_ transaction: StructureTestTransaction, round: UInt8) throws {
    for name in try tableNames(transaction) where name.utf8.count < 100 {
      guard let table = try? transaction.table(name, create: false) else { continue }
      for (index, key) in try transaction.keys(table).enumerated() where index % 3 == 0 {
        try transaction.delete(table, key)
      }
      for number in 0..<UInt64(8) {
        let value = [UInt8](repeating: round, count: number == 3 ? 9_000 : 350)
        try transaction.put(table, integerKey(number << 56 | number), value)
      }
      if name == "words" && round == 1 { try transaction.drop(table, delete: false) }
    }
  }
}
