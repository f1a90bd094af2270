import Foundation
import Testing
import WhimbrelTestSupport

/// The sample app LiveList, and the tool beside it, as a user starts them.
struct LiveListTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "whimbrel-live-test-\(UUID().uuidString)")
  private var file: URL { folder.appending(path: "Zones.whimbrel") }
  private var output: URL { folder.appending(path: "output.txt") }

  private static func process(
    _ name: String, _ arguments: [String], output: FileHandle
  ) -> Process {
    let process = Process()
    process.executableURL = Compiler.products.appending(path: name)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    return process
  }

  private func whimbrel(_ arguments: String...) async throws {
    let log = folder.appending(path: "tool.txt")
    try Data().write(to: log)
    let process = try Self.process(
      "whimbrel", arguments, output: FileHandle(forWritingTo: log))
    let end = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in end.continuation.finish() }
    try process.run()
    for await _ in end.stream {}
    #expect(
      process.terminationStatus == 0, "\((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
  }

  /// The lines that the list has shown, without their times.
  private var lines: [Substring] {
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      line.prefixMatch(of: #/\d\d:\d\d:\d\d /#).map { line[$0.range.upperBound...] }
    }
  }

  /// Waits until the list has shown as many lines. The limit is a number of looks and not a time:
  /// other tests can keep this one from running for many minutes.
  private func waitForLines(_ count: Int) async {
    var looks = 0
    while lines.count < count, looks < 15_000 {
      try? await Task.sleep(for: .milliseconds(20))
      looks += 1
    }
  }

  @Test func `the list shows what the tool writes from another process, until Ctrl-C`() async throws
  {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(
      at: Compiler.repository.appending(path: "SampleStores/Zones.v7.whimbrel"), to: file)
    try Data().write(to: output)
    // It ends by itself only if this process is killed before it can end the list.
    let list = try Self.process(
      "LiveList", [file.path, "--for", "36000"], output: FileHandle(forWritingTo: output))
    let end = AsyncStream.makeStream(of: Void.self)
    list.terminationHandler = { _ in end.continuation.finish() }
    try list.run()
    defer { list.terminate() }
    await waitForLines(1)
    try await whimbrel("set", file.path, "Zone", "Europe/Paris", "comments=the capital", "--write")
    await waitForLines(2)
    try await whimbrel("set", file.path, "Zone", "Europe/Paris", "latitude=80", "--write")
    await waitForLines(3)
    try await whimbrel("rm", file.path, "Zone", "Europe/Paris", "--write")
    await waitForLines(4)
    #expect(
      lines == [
        "312 zones, from north to south", "~ Europe/Paris (comments)",
        "~ Europe/Paris (latitude), row 65 to 1", "- Europe/Paris",
      ])
    list.interrupt()
    for await _ in end.stream {}
    #expect(list.terminationReason == .exit && list.terminationStatus == 0)
  }
}
