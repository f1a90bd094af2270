import ArgumentParser
import WhimbrelInspection

/// `whimbrel load`
struct LoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Make a new store from what 'whimbrel dump' wrote.",
    discussion: """
      The store is made under a temporary name and gets its own when it is complete: there is \
      either all of it or nothing. A file that is there already is never touched.

      Examples:
        whimbrel load zones.jsonl zones.whimbrel
        whimbrel dump zones.whimbrel | whimbrel load - copy.whimbrel
      """)

  @Argument(
    help: ArgumentHelp("The file to read, or '-' for standard input.", valueName: "dump"),
    completion: .file())
  var dump: String

  @Argument(help: "The file to make; there must be none yet.", completion: .file())
  var store: String

  func run() throws {
    try StoreLoad(.named(dump), into: store, monitor: Progress.monitor()).run()
  }
}
