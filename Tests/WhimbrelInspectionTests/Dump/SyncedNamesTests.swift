#if os(Linux)
  import CWhimbrelDiskProbe
  import Foundation
  import Testing
  import WhimbrelInspection
  import WhimbrelInspectionTestSupport
  import WhimbrelTestSupport

  /// One call to the disk after the other fails while a file is written for another program.
  ///
  /// `dump -o` and `export --sqlite` reported success before the file's name was on the disk: after
  /// a power loss there was no file. A folder whose replacement was cut short could be read as a
  /// dump on a file system that keeps names in any order.
  struct SyncedNamesTests {
    enum Output: String, CaseIterable, Codable, Sendable {
      case file, folder, replacedFolder, database

      /// The call that waits for the names.
      var call: String { self == .replacedFolder ? "fsync folder/out" : "fsync folder" }
    }

    @Test(.takesLong, arguments: Output.allCases)
    func `what was written has its name on the disk`(_ output: Output) async throws {
      await #expect(processExitsWith: .success) { [output = output as Output] in
        var failed: [String] = []
        while let call = try Self.failCall(failed.count + 1, output) { failed.append(call) }
        // A replacement waits before and after the last file, too.
        let count = output == .replacedFolder ? 3 : 1
        #expect(failed.filter { $0 == output.call }.count == count, "\(failed)")
      }
    }

    /// Fails one call to the disk while something is written. Returns the call, or nil if there was
    /// no such call.
    private static func failCall(_ number: Int, _ output: Output) throws -> String? {
      let folder = try TestFolder()
      try Sample.make(at: folder.path("a.whimbrel"))
      let inspector = try StoreInspector(path: folder.path("a.whimbrel"))
      if output == .replacedFolder {
        try FolderDump(inspector).write(to: folder.path("out"), replacing: .refused)
      }
      // Safe: the function copies the path.
      unsafe disk_fail(folder.url.path, DISK_FAIL_IO, number)
      let result = Result { try write(output, inspector, to: folder.path("out")) }
      guard disk_stop() else {
        try result.get()
        return nil
      }
      // Safe: the text ends with a zero, and no call is made meanwhile.
      let call = unsafe String(cString: disk_failed_call())
        .replacing(folder.url.path, with: "folder")
      if call == output.call { #expect(throws: InspectionError.self) { try result.get() } }
      return call
    }

    private static func write(
      _ output: Output, _ inspector: StoreInspector, to path: String
    ) throws {
      switch output {
      case .file:
        try DumpFile.write(to: path, replacing: .refused) { write in
          try StoreDump(inspector).write(write)
        }
      case .folder: try FolderDump(inspector).write(to: path, replacing: .refused)
      case .replacedFolder: try FolderDump(inspector).write(to: path, replacing: .replaced)
      case .database: try SQLiteExport(inspector).write(to: path)
      }
    }
  }
#endif
