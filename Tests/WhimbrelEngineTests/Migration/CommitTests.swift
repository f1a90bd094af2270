#if os(Linux)
  import Foundation
  import Testing
  import WhimbrelEngine
  import WhimbrelLMDB
  import WhimbrelTestSupport

  /// What is left of a migration that ends at one of its commits: all of them in a long
  /// run, the first and the last ones and some between else.
  @Suite(.serialized) struct CommitTests {
    private static func numbers(_ commits: Int) -> [Int] {
      if TestRun.isLong { return Array(1...commits) }
      return Set([1, commits / 2, commits - 1, commits]).filter { $0 > 0 }.sorted()
    }

    @Test(.takesLong, arguments: CrashScenario.allCases)
    func `a kill right before or after a commit loses nothing`(_ scenario: CrashScenario)
      async throws
    {
      let comparison = try CrashComparison(scenario)
      try #require(comparison.commits > 0)
      if TestRun.isLong { print("\(scenario): \(comparison.commits) commits") }
      for commit in Self.numbers(comparison.commits) {
        for action in [CommitHook.Action.killBefore, .killAfter] {
          let copy = try TestStore(copying: comparison.original.path)
          await #expect(processExitsWith: .signal(SIGKILL)) {
            [
              path = copy.path as String, scenario = scenario as CrashScenario,
              action = action as CommitHook.Action, commit = commit as Int
            ] in
            try CommitHook.arm(action, at: commit)
            try scenario.run(path)
          }
          let (problems, _) = try comparison.problems(copy)
          #expect(problems == [], "\(action) commit \(commit) of \(comparison.commits)")
        }
      }
    }

    // A process that has the file open does not see the last commit of a killed one before the next
    // write. It read the old catalog, and then removed the tables of the new one: all objects.
    @Test(.takesLong, arguments: CrashScenario.allCases)
    func `a kill right after a commit loses nothing where the file stays open`(
      _ scenario: CrashScenario
    ) async throws {
      let comparison = try CrashComparison(scenario)
      let last = comparison.commits
      for commit in TestRun.isLong ? 1...last : max(1, last - 2)...last {
        let copy = try TestStore(copying: comparison.original.path)
        let lease = try Environment.open(path: copy.path)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [
            path = copy.path as String, scenario = scenario as CrashScenario, commit = commit as Int
          ] in
          try CommitHook.arm(.killAfter, at: commit)
          try scenario.run(path)
        }
        let (problems, _) = try comparison.problems(copy)
        #expect(problems == [], "commit \(commit) of \(last)")
        withExtendedLifetime(lease) {}
      }
    }

    @Test(.takesLong, arguments: CrashScenario.allCases)
    func `a refused commit leaves the old store or the new one`(_ scenario: CrashScenario)
      async throws
    {
      let comparison = try CrashComparison(scenario)
      for commit in Self.numbers(comparison.commits) {
        let copy = try TestStore(copying: comparison.original.path)
        await #expect(processExitsWith: .success) {
          [
            path = copy.path as String, scenario = scenario as CrashScenario,
            commit = commit as Int
          ] in
          try CommitHook.arm(.fail, at: commit)
          do { try scenario.run(path) } catch let error as StoreError {
            #expect(error.code == .ioError, "\(error)")
          }
        }
        let (problems, _) = try comparison.problems(copy)
        #expect(problems == [], "commit \(commit) of \(comparison.commits)")
      }
    }
  }
#endif
