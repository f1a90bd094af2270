internal import Foundation
internal import Synchronization
internal import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// An order that a test gives to a child process, which runs the same test and carries the
/// order out when it reaches the same call.
struct ChildOrder: Codable, Sendable {
  /// The name of the sample. The test may go through several.
  let sample: String
  /// The place of the call, and what it migrates to.
  let call: String
  let path: String
  let fault: Fault

  /// The number of bytes that a migration writes before a commit.
  static let batchSize = 16 << 10
  /// The exit code after a completed migration.
  static let done: Int32 = 70
  /// The exit code after a failed migration.
  static let failed: Int32 = 71
  static let variable = "WHIMBREL_TESTING_CHILD"

  /// The order that this process was started with, or nil if it is not such a child.
  static let current: ChildOrder? = {
    guard let text = ProcessInfo.processInfo.environment[variable] else { return nil }
    return try? JSONDecoder().decode(ChildOrder.self, from: Data(text.utf8))
  }()

  /// Whether a call has begun to carry out the order.
  private static let isTaken = Atomic(false)

  /// Returns a text that tells calls apart. A test may make a call in a loop over configurations.
  static func call(at place: TestPlace, _ configuration: Store.Configuration) -> String {
    let kind =
      configuration.onlineMigration != nil
      ? "rules" : configuration.migrationSteps != nil ? "steps" : "block"
    return "\(place.fileID):\(place.line):\(place.column), \(kind) to version "
      + "\(configuration.schemaVersion)"
  }

  /// Returns the path of the file for the number of commits.
  static func countPath(_ path: String) -> String { path + ".commits" }

  /// Migrates the copy and ends the process, if the order is for this sample and this call.
  func carryOut(for name: String, at place: TestPlace, _ configuration: Store.Configuration) {
    guard name == sample, Self.call(at: place, configuration) == call else { return }
    // The cases of a test run in parallel, and several may make this call with the same sample.
    guard !Self.isTaken.exchange(true, ordering: .relaxed) else { return }
    var configuration = configuration.at(URL(filePath: path))
    configuration.probe = MigrationProbe(batchSize: Self.batchSize)
    let commits = Atomic(0)
    // Other cases of the test may write to other stores meanwhile.
    let folder = URL(filePath: path).deletingLastPathComponent().lastPathComponent
    CommitProbe.observe(inFolder: folder) { [fault] moment in
      // The current commit is not in the count yet.
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
      try Store.migrated(configuration)
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
    // The default action of this signal ends the process. If it is ignored, the write fails
    // instead.
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
