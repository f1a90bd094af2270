import Foundation
import FuzzTargets
import Testing

/// Inputs that the fuzzer found: those that reach all code that it has reached, and those that once stopped the program.
/// `Tools/fuzz` looks for more.
struct KeptInputTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Tools/Fuzzing")

  /// Returns the inputs of a target in a folder.
  private static func inputs(_ folder: String, of target: FuzzTarget) throws -> [[UInt8]] {
    let url = Self.folder.appending(path: "\(folder)/\(target.rawValue)")
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    return try names.sorted().map { [UInt8](try Data(contentsOf: url.appending(path: $0))) }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `every input of the kept corpus is read or refused`(target: FuzzTarget) throws {
    let inputs = try Self.inputs("Corpus", of: target)
    #expect(!inputs.isEmpty)
    let reader = try target.reader()
    for input in try reader.seeds + inputs { reader.check(input) }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `no input that stopped the program does so again`(target: FuzzTarget) throws {
    // Most targets have none.
    guard let inputs = try? Self.inputs("Regressions", of: target) else { return }
    let reader = try target.reader()
    for input in inputs { reader.check(input) }
  }
}
