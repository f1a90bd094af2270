import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

#if os(Linux)
  /// How much private memory a migration takes.
  struct MemoryTests {
    @Test(.enabled(if: TestRun.isLong))
    func `300,000 objects are migrated in less than 64 MB`() async throws {
      let store = try TestStore(BigMigration.old) { session in
        for number in 0..<300_000 {
          let text = String(repeating: "abcdefghij", count: 18)
          try session.create("Item", ["number": .int(Int64(number)), "text": .string(text)])
        }
      }
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) { [path = store.path as String] in
        let before = try privateMemory()
        let peaks = Notes<Int>()
        var request = BigMigration.request(path) { number in
          if number % 1_000 == 0 { peaks.add(try privateMemory()) }
        }
        request.migration.progress = { _ in
          peaks.add((try? privateMemory()) ?? .max)
          return .continue
        }
        _ = try StoreFile.open(request)
        let peak = peaks.all.max() ?? .max
        FileHandle.standardError.write(
          Data("private memory: \(before) bytes before, at most \(peak)\n".utf8))
        #expect(peak - before < 64 << 20)
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      try? text.write(
        toFile: FileManager.default.temporaryDirectory.path + "/whimbrel-memory.txt",
        atomically: true, encoding: .utf8)
      #expect(text.contains("private memory"))
    }
  }
#endif
