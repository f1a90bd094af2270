import ArgumentParser
import Foundation
import WhimbrelInspection

/// The class whose objects a command changes.
struct EditedClass: ParsableArguments {
  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("The class of the objects.", valueName: "class"), completion: .classOfStore)
  var name: String
}

/// The options of all commands that change objects of a store.
struct EditOptions: ParsableArguments {
  @Flag(help: "Apply the changes. Without this option, they are only shown.")
  var write = false

  @Option(
    help: "Copy the store to this file before changing it. The file must not exist yet.",
    completion: .file())
  var backup: String?

  @Flag(help: "Write lines of JSON instead of text.")
  var json = false

  func validate() throws {
    if backup != nil, !write { throw ValidationError("'--backup' requires '--write'.") }
  }

  /// Throws for an empty query. It would find all objects, and is often an empty variable of a script.
  static func requireCondition(in query: String?) throws {
    guard let query, query.allSatisfy(\.isWhitespace) else { return }
    throw ValidationError("The query is empty. For all objects, write '--where TRUEPREDICATE'.")
  }

  /// Shows the effect of an operation on each object, and writes it with `--write`.
  func run(
    _ operation: StoreEdit.Operation, in store: String, discardingDamagedValues: Bool = false
  ) throws {
    try run([operation], in: store, discardingDamagedValues: discardingDamagedValues)
  }

  /// Shows the effect of operations on each object, and writes them with `--write`.
  func run(
    _ operations: [StoreEdit.Operation], in store: String, discardingDamagedValues: Bool = false
  ) throws {
    let edit = StoreEdit(
      path: store, operations, discardsDamagedValues: discardingDamagedValues,
      monitor: Progress.monitor())
    let summary = try edit.run(write ? .write(backup: backup) : .preview) { object in
      try Output.write(
        json ? String(decoding: object.json, as: UTF8.self) + "\n" : object.text,
        goingOn: write)
    }
    try Output.write(json ? line(summary) : sentence(summary), goingOn: write)
  }

  private func line(_ summary: StoreEdit.Summary) -> String {
    """
    {"added":\(summary.added),"removed":\(summary.removed),"changed":\(summary.changed),\
    "same":\(summary.same),"written":\(write)}\n
    """
  }

  private func sentence(_ summary: StoreEdit.Summary) -> String {
    let facts = [
      (summary.added, "added", "add"), (summary.removed, "removed", "remove"),
      (summary.changed, "changed", "change"),
    ].filter { $0.0 > 0 }
    if facts.isEmpty { return "Nothing changes.\n" }
    if write {
      return "Done: \(facts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")).\n"
    }
    let sum = facts.map { "\($0.2) \($0.0)" }.joined(separator: ", ")
    return "Would \(sum). Add '--write' to apply the changes.\n"
  }

  /// Reads standard input, which must be UTF-8: other bytes would be stored as other characters.
  static func standardInput() throws -> Data {
    let input = try DumpSource.allOfStandardInput()
    guard String(validating: input, as: UTF8.self) != nil else {
      throw InspectionError.badArgument(
        "standard input", "it is not valid UTF-8", "Convert it to UTF-8, for example with 'iconv'.")
    }
    return input
  }

  /// Returns the values of arguments: texts, one JSON object, or `-` for JSON on standard input.
  static func values(_ arguments: [String]) throws -> StoreEdit.Values {
    guard arguments.count == 1, let only = arguments.first else { return .texts(arguments) }
    if only == "-" {
      return .json(String(decoding: try standardInput(), as: UTF8.self))
    }
    return only.hasPrefix("{") ? .json(only) : .texts([only])
  }
}
