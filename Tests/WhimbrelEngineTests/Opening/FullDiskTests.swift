import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

@Suite struct FullDiskTests {
  /// Writes until the disk is full, then shows that all is as it was before that.
  private static func fill(_ path: String, expecting codes: [StoreError.Code]) throws {
    let session = try Session(StoreFile.open(OpeningTestStore.request(path)))
    var count = try session.table("Thing").count()
    var failures = 0
    for round in 0..<400 where failures < 3 {
      let first = 1_000 + round * 50
      do {
        try OpeningTestStore.add(first..<first + 50, to: session)
        count += 50
      } catch let error as StoreError {
        failures += 1
        #expect(codes.contains(error.code), "\(error)")
        #expect(error.recovery.count > 10)
        #expect(!session.isWriting)
      }
      #expect(try session.table("Thing").count() == count)
    }
    #expect(failures == 3)
    #expect(try IntegrityCheck.run(session).isEmpty)
  }

  private func recovers(_ store: String) throws {
    let session = try Session(StoreFile.open(OpeningTestStore.request(store)))
    #expect(try IntegrityCheck.run(session).isEmpty)
    try OpeningTestStore.add(90_000..<90_200, to: session)
    #expect(try session.table("Thing").find("thing 90199") != nil)
  }

  /// Threads of Dispatch block all signals, and those of an app do not.
  private static func unblockSizeSignal() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGXFSZ)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  @Test(arguments: [300_000, 400_000, 409_600])
  func `a limit on the size of files is an error, and no signal`(limit: Int) async throws {
    let store = try OpeningTestStore()
    await #expect(processExitsWith: .success) {
      [path = store.path as String, limit = limit as Int] in
      Self.unblockSizeSignal()
      try limitFiles(to: limit)
      try Self.fill(path, expecting: [.diskQuotaExceeded])
    }
    try recovers(store.path)
  }

  @Test(arguments: [0, 4_096, 10_000, 20_000])
  func `a limit too small to make a store leaves nothing behind`(limit: Int) async throws {
    let store = try OpeningTestStore(objects: nil)
    await #expect(processExitsWith: .success) {
      [path = store.path as String, limit = limit as Int] in
      Self.unblockSizeSignal()
      try limitFiles(to: limit)
      let request = OpeningTestStore.request(path)
      let error = try #require(throws: StoreError.self) { try StoreFile.open(request) }
      #expect([.diskQuotaExceeded].contains(error.code), "\(error)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder).isEmpty)
    try recovers(store.path)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount a small disk"))
  func `a write to a full disk is an error, and what was there stays`() throws {
    let disk = try #require(SmallDisk(kibibytes: 1_024))
    let path = disk.path + "/test.whimbrel"
    let ballast = disk.path + "/ballast"
    try Data(count: 400_000).write(to: URL(fileURLWithPath: ballast))
    try Self.fill(path, expecting: [.noSpace])
    try FileManager.default.removeItem(atPath: ballast)
    try recovers(path)
    withExtendedLifetime(disk) {}
  }

  @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount a small disk"))
  func `a disk too full for a new store is an error and keeps no part of it`() throws {
    let disk = try #require(SmallDisk(kibibytes: 1_024))
    let ballast = disk.path + "/ballast"
    try? Data(count: 1_040_000).write(to: URL(fileURLWithPath: ballast))
    let path = disk.path + "/test.whimbrel"
    let error = try #require(throws: StoreError.self) {
      try StoreFile.open(OpeningTestStore.request(path))
    }
    #expect(error.code == .noSpace, "\(error)")
    #expect(
      !(try FileManager.default.contentsOfDirectory(atPath: disk.path))
        .contains { $0.hasPrefix("test") })
    try FileManager.default.removeItem(atPath: ballast)
    _ = try StoreFile.open(OpeningTestStore.request(path))
    withExtendedLifetime(disk) {}
  }

  // The lock file was mapped where the disk had no room for it: a bus error.
  @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount a small disk"))
  func `a disk too full for the lock file is an error, and no signal`() throws {
    let disk = try #require(SmallDisk(kibibytes: 1_024))
    let store = try OpeningTestStore()
    let path = disk.path + "/test.whimbrel"
    try FileManager.default.copyItem(atPath: store.path, toPath: path)
    for pages in 0..<8 {
      try disk.fill(leaving: pages * 4_096)
      let error = try #require(throws: StoreError.self) {
        try StoreFile.open(OpenRequest(path: path))
      }
      #expect(error.code == .noSpace, "\(error)")
      // It said that the store could not be written to, also if it was opened to be read.
      #expect(error.message.hasPrefix("Could not open the store at "), "\(error)")
    }
    try disk.emptyAgain()
    try recovers(path)
  }

  // It said that the file had reached its maximum size, which is that of this process only.
  @Test func `snapshots that keep the map from growing are named in the error`() {
    let error = StoreError.describing(
      LMDBError(code: .mapResized, function: "test"), path: "/none/test.whimbrel")
    #expect(error.code == .mapFull)
    #expect(error.message.contains("another process has made it larger"))
    #expect(error.recovery.hasPrefix("Refresh or close those stores"))
  }

  @Test(arguments: [
    (EDQUOT, StoreError.Code.diskQuotaExceeded), (ENOSPC, .noSpace), (EFBIG, .diskQuotaExceeded),
    (EACCES, .permissionDenied), (EROFS, .readOnlyFolder), (ENOENT, .fileNotFound),
    (EISDIR, .isDirectory), (ENOMEM, .addressSpaceExhausted), (EMFILE, .ioError),
  ])
  func `errors of the system have their codes`(number: Int32, code: StoreError.Code) {
    let error = StoreError.describing(
      LMDBError(code: .init(rawValue: number), function: "test"), path: "/none/test.whimbrel")
    #expect(error.code == code)
    #expect(error.message.contains("test.whimbrel"))
  }
}
