internal import Foundation
internal import Testing
internal import XCTest

/// The running test, with the arguments that start it again in a child process.
struct RunningTest {
  /// The arguments that make this executable run only this test, or nil if they are not
  /// known.
  private let arguments: [String]?

  init(_ testCase: XCTestCase?, _ place: TestPlace) {
    if let test = Test.current {
      let name = NSRegularExpression.escapedPattern(for: "\(test.id)")
      arguments = Self.hostArguments + ["--testing-library", "swift-testing", "--filter", name]
    } else if let testCase {
      // On Linux the name is `Class.method`, on Apple platforms `-[Module.Class method]`.
      let module = "\(place.fileID)".prefix { $0 != "/" }
      let parts = testCase.name.split { "-[]. ".contains($0) }.suffix(2).map(String.init)
      let name = "\(module).\(parts.joined(separator: "/"))"
      #if os(Linux)
        arguments = [name]
      #else
        arguments = ["-XCTest", name] + Self.bundleArguments
      #endif
    } else {
      arguments = nil
    }
  }

  /// The arguments that told this executable where the tests are.
  private static var hostArguments: [String] {
    let all = CommandLine.arguments
    guard let flag = all.firstIndex(of: "--test-bundle-path"), flag + 1 < all.count else {
      return []
    }
    return ["--test-bundle-path", all[flag + 1]] + bundleArguments
  }

  /// The bundle of the tests, on Apple platforms.
  private static var bundleArguments: [String] {
    CommandLine.arguments.dropFirst().filter { $0.hasSuffix(".xctest") }.prefix(1).map(\.self)
  }

  enum Ending: Equatable {
    case done
    /// The migration threw an error. The text has it.
    case failed(String)
    case killed
    /// The process did not reach the call, or crashed. The text has the end of its output.
    case lost(String)
  }

  /// Runs the test again in a child process, which carries out an order.
  func run(_ order: ChildOrder) throws -> Ending {
    #if os(Linux) || os(macOS)
      guard let arguments else {
        return .lost("In XCTest, pass the test case: 'in: self'.")
      }
      let log = URL(filePath: order.path + ".log")
      _ = FileManager.default.createFile(atPath: log.path, contents: nil)
      let process = Process()
      process.executableURL = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
      process.arguments = arguments
      var environment = ProcessInfo.processInfo.environment
      let text = try JSONEncoder().encode(order)
      environment[ChildOrder.variable] = String(decoding: text, as: UTF8.self)
      // A killed process removes nothing. Its temporary files go away with the copy.
      let temporary = URL(filePath: order.path + ".temporary", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
      environment["TMPDIR"] = temporary.path
      process.environment = environment
      let output = try FileHandle(forWritingTo: log)
      (process.standardOutput, process.standardError) = (output, output)
      try process.run()
      process.waitUntilExit()
      let status = process.terminationStatus
      if process.terminationReason == .uncaughtSignal {
        return status == SIGKILL
          ? .killed : .lost("It ended with signal \(status). \(tail(of: log))")
      }
      switch status {
      case ChildOrder.done: return .done
      case ChildOrder.failed: return .failed(tail(of: log))
      default: return .lost("It ended with exit code \(status). \(tail(of: log))")
      }
    #else
      return .lost("This platform cannot start processes.")
    #endif
  }

  private func tail(of log: URL) -> String {
    let bytes = (try? Data(contentsOf: log)) ?? Data()
    let text = String(decoding: bytes, as: UTF8.self)
    // A crash is reported in one line, and then in a backtrace of many.
    let end = text.range(of: " Program crashed: ")?.lowerBound ?? text.endIndex
    return "Its last output: \(text[..<end].suffix(600))"
  }
}
