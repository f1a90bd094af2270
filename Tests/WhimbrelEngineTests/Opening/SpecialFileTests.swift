import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Paths of stores that lead to something else than a regular file.
@Suite struct SpecialFileTests {
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case folder, pipe, socket, device

    var testDescription: String { rawValue }

    var words: String {
      switch self {
      case .folder: "it is a folder"
      case .pipe: "it is a named pipe"
      case .socket: "it is a socket"
      case .device: "it is a device"
      }
    }

    /// Makes such a thing, or returns where one is.
    func make(at path: String) throws -> String {
      switch self {
      case .folder:
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .pipe: #expect(unsafe mkfifo(path, 0o644) == 0)
      case .socket: try bindSocket(path)
      case .device: return "/dev/null"
      }
      return path
    }
  }

  enum Call: String, CaseIterable, CustomTestStringConvertible {
    case open, openToRead, openCompacting, startFresh, plan, dryRun, header, delete, salvage, check
    case seed, backup, copy

    var testDescription: String { rawValue }

    func run(_ special: String, _ path: String, in folder: String) throws {
      var request = OpeningTestStore.request(special)
      switch self {
      case .open: _ = try StoreFile.open(request)
      case .openToRead:
        request.isReadOnly = true
        _ = try StoreFile.open(request)
      case .openCompacting:
        request.file.shouldCompact = { _ in true }
        _ = try StoreFile.open(request)
      case .startFresh:
        request.migration.failedStorePath = folder + "/failed.whimbrel"
        _ = try StoreFile.open(request)
      case .plan:
        _ = try StoreFile.migrationPlan(request, Declaration(OpeningTestStore.schema))
      case .dryRun: _ = try StoreFile.dryRunMigration(request)
      case .header: _ = try StoreFile.headerWithoutOpening(special)
      case .delete: _ = try StoreFile.deleteFiles(at: special)
      case .salvage:
        _ = try Salvage(
          path: special, output: folder + "/saved.whimbrel", search: .usedPages,
          orCatalogOf: nil
        ) { _, _, _ in }
      case .check: _ = try FileCheck.run(path: special, depth: .everything) { _, _, _ in }
      case .seed:
        request = OpeningTestStore.request(folder + "/new.whimbrel")
        request.file.seedPath = special
        _ = try StoreFile.open(request)
      case .backup:
        request = OpeningTestStore.request(path, version: 2)
        request.migration.backupPath = special
        _ = try StoreFile.open(request)
      case .copy:
        try Session(StoreFile.open(OpeningTestStore.request(path))).writeCopy(to: special)
      }
    }
  }

  /// Runs a call on a thread of its own, and returns its error. A call that waits is an issue.
  private func error(
    of call: Call, _ special: String, beside store: OpeningTestStore
  ) async throws -> (any Error)? {
    let box = Notes<Result<Void, any Error>>()
    let (folder, path) = (store.folder, store.path)
    Thread.detachNewThread {
      box.add(Result { try call.run(special, path, in: folder) })
    }
    for _ in 0..<4_000 {
      switch box.all.first {
      case .failure(let error): return error
      case .success: return nil
      case nil: break
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("\(call) waits for ever")
    return nil
  }

  @Test(arguments: Kind.allCases, Call.allCases)
  func `a path to no regular file is refused at once`(_ kind: Kind, _ call: Call) async throws {
    let store = try OpeningTestStore()
    let special = try kind.make(at: store.folder + "/special")
    let found = try #require(await error(of: call, special, beside: store))
    let error = try #require(found as? StoreError, "\(found)")
    switch call {
    case .copy: #expect(error.code == .fileExists)
    case .backup: #expect(error.code == .backupFailed, "\(error)")
    case .seed: #expect(error.code == .seedFailed && "\(error)".contains(kind.words), "\(error)")
    default:
      #expect(error.code == (kind == .folder ? .isDirectory : .notAStore), "\(error)")
      #expect(error.message.contains(kind.words), "\(error)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder)
    #expect(
      Set(names).isSubset(of: ["special", "test.whimbrel", "test.whimbrel-lock"]), "\(names)")
    #expect(!StoreFile.exists(at: special))
  }

  // The folder of a relative path of one character once stopped the program.
  @Test(arguments: ["x", "./x", "é"])
  func `a path in the current folder works`(_ path: String) async throws {
    let store = try OpeningTestStore(objects: nil)
    await #expect(processExitsWith: .success) {
      [folder = store.folder as String, path = path as String] in
      #expect(unsafe chdir(folder) == 0)
      for _ in 0..<2 {
        var request = OpeningTestStore.request(path)
        request.file.shouldCompact = { _ in true }
        let session = try Session(StoreFile.open(request))
        try session.writeCopy(to: "y")
        session.close()
        #expect(try StoreFile.deleteFiles(at: "y"))
      }
      var migrating = OpeningTestStore.request(path, version: 2)
      migrating.migration.backupPath = "b"
      _ = try StoreFile.open(migrating)
      #expect(try StoreFile.deleteFiles(at: "b"))
      #expect(try StoreFile.deleteFiles(at: path))
      #expect(try FileManager.default.contentsOfDirectory(atPath: ".") == [])
    }
  }
}

/// Makes a socket at a path.
private func bindSocket(_ path: String) throws {
  #if canImport(Darwin)
    let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
  #else
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  #endif
  defer { close(descriptor) }
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let bytes = Array(path.utf8)
  let capacity = MemoryLayout.size(ofValue: address.sun_path)
  try #require(bytes.count < capacity)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
  let size = socklen_t(MemoryLayout<sockaddr_un>.size)
  let code = unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe bind(descriptor, $0, size)
    }
  }
  #expect(code == 0)
}
