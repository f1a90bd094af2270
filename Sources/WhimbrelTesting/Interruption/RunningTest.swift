internal import Foundation
internal import Testing
internal import XCTest

/// The test that is running, and how it is started again in a child process.
struct RunningTest {
  /// The arguments that make this process's executable run this test alone; nil when that is not
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

  /// What the executable has been told about where the tests are.
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

  /// How a child process has ended.
  enum Ending: Equatable {
    case done
    case failed
    case killed
    /// It has not come to the call, or has crashed; with the end of what it has written.
    case lost(String)
  }

  /// Runs the test again in a child process, which carries an order out.
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
      case ChildOrder.failed: return .failed
      default: return .lost("It ended with exit code \(status). \(tail(of: log))")
      }
    #else
      return .lost("This platform does not start processes.")
    #endif
  }

  private func tail(of log: URL) -> String {
    let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    return "The last that it has written: \(text.suffix(600))"
  }
}
