import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

@Suite struct BadFileTests {
  /// Opens for writing, read-only and with every page checked; all must fail in
  /// the same way and leave the file as it is.
  private func expect(
    _ code: StoreError.Code, _ store: OpeningTestStore, says part: String,
    isUnchanged: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try? store.bytes
    for (isReadOnly, isThorough) in [(false, false), (true, false), (true, true), (false, true)] {
      var request = store.request
      request.isReadOnly = isReadOnly
      if isThorough { request.file.checks = .allPages }
      do {
        _ = try Session(StoreFile.open(request))
        Issue.record("it was opened", sourceLocation: sourceLocation)
      } catch let error as StoreError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        #expect(error.message.contains(part), "\(error)", sourceLocation: sourceLocation)
        #expect(error.message.contains("test.whimbrel"), sourceLocation: sourceLocation)
        #expect(error.recovery.count > 10, sourceLocation: sourceLocation)
      }
      #expect(before == (try? store.bytes), sourceLocation: sourceLocation)
    }
  }

  @Test func `a missing file is made when it may be, and else is an error`() throws {
    let store = try OpeningTestStore(objects: nil)
    #expect(throws: StoreError.self) { try StoreFile.open(store.readOnlyRequest) }
    do {
      _ = try StoreFile.open(store.readOnlyRequest)
    } catch let error as StoreError {
      #expect(error.code == .fileNotFound)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder).isEmpty)
    _ = try StoreFile.open(store.request)
    #expect(FileManager.default.fileExists(atPath: store.path))
  }

  @Test func `a symbolic link to a missing file is named, with its target`() throws {
    let store = try OpeningTestStore(objects: nil)
    try FileManager.default.createSymbolicLink(
      atPath: store.path, withDestinationPath: "gone.whimbrel")
    for request in [store.request, store.readOnlyRequest] {
      let error = try #require(throws: StoreError.self) { try StoreFile.open(request) }
      #expect(error.code == .fileNotFound)
      #expect(error.message.contains("it is a symbolic link to 'gone.whimbrel'"), "\(error)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store.folder) == ["test.whimbrel"])
    _ = try StoreFile.open(OpeningTestStore.request(store.folder + "/gone.whimbrel"))
    _ = try StoreFile.open(store.request)
  }

  @Test func `a name that is too long is told, with the limit`() throws {
    let store = try OpeningTestStore(objects: nil)
    for size in [210, 255, 256, 5_000] {
      let path = store.folder + "/" + String(repeating: "n", count: size)
      let error = try #require(throws: StoreError.self) {
        try StoreFile.open(OpeningTestStore.request(path))
      }
      #expect(error.message.contains("its name has \(size) bytes"), "\(error)")
      #expect(error.recovery == "Give the store a name of at most 205 bytes.")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder).isEmpty)
    let longest = store.folder + "/" + String(repeating: "n", count: 205)
    var request = OpeningTestStore.request(longest)
    _ = try StoreFile.open(request)
    request.schemaVersion = 2
    _ = try StoreFile.dryRunMigration(request)
  }

  @Test func `a table of a damaged file cannot forge lines`() {
    let error = FilePreflight.explain(
      .damagedEntry, "zones.whimbrel", table: "objects\nError: all is lost")
    #expect(!error.message.contains("\n"), "\(error)")
    #expect(error.message.contains("of the table 'objects"), "\(error)")
  }

  @Test func `a missing folder is named`() throws {
    let store = try OpeningTestStore(objects: nil)
    let request = OpeningTestStore.request(store.folder + "/none/test.whimbrel")
    let error = try #require(throws: StoreError.self) { try StoreFile.open(request) }
    #expect(error.code == .parentFolderMissing)
    #expect(error.message.contains("none"))
  }

  @Test func `an empty file is refused, and a store can be made in its place`() throws {
    let store = try OpeningTestStore(objects: nil)
    try store.write(Data())
    try expect(.emptyFile, store, says: "empty")
    try FileManager.default.removeItem(atPath: store.path)
    _ = try StoreFile.open(store.request)
  }

  @Test(arguments: [1, 15, 100, 151, 152, 4_096, 9_000, 100_000])
  func `a text file is no store`(size: Int) throws {
    let store = try OpeningTestStore(objects: nil)
    try store.write(
      Data(String(repeating: "Hello, world.\n", count: size / 14 + 1).utf8.prefix(size)))
    try expect(.notAStore, store, says: "not a Whimbrel store")
  }

  @Test func `an LMDB file of another program is no store`() throws {
    let store = try OpeningTestStore(objects: nil)
    try Environment.create(path: store.path, options: .init()) { environment in
      let name = TableName("theirs", keys: .bytes)
      let table = try environment.createTables([name])["theirs"]
      try environment.write { view throws(LMDBError) in
        if let table { try view.put(table, "key", [1]) }
      }
    }
    try expect(.notAStore, store, says: "another program")
  }

  @Test func `an LMDB file without content is refused as that of another program`() throws {
    let store = try OpeningTestStore(objects: nil)
    try Environment.create(path: store.path, options: .init()) { _ in }
    try expect(.notAStore, store, says: "another program")
  }

  @Test(arguments: [[], Array("WHIMBREL".utf8), [UInt8](repeating: 0, count: 200)])
  func `an LMDB file whose header is not that of a store is refused`(bytes: [UInt8]) throws {
    let store = try OpeningTestStore(objects: nil)
    try Environment.create(path: store.path, options: .init()) { environment in
      try environment.write { view throws(LMDBError) in
        try view.put(.main, MainKey.header, bytes)
      }
    }
    try expect(.notAStore, store, says: "not a Whimbrel store")
  }

  @Test func `a folder is refused`() throws {
    let store = try OpeningTestStore(objects: nil)
    try FileManager.default.createDirectory(
      atPath: store.path, withIntermediateDirectories: false)
    try expect(.isDirectory, store, says: "folder")
  }

  @Test func `a pipe is refused at once`() throws {
    let store = try OpeningTestStore(objects: nil)
    #expect(unsafe mkfifo(store.path, 0o644) == 0)
    let error = try #require(throws: StoreError.self) { try StoreFile.open(store.request) }
    #expect(error.code == .notAStore)
  }

  @Test func `a link to itself or to nothing is an error and makes no file`() throws {
    let store = try OpeningTestStore(objects: nil)
    try FileManager.default.createSymbolicLink(
      atPath: store.path, withDestinationPath: store.path)
    #expect(throws: StoreError.self) { try StoreFile.open(store.request) }
    try FileManager.default.removeItem(atPath: store.path)
    try FileManager.default.createSymbolicLink(
      atPath: store.path, withDestinationPath: store.folder + "/nowhere")
    #expect(throws: StoreError.self) { try StoreFile.open(store.request) }
    let left = try FileManager.default.contentsOfDirectory(atPath: store.folder)
    #expect(left == ["test.whimbrel"])
  }

  @Test func `a file of a newer schema version is refused, and opens with that version`() throws {
    let store = try OpeningTestStore(objects: nil)
    _ = try StoreFile.open(OpeningTestStore.request(store.path, version: 9))
    try expect(.schemaVersionTooNew, store, says: "its schema version is 9 and this app declares 1")
    _ = try StoreFile.open(OpeningTestStore.request(store.path, version: 9))
  }

  @Test(arguments: [Header.transitionFormat + 1, Header.transitionFormat + 2, UInt32.max])
  func `a file of a newer format is refused`(format: UInt32) throws {
    let store = try OpeningTestStore()
    try patchHeader(store) { header in
      (header.formatVersion, header.minimumReader, header.minimumWriter) = (format, format, format)
    }
    try expect(.formatTooNew, store, says: "its format version is \(format)")
  }

  @Test func `a newer format that old readers may read is opened read-only`() throws {
    let store = try OpeningTestStore()
    try patchHeader(store) { header in
      header.formatVersion = Header.transitionFormat + 1
      header.minimumWriter = header.formatVersion
    }
    let error = try #require(throws: StoreError.self) { try StoreFile.open(store.request) }
    #expect(error.code == .formatTooNew)
    let session = try Session(StoreFile.open(store.readOnlyRequest))
    #expect(try session.table("Thing").count() == 20)
  }

  private func patchHeader(_ store: OpeningTestStore, _ change: (inout Header) -> Void) throws {
    let lease = try Environment.open(path: store.path)
    try lease.environment.write { view throws(LMDBError) in
      guard let bytes = try view.reading.value(.main, MainKey.header),
        var header = try? Header(bytes)
      else { throw LMDBError(code: .notFound, function: "header") }
      change(&header)
      var buffer = ByteBuffer(capacity: 128)
      header.encode(into: &buffer)
      try view.put(.main, MainKey.header, buffer.bytes.array)
    }
  }

  @Test func `a store that is cut short anywhere is refused and left as it is`() throws {
    let store = try OpeningTestStore()
    let whole = try store.bytes
    var codes: [String: Int] = [:]
    for end in stride(from: 1_024, to: whole.count, by: TestRun.isLong ? 512 : 2_048) {
      try store.write(whole.prefix(end))
      for request in [store.request, store.readOnlyRequest] {
        do {
          let session = try Session(StoreFile.open(request))
          _ = try IntegrityCheck.run(session)
          Issue.record("\(end) of \(whole.count) bytes were opened")
        } catch let error as StoreError {
          codes[error.code.description, default: 0] += 1
          #expect(
            [.truncated, .notAStore, .damaged].contains(error.code), "\(end): \(error)")
        }
        #expect(try store.bytes == whole.prefix(end))
      }
    }
    #expect(codes["truncated", default: 0] > 10, "\(codes)")
    try store.write(whole)
    let session = try Session(StoreFile.open(store.request))
    #expect(try IntegrityCheck.run(session).isEmpty)
  }
}
