#if os(Linux)
  import CWhimbrelDiskProbe
  import Foundation
  import Testing
  import WhimbrelEngine
  import WhimbrelLMDB
  import WhimbrelTestSupport

  /// A disk that fails: a call to the system on any file of the store's folder, one after the other,
  /// returns `EIO` or `ENOSPC`, writes half of its bytes, or is the last one that works.
  ///
  /// By default some calls of each operation fail. `WHIMBREL_LONG=1` fails every call.
  ///
  /// When the write of a meta page fails, LMDB refuses everything until the file is opened again.
  /// The store was said to be damaged then, with the advice to restore a copy, and a session read on
  /// in the write that was over. Salvage threw errors that were not `StoreError`s. An online
  /// migration that could not begin left an empty table for good.
  @Suite(.serialized) struct FailingDiskTests {
    @Test(.takesLong, arguments: DiskOperation.allCases)
    func `an operation on a failing disk is an error, or done`(
      _ operation: DiskOperation
    ) async throws {
      let folder = try ProofFolder()
      await #expect(processExitsWith: .success) {
        [
          path = folder.path as String, operation = operation as DiskOperation,
          limit = (TestRun.isLong ? nil : 8) as Int?
        ] in
        var proof = try FailingDiskProof(operation, path)
        try proof.run(atMost: limit)
        for problem in proof.problems.prefix(20) { Issue.record("\(problem)") }
      }
      print("failing disk, \(operation): \(folder.report)")
    }

    /// The old store had been moved away, and the error said that it was unchanged. The next opening
    /// made an empty store, and the app did not learn where the old one was.
    @Test func `a fresh start that cannot name its new store keeps the old one`() async throws {
      await #expect(processExitsWith: .success) {
        let store = try BigMigration.store(5)
        let before = try store.contents()
        let folder = (store.path as NSString).deletingLastPathComponent
        let old = folder + "/Old.whimbrel"
        var request = BigMigration.request(store.path) { _ in throw BlockError() }
        request.migration.failedStorePath = old
        FileStepProbe.arm(store.path) { step in
          // Safe: the function copies the path.
          if step == .movingLockMoved { unsafe disk_fail(folder, DISK_FAIL_SPACE, 1) }
        }
        let error = storeError { _ = try StoreFile.open(request) }
        #expect(disk_stop())
        #expect(error?.code == .noSpace)
        #expect(try store.contents() == before)
        #expect(!FileManager.default.fileExists(atPath: old))
      }
    }
  }
#endif
