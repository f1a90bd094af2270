import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// Stores that begin with the copy of another.
@Suite struct SeedTests {
  private static let count = 20

  /// A seed of version 1, and a place for a store.
  private func places() throws -> (seed: TestStore, path: String) {
    let seed = try BigMigration.store(Self.count)
    return (seed, (seed.path as NSString).deletingLastPathComponent + "/Mine.whimbrel")
  }

  private func request(_ path: String, _ seed: String) -> OpenRequest {
    var request = BigMigration.request(path)
    request.file.seedPath = seed
    return request
  }

  private func names(_ path: String) throws -> [String] {
    try FileManager.default
      .contentsOfDirectory(atPath: (path as NSString).deletingLastPathComponent).sorted()
  }

  @Test func `a new store begins with its seed, and is migrated`() throws {
    let (seed, path) = try places()
    try FileManager.default.removeItem(atPath: seed.path + "-lock")
    unsafe chmod(seed.path, 0o444)
    let bytes = try Data(contentsOf: URL(filePath: seed.path))
    let session = try Session(StoreFile.open(request(path, seed.path)))
    #expect(try StoreContents(session).version == 2)
    #expect(try session.table("Item").count() == Self.count)
    _ = try session.write { try session.create("Item", ["number": 99, "text": "t", "length": 1]) }
    session.close()
    #expect(try Data(contentsOf: URL(filePath: seed.path)) == bytes)
    #expect(try names(path) == ["Mine.whimbrel", "Mine.whimbrel-lock", "Test.whimbrel"])
    // It is not copied over a store that is there.
    let again = try Session(StoreFile.open(request(path, seed.path)))
    #expect(try again.table("Item").count() == Self.count + 1)
  }

  @Test func `a seed that is no sound store of this app is an error, and no store is made`() throws
  {
    let (seed, path) = try places()
    let sound = try Data(contentsOf: URL(filePath: seed.path))
    func expect(_ code: StoreError.Code?, _ seedPath: String) throws {
      let error = storeError { _ = try StoreFile.open(request(path, seedPath)) }
      #expect(error?.code == .seedFailed)
      #expect((error?.underlying as? StoreError)?.code == code)
      #expect(error?.message.contains(seedPath) == true)
      #expect(!StoreFile.exists(at: path))
      #expect(try names(path).allSatisfy { !$0.contains("Mine") })
    }
    try expect(nil, seed.path + ".none")
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let damaged =
      sound.prefix(3 * page) + Data(repeating: 0xA5, count: sound.count - 3 * page)
    let cases: [(Data, StoreError.Code)] = [
      (Data("a letter".utf8), .notAStore), (Data(), .emptyFile),
      (sound.prefix(3 * page), .truncated), (damaged, .damaged),
    ]
    for (bytes, code) in cases {
      let bad = seed.path + ".bad"
      try bytes.write(to: URL(filePath: bad))
      try expect(code, bad)
    }
    var older = request(path, seed.path)
    older.schemaVersion = 0
    older.declaration = Declaration(StoreSchema(classes: BigMigration.old))
    let error = storeError { _ = try StoreFile.open(older) }
    #expect((error?.underlying as? StoreError)?.code == .schemaVersionTooNew)
    #expect(!StoreFile.exists(at: path))
  }

  @Test func `a store that is only read is not made of a seed`() throws {
    let (seed, path) = try places()
    var readOnly = request(path, seed.path)
    readOnly.isReadOnly = true
    #expect(storeError { _ = try StoreFile.open(readOnly) }?.code == .fileNotFound)
    #expect(!StoreFile.exists(at: path))
  }

  // The bytes of a file that is being written are no store; a copy of them was checked, but not
  // what it is a copy of.
  @Test func `a seed that somebody writes to gives one of its commits, or an error`() async throws {
    let (seed, path) = try places()
    let writer = Thread {
      do {
        let session = try seed.session()
        var number: Int64 = 1_000
        while !Thread.current.isCancelled {
          _ = try session.write {
            try session.create(
              "Item", ["number": .int(number), "text": .string(BigMigration.text(Int(number)))])
          }
          number += 1
        }
      } catch {
        Issue.record(error)
      }
    }
    writer.start()
    defer { writer.cancel() }
    for round in 0..<20 {
      let path = path + "\(round)"
      let error = storeError {
        let session = try Session(StoreFile.open(request(path, seed.path)))
        #expect(try IntegrityCheck.run(session).isEmpty)
        #expect(try session.table("Item").count() >= Self.count)
      }
      #expect(error == nil || error?.code == .seedFailed, "\(error?.description ?? "")")
    }
  }

  @Test func `threads that open at once share one store`() async throws {
    let (seed, path) = try places()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          let error = storeError {
            let session = try Session(StoreFile.open(request(path, seed.path)))
            _ = try session.write {
              try session.create(
                "Item", ["number": .int(Int64(5_000 + number)), "text": "t", "length": 1])
            }
          }
          #expect(error == nil, "\(error?.description ?? "")")
        }
      }
    }
    let session = try Session(StoreFile.open(OpenRequest(path: path)))
    #expect(try session.table("Item").count() == Self.count + 4)
    session.close()
    #expect(
      try names(path).filter { $0.hasPrefix("Mine") } == ["Mine.whimbrel", "Mine.whimbrel-lock"])
  }

  @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount a small disk"))
  func `a full disk leaves nothing of a copy`() throws {
    let disk = try #require(SmallDisk(kibibytes: 128))
    let seed = try BigMigration.store(BigMigration.bigCount / 30)
    let error = storeError { _ = try StoreFile.open(request(disk.path + "/a.whimbrel", seed.path)) }
    #expect(error?.code == .noSpace)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
    withExtendedLifetime(disk) {}
  }

  @Test(arguments: [FileStep.creationWhole, .creationNamed])
  func `a process killed meanwhile leaves no half of a store`(_ step: FileStep) async throws {
    let (seed, path) = try places()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, seed = seed.path as String, step = step as FileStep] in
      FileStepProbe.arm(path) { if $0 == step { kill(getpid(), SIGKILL) } }
      var request = BigMigration.request(path)
      request.file.seedPath = seed
      _ = try StoreFile.open(request)
    }
    #expect(StoreFile.exists(at: path) == (step == .creationNamed))
    let session = try Session(StoreFile.open(request(path, seed.path)))
    #expect(try session.table("Item").count() == Self.count)
    session.close()
    #expect(try StoreFile.deleteFiles(at: path))
    #expect(try names(path).allSatisfy { !$0.hasPrefix("Mine") })
  }
}
