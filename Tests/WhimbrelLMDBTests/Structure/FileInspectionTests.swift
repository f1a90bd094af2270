import Foundation
import Testing

@testable import WhimbrelLMDB

@Suite struct FileInspectionTests {
  private typealias Failure = FileStructure.Failure

  private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  private let folder: StructureTestFolder
  private let pageSize = Self.pageSize

  init() throws { folder = try StructureTestFolder() }

  /// A small healthy file's bytes.
  private func healthyBytes() throws -> [UInt8] { try DamageCase(variant: 1).bytes }

  /// What inspecting and checking a file of these bytes fails with.
  private func failure(of bytes: [UInt8]) throws -> FileStructure.Failure? {
    let path = folder.file()
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    do throws(FileStructure.Failure) {
      _ = try FileStructure.inspect(path: path).checkPages()
      return nil
    } catch {
      return error
    }
  }

  @Test func `a folder is not a file`() {
    #expect(throws: Failure.notAFile(isDirectory: true)) {
      try FileStructure.inspect(path: folder.path)
    }
  }

  @Test func `a pipe is not a file, and nobody waits for its writer`() {
    let path = folder.file("pipe")
    #expect(unsafe mkfifo(path, 0o600) == 0)
    #expect(throws: Failure.notAFile(isDirectory: false)) {
      try FileStructure.inspect(path: path)
    }
  }

  @Test func `a missing file is the system's error`() {
    #expect(throws: Failure.io(ENOENT)) {
      try FileStructure.inspect(path: folder.file("missing"))
    }
  }

  @Test(arguments: [0, 100, 3_000, 100_000])
  func `a value of the main table is read from the file, in its page or outside`(size: Int) throws {
    let file = try EnvironmentTestFile()
    let value = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let lease = try file.open()
    try lease.environment.write { view throws(LMDBError) in try view.put(.main, "value", value) }
    let structure = try FileStructure.inspect(path: file.path)
    #expect(try structure.mainValue("value") == value)
    #expect(try structure.mainValue("valu") == nil)
  }

  // An opener without a snapshot relies on these faults, because a writer may reuse the pages.
  @Test func `a value whose overflow pages are not there is a fault`() throws {
    let file = try EnvironmentTestFile()
    do {
      let lease = try file.open()
      try lease.environment.write { view throws(LMDBError) in
        try view.put(.main, "value", Array(repeating: 0xA5, count: 100_000))
      }
    }
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: file.path)))
    let content = try #require(bytes.firstRange(of: Array(repeating: 0xA5, count: 64)))
    // The number of the page, its flags, and the end of the file.
    let header = content.lowerBound - 16
    for damaged in [
      bytes[..<header] + [255] + bytes[(header + 1)...],
      bytes[..<(header + 10)] + [255] + bytes[(header + 11)...],
      bytes[..<(header + 4_096)],
    ] {
      let path = folder.file()
      try Data(damaged).write(to: URL(filePath: path))
      #expect(throws: Failure.self) {
        try FileStructure.inspect(path: path).mainValue("value")
      }
    }
  }

  @Test func `a file without bytes is empty`() throws {
    #expect(try failure(of: []) == .empty)
  }

  @Test(arguments: [1, 151, 152, pageSize - 1, pageSize, pageSize + 151])
  func `a file that ends in its meta pages is too short`(count: Int) throws {
    let bytes = Array(try healthyBytes()[..<count])
    #expect(try failure(of: bytes) == .tooShort(fileSize: UInt64(count)))
  }

  @Test func `a file of something else is not LMDB's`() throws {
    let text = Array(String(repeating: "SQLite format 3. ", count: 2_000).utf8)
    #expect(try failure(of: text) == .notLMDB)
    #expect(try failure(of: [UInt8](repeating: 0, count: 50_000)) == .notLMDB)
  }

  @Test func `files of other versions and machines are told apart`() throws {
    let healthy = try healthyBytes()
    var bytes = healthy
    bytes[20] = 2
    #expect(try failure(of: bytes) == .badMeta(page: 0, reason: .version(2)))
    bytes[pageSize + 20] = 2
    #expect(try failure(of: bytes) == .unsupportedVersion(2))
    bytes[20] = 1
    #expect(try failure(of: bytes) == .badMeta(page: 1, reason: .version(2)))
    bytes = healthy
    bytes[16..<20].reverse()
    #expect(try failure(of: bytes) == .badMeta(page: 0, reason: .otherByteOrder))
    bytes = healthy
    // A 32-bit program's page header is four bytes shorter.
    bytes.replaceSubrange(12..<20, with: Array(healthy[16..<24]))
    #expect(try failure(of: bytes) == .badMeta(page: 0, reason: .narrowPageNumbers))
    bytes = healthy
    bytes[16] = 0
    #expect(try failure(of: bytes) == .badMeta(page: 0, reason: .magic))
    bytes = healthy
    bytes[pageSize + 16] = 0
    #expect(try failure(of: bytes) == .badMeta(page: 1, reason: .magic))
  }

  @Test func `a meta page says what is wrong with it`() throws {
    let healthy = try healthyBytes()
    let newest = healthy[144] > healthy[pageSize + 144] ? 0 : 1
    let cases: [(Int, [UInt8], FileStructure.MetaFault)] = [
      (0, integerKey(7), .pageNumber(7)),
      (10, [0x18], .pageFlags(0x18)),
      (40, [0, 0x11, 0, 0], .pageSize(0x1100)),
      (136, integerKey(0), .lastPage(0)),
      (136, integerKey(.max), .lastPage(.max)),
      (144, integerKey(.max - UInt64(1 - newest)), .transaction(.max - UInt64(1 - newest))),
      (144, integerKey(UInt64(1_001 - newest)), .transaction(UInt64(1_001 - newest))),
    ]
    for (offset, part, fault) in cases {
      var bytes = healthy
      let start = newest * pageSize + offset
      bytes.replaceSubrange(start..<start + part.count, with: part)
      #expect(try failure(of: bytes) == .badMeta(page: UInt64(newest), reason: fault))
    }
  }

  @Test func `the newer meta page counts, and its figures are given`() throws {
    let file = try StructureTestFile(path: folder.file(), mapSize: 1 << 24)
    for number in 1...UInt64(5) {
      try file.write { transaction in
        try transaction.put(try transaction.table(nil), integerKey(number), [1])
        return true
      }
      let structure = try FileStructure.inspect(path: file.path)
      #expect(structure.transaction == number)
      #expect(structure.mapSize == 1 << 24)
      #expect(structure.pageSize == pageSize)
      #expect(try structure.checkPages().entries == number)
    }
  }

  @Test func `a missing page in use is named, and nothing else is called truncated`() throws {
    let bytes = try healthyBytes()
    let path = folder.file()
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try FileStructure.inspect(path: path).checkAccounts()

    let half = bytes.count / pageSize / 2 * pageSize
    try Data(bytes[..<half]).write(to: URL(fileURLWithPath: path))
    let structure = try FileStructure.inspect(path: path)
    #expect(throws: Failure.self) { try structure.checkAccounts() }
    do throws(FileStructure.Failure) {
      _ = try structure.checkPages()
      Issue.record("half a file passed")
    } catch {
      guard case .truncated(let page, let last, let foundSize, let size) = error else {
        Issue.record(error)
        return
      }
      #expect(page >= UInt64(half / pageSize) && page <= last)
      #expect(foundSize == UInt64(pageSize))
      #expect(size == UInt64(half))
    }
  }

  @Test func `a file that shrinks after it was inspected is an error`() throws {
    let bytes = try healthyBytes()
    let path = folder.file()
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let structure = try FileStructure.inspect(path: path)
    #expect(unsafe truncate(path, off_t(2 * pageSize)) == 0)
    #expect(throws: Failure.self) { try structure.checkPages() }
  }

  @Test func `a last page that no list could account for is refused at once`() throws {
    var bytes = try healthyBytes()
    let newest = bytes[144] > bytes[pageSize + 144] ? 0 : 1
    let start = newest * pageSize + 136
    // Within what can be mapped, but far more pages than the file has room to
    // list: the bitmap for them would be a gigabyte.
    bytes.replaceSubrange(start..<start + 8, with: integerKey(1 << 33))
    let expected = Failure.truncated(
      pageNumber: 1 << 33, lastPage: 1 << 33, pageSize: UInt64(pageSize),
      fileSize: UInt64(bytes.count))
    #expect(try failure(of: bytes) == expected)
  }

  @Test func `tables with sorted duplicates are refused by name`() throws {
    var bytes = try healthyBytes()
    let newest = bytes[144] > bytes[pageSize + 144] ? 0 : 1
    bytes[newest * pageSize + 92] |= 0x04
    #expect(
      try failure(of: bytes) == .damaged(page: UInt64(newest), reason: .tableFlags(0x04)))
  }
}
