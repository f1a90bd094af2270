import Foundation
import Testing
import WhimbrelTestSupport

/// What the compiler says about mistakes in models and queries, word for word.
///
/// Each file in `Snippets` is compiled by itself, and beside it is what the compiler says:
/// `WHIMBREL_RECORD=1 swift test --filter CompilerErrorTests` writes that anew. Other versions of
/// the compiler have other words.
@Suite(.serialized, .enabled(if: Compiler.isRecordedVersion))
struct CompilerErrorTests {
  @Test(.takesLong, arguments: snippets)
  func `a mistake is explained where it was made`(snippet: String) throws {
    let text = try String(contentsOf: Self.url("\(snippet).swift"), encoding: .utf8)
    let source = Compiler.Source(name: "\(snippet).swift", text: text)
    let outcome = try Compiler.compile([source], .messages)
    let messages = Self.messages(in: outcome.output, of: source.name)
    let url = Self.url("\(snippet).txt")
    if TestRun.isRecording {
      try Data(messages.utf8).write(to: url)
    }
    #expect(messages == (try? String(contentsOf: url, encoding: .utf8)), "\(source.name)")
  }

  /// The names of the files, without what is behind the dot.
  static let snippets: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url("").path)) ?? []
    return names.filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) }.sorted()
  }()

  private static func url(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snippets/\(name)")
  }

  /// The errors, warnings and notes in a file, a line each, and the errors and warnings in the
  /// expansions of macros; notes in other files are left out.
  private static func messages(in output: String, of file: String) -> String {
    output.split(separator: "\n").compactMap { line -> String? in
      guard let kind = [" error: ", " warning: ", " note: "].first(where: line.contains),
        let start = line.range(of: kind)
      else { return nil }
      var text = String(line[start.lowerBound...])
      if let origin = text.range(of: " (from macro '") { text = String(text[..<origin.lowerBound]) }
      let place = line[..<start.lowerBound]
      if place.hasPrefix("\(file):") { return "\(place.dropFirst(file.count + 1))\(text)\n" }
      return kind == " note: " ? nil : "expansion:\(text)\n"
    }.joined()
  }
}

extension Compiler {
  /// Whether the compiler is of the version whose words are recorded.
  fileprivate static var isRecordedVersion: Bool {
    #if compiler(>=6.3) && compiler(<6.4)
      true
    #else
      false
    #endif
  }
}
