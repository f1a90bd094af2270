import Whimbrel

@testable import WhimbrelEngine

/// A store whose groups last as long as they need to.
struct PatientStore {
  let test: TestStore
  let store: Store

  init() throws { try self.init(TestStore()) }

  init(_ test: TestStore) throws {
    self.test = test
    store = try test.open()
    var limits = WriteQueue.Limits()
    limits.time = .seconds(600)
    limits.timeBesideOthers = .seconds(600)
    limits.patience = .seconds(600)
    limits.maximumPatience = .seconds(600)
    queue.limits = limits
  }

  var queue: WriteQueue { store.session.file.writeQueue }

  /// The number of the last commit.
  var lastCommit: Int {
    get throws { try store.session.file.environment.information().lastTransaction }
  }

  /// Waits until so many writes are in the queue. Its thread has taken the first one, and waits for
  /// another writer.
  func wait(for count: Int) async throws {
    let environment = try store.session.file.environment
    while queue.count < count - 1 || !environment.hasWaitingWriters {
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}
