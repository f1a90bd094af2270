import Foundation
import Testing

@testable import WhimbrelLMDB

@Suite struct StandardStreamTests {
  // The system gives the lowest closed descriptor to the next file. What the program printed later
  // was then written over the first meta page.
  @Test(arguments: [Int32(0), 1, 2])
  func `a file does not get the descriptor of a closed stream`(_ stream: Int32) async throws {
    let file = try EnvironmentTestFile()
    await #expect(processExitsWith: .exitCode(7)) {
      [path = file.path as String, stream = stream as Int32] in
      for descriptor in stream...2 { close(descriptor) }
      let lease = try Environment.open(path: path)
      let line = Array("a line that the program prints\n".utf8)
      // Another thread of the process may have got a descriptor before, for something that cannot be
      // written.
      for descriptor in stream...2 { _ = unsafe write(descriptor, line, line.count) }
      guard try lease.environment.marks().count == 0 else { exit(2) }
      exit(7)
    }
    #expect(try file.environment().marks().count == 0)
    let start = try Data(contentsOf: URL(filePath: file.path)).prefix(1)
    #expect(start == Data([0]))
  }
}
