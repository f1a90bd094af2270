import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine

/// The words of every error, which a reviewer reads in `errors.txt`.
///
/// `WHIMBREL_RECORD=1 swift test --filter ErrorSnapshotTests` writes the file anew.
struct ErrorSnapshotTests {
  private static let errors =
    openingErrors + fileErrors + objectErrors + valueErrors + collectionErrors + migrationErrors
    + shapeErrors + queryErrors + transitionErrors

  @Test func `every error says what the snapshot says`() throws {
    let entries = Dictionary(grouping: Self.errors, by: Self.declaration)
    let text = entries.sorted { $0.key < $1.key }.map { declaration, errors in
      "# \(declaration)\n\n" + errors.map(Self.entry).joined(separator: "\n")
    }.joined(separator: "\n")
    let file = Self.folder.appending(path: "errors.txt")
    if TestRun.isRecording {
      try Data(text.utf8).write(to: file)
    }
    let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let lines = text.split(separator: "\n")
    let keptLines = kept.split(separator: "\n")
    let difference = lines.difference(from: keptLines).map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
    #expect(difference == [])
    let isSame = kept == text
    #expect(isSame, "the files differ in their empty lines")
  }

  @Test func `the snapshot has every error that the engine declares`() throws {
    let shown = Set(Self.errors.map(Self.declaration)).map { $0.prefix { $0 != "(" } }
    let declared = try Self.declaredErrors()
    #expect(declared.count > 90)
    for name in Set(declared) {
      let overloads = declared.count { $0 == name }
      #expect(shown.count { $0 == name } == overloads, "\(name) is not in the snapshot")
    }
  }

  @Test(arguments: errors)
  func `an error says what could not be done, and what to do`(_ error: StoreError) {
    #expect(error.message.hasPrefix("Could not "))
    #expect(!error.recovery.isEmpty)
    #expect(error.recovery.last == "." || error.recovery.last == "?")
    #expect(error.recovery.first?.isLowercase == false)
  }

  /// The error as the snapshot shows it: code and message, what to do, and the facts.
  private static func entry(_ error: StoreError) -> String {
    "[\(error.code)] \(error.message)\n\(error.recovery)\n(\(facts(error)))\n"
  }

  private static func facts(_ error: StoreError) -> String {
    var facts = Mirror(reflecting: error.context).children.compactMap { name, value -> String? in
      let shown: Any? =
        Mirror(reflecting: value).displayStyle == .optional
        ? Mirror(reflecting: value).children.first?.value : value
      guard let name, let shown else { return nil }
      guard let list = shown as? [Any] else { return "\(name): \(shown)" }
      if list.isEmpty { return nil }
      return list is [ObjectID] ? "\(name): \(list)" : "\(name): \(list.count)"
    }
    if let underlying = error.underlying {
      let code = (underlying as? StoreError).map { " \($0.code)" } ?? ""
      facts.append("underlying: \(type(of: underlying))\(code)")
    }
    return facts.joined(separator: ", ")
  }

  /// The function that makes an error, without the parameters that every one has.
  private static func declaration(_ error: StoreError) -> String {
    "\(error.declaration)".replacing("file:line:", with: "")
  }

  /// The names of the functions in the sources that make an error, once for each overload.
  private static func declaredErrors() throws -> [Substring] {
    let sources = folder.appending(path: "../../../Sources/WhimbrelEngine").standardized
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var names: [Substring] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      let functions = text.matches(of: #/func (\w+)/#)
      for (function, next) in zip(functions, functions.dropFirst().map { $0.range } + [nil]) {
        let body = text[function.range.upperBound..<(next?.lowerBound ?? text.endIndex)]
        if body.contains(#/\bStoreError\((?!\s*Storage)/#) { names.append(function.output.1) }
      }
    }
    return names
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
}
