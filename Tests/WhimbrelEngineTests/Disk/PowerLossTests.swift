#if os(Linux)
  import Foundation
  import Testing
  import WhimbrelEngine
  import WhimbrelLMDB
  import WhimbrelTestSupport

  /// The power goes at any moment: writes are recorded below LMDB and written again up to there,
  /// those that were not flushed only in part.
  ///
  /// `WHIMBREL_LONG=1` takes 2,000 moments; `WHIMBREL_MOMENTS` says how many, and `WHIMBREL_SEED`
  /// gives other writes and other moments.
  ///
  /// A new relaxed store got its name before its last meta page was on the disk: after a power loss
  /// there was a file without a catalog, which did not open.
  @Suite(.serialized) struct PowerLossTests {
    private static let moments =
      TestRun.number("WHIMBREL_MOMENTS") ?? (TestRun.isLong ? 2_000 : 20)
    private static let seed = TestRun.seed ?? 1

    @Test(.takesLong, arguments: [true, false])
    func `after a power loss the store has what was committed`(isFull: Bool) async throws {
      let folder = try ProofFolder()
      await #expect(processExitsWith: .success) {
        [
          path = folder.path as String, isFull = isFull as Bool, moments = Self.moments as Int,
          seed = Self.seed as UInt64
        ] in
        var proof = try PowerLossProof(path, syncsMetaPage: isFull, seed: seed)
        #expect(try proof.logIsWhole())
        try proof.run(moments: moments)
        for problem in proof.problems.prefix(20) { Issue.record("\(problem)") }
      }
      print("power loss, \(isFull ? "full" : "relaxed"): \(folder.report)")
    }

    @Test(.takesLong) func `a disk that does not keep what it flushed is noticed`() async throws {
      let folder = try ProofFolder()
      await #expect(processExitsWith: .success) {
        [path = folder.path as String, seed = Self.seed as UInt64] in
        let proof = try PowerLossProof(path, syncsMetaPage: true, commits: 40, seed: seed)
        for lie in SimulatedDisk.Lie.allCases {
          var proof = proof
          try proof.run(moments: 16, lie)
          #expect(!proof.problems.isEmpty, "\(lie)")
        }
      }
    }
  }

  /// A folder for a proof and its report, which goes away with it.
  struct ProofFolder: ~Copyable {
    let path = FileManager.default.temporaryDirectory.path + "/whimbrel-proof-\(UUID())"

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// What the proof has written, in a process of its own.
    var report: String {
      (try? String(contentsOfFile: path + "/report", encoding: .utf8)) ?? "no report"
    }

    static func report(_ text: String, in path: String) throws {
      try Data(text.utf8).write(to: URL(filePath: path + "/report"))
    }
  }
#endif
