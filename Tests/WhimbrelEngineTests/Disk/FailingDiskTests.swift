#if os(Linux)
  import Foundation
  import Testing
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
    @Test(arguments: DiskOperation.allCases)
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
  }
#endif
