import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

/// A file that may not grow is like a full disk: nothing is left of what was being made.
///
/// The signal that the system sends then ended the process, and left a temporary file. On a full
/// disk, an error named that file instead of the one that was asked for.
struct LimitedFileTests {
  enum Output: String, CaseIterable, Codable, Sendable {
    case compacted, compactedInPlace, dump, folder

    /// Makes it of a store.
    func make(_ path: String, at new: String) throws {
      let inspector = try StoreInspector(path: path)
      switch self {
      case .compacted: _ = try StoreCompaction(of: inspector).run(to: .newFile(new))
      case .compactedInPlace: _ = try StoreCompaction(of: inspector).run(to: .inPlace)
      case .dump:
        try DumpFile.write(to: new, replacing: .refused) { try StoreDump(inspector).write($0) }
      case .folder: try FolderDump(inspector).write(to: new, replacing: .refused)
      }
    }
  }

  /// Threads of Dispatch block all signals, and those of a tool do not.
  private static func unblockSizeSignal() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGXFSZ)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  @Test(arguments: Output.allCases)
  func `an error names the file that was asked for, and no other file is left`(
    _ output: Output
  ) async throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    let text = ClassSchema(
      name: "Text", properties: [PropertySchema(name: "text", type: .string)])
    try makeStore(at: path, [text]) { session in
      for _ in 0..<100 {
        _ = try session.table("Text").create(
          ["text": .string(String(repeating: "t", count: 4_000))], replacing: false)
      }
    }
    let before = folder.contents("a.whimbrel")
    await #expect(processExitsWith: .success) {
      [path = path as String, new = folder.path("new") as String, output = output as Output] in
      Self.unblockSizeSignal()
      try limitFiles(to: 100_000)
      do {
        try output.make(path, at: new)
        Issue.record("no error")
      } catch {
        let name = output == .compactedInPlace ? path : new
        #expect("\(error)".contains(name), "\(error)")
        #expect(!"\(error)".contains(".new-"), "\(error)")
      }
    }
    #expect(folder.contents("a.whimbrel") == before)
    #expect(try folder.names().filter { !$0.hasSuffix("-lock") } == ["a.whimbrel"])
  }
}
