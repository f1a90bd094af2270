import Foundation
import Testing

@testable import WhimbrelLMDB

@Suite struct AssertionTests {
  /// LMDB printed its own source line only, and nobody could tell which file was damaged.
  @Test func `a failed assertion of LMDB names the file before the process ends`() async throws {
    let file = try EnvironmentTestFile()
    var data = try Data(contentsOf: URL(filePath: file.path))
    for page in stride(from: 2 * 4_096, to: data.count, by: 4_096) where data[page + 10] == 2 {
      // A leaf becomes a branch without entries.
      data[page + 10] = 1
      data[page + 12] = 16
      data[page + 13] = 0
    }
    try data.write(to: URL(filePath: file.path))
    let result = await #expect(
      processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
    ) { [path = file.path as String] in
      let lease = try Environment.open(path: path)
      _ = try lease.environment.table(EnvironmentTestFile.numbers)
      _ = try lease.environment.write { view throws(LMDBError) in
        try view.put(.main, Array("key".utf8), [1])
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Could not continue with the store at '\(file.path)'"))
    #expect(text.contains("whimbrel salvage"))
  }
}
