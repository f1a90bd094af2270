import Foundation
import WhimbrelEngine
import WhimbrelInspection

/// A diff driver of git. Git passes a path, and a file, a hash and a mode for the old and the new
/// side; `/dev/null` stands for a missing side.
struct GitDiff {
  private static let nothing = "/dev/null"

  private let path: String
  private let old: String
  private let new: String

  /// - Parameter arguments: seven arguments from git, or nine for a renamed file, or only the path
  ///   for a file that is not merged.
  init(_ arguments: [String]) {
    path = arguments.first ?? ""
    old = arguments.count >= 7 ? arguments[1] : Self.nothing
    new = arguments.count >= 7 ? arguments[4] : Self.nothing
  }

  /// Shows the differences. For a file that is not a store it prints the reason and does not fail,
  /// because git would stop at an error.
  ///
  /// - Parameter show: shows the differences between two files.
  func run(_ show: (_ old: String, _ new: String) throws -> Bool) throws {
    try GitBlob.leavingNothing(beside: [old, new].filter { $0 != path }) { try compare(show) }
  }

  private func compare(_ show: (_ old: String, _ new: String) throws -> Bool) throws {
    try Output.write("whimbrel diff \(PlainText.escaped(path))\n")
    do {
      switch (old == Self.nothing, new == Self.nothing) {
      case (true, true): try Output.write("The file is not merged.\n")
      case (true, false): try describe("New store", new)
      case (false, true): try describe("Deleted store", old)
      case (false, false): _ = try show(old, new)
      }
    } catch let error as StoreError {
      try Output.write(PlainText.escaped(error.message) + "\n")
    }
  }

  private func describe(_ what: String, _ file: String) throws {
    let description = try StoreInspector(path: file).description()
    let classes = description.classes.map { "\($0.objects) \(PlainText.escaped($0.name))" }
    try Output.write("\(what): \(classes.joined(separator: ", "))\n")
  }
}
