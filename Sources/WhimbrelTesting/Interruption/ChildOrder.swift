internal import Foundation
internal import Synchronization
internal import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// What a child process of a test is to do when it comes to where its parent is.
struct ChildOrder: Codable, Sendable {
  /// The sample, of several that the test may go through.
  let sample: String
  /// The call: file and line.
  let place: String
  /// The copy that is migrated.
  let path: String
  let fault: Fault

  /// How many bytes a migration writes before a commit.
  static let batchSize = 16 << 10
  /// The exit code after a migration that has come to its end.
  static let done: Int32 = 70
  /// The exit code after one that has failed.
  static let failed: Int32 = 71
  static let variable = "WHIMBREL_TESTING_CHILD"

  /// The order that this process was started with, or nil in a test that people have started.
  static let current: ChildOrder? = {
    guard let text = ProcessInfo.processInfo.environment[variable] else { return nil }
    return try? JSONDecoder().decode(ChildOrder.self, from: Data(text.utf8))
  }()

  static func place(_ place: TestPlace) -> String { "\(place.fileID):\(place.line)" }

  /// Where the number of commits is written.
  static func countPath(_ path: String) -> String { path + ".commits" }

  /// Migrates the copy and ends the process, if the order is for this sample and place.
  func carryOut(for name: String, at place: TestPlace, _ configuration: Store.Configuration) {
    guard name == sample, Self.place(place) == self.place else { return }
    var configuration = configuration
    configuration.url = URL(filePath: path)
    configuration.probe = MigrationProbe(batchSize: Self.batchSize)
    let commits = Atomic(0)
    CommitProbe.observe { [fault] moment in
      // The number of the commit at hand is one more than there have been.
      if case .killed(let isAfter, let commit) = fault, isAfter == (moment == .after),
        commits.load(ordering: .relaxed) + 1 == commit
      {
        kill(getpid(), SIGKILL)
      }
      if moment == .after { commits.add(1, ordering: .relaxed) }
    }
    switch fault {
    case .diskFull(let pages): limitFileSize(pages: pages)
    case .killed, .counting, .cancelled, .failing: break
    }
    do {
      _ = try Store(configuration)
      if fault == .counting {
        let count = Data("\(commits.load(ordering: .relaxed))".utf8)
        try count.write(to: URL(filePath: Self.countPath(path)))
      }
      _exit(Self.done)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      _exit(Self.failed)
    }
  }

  private func limitFileSize(pages: Int) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return }
    // The signal would end the process; without it a write fails.
    signal(SIGXFSZ, SIG_IGN)
    let size = rlim_t(Int(status.st_size) + pages * Int(sysconf(Int32(_SC_PAGESIZE))))
    var limit = rlimit(rlim_cur: size, rlim_max: size)
    #if os(Linux)
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
      unsafe setrlimit(RLIMIT_FSIZE, &limit)
    #endif
  }
}

extension MigrationProbe {
  init(batchSize: Int) {
    self.init()
    self.batchSize = batchSize
  }
}
