import ArgumentParser
import WhimbrelInspection

/// `whimbrel dump`
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Write everything in a store to standard output, as lines of JSON.",
    discussion: """
      The first line is the schema and what else a store is made of; each other line is an \
      object. The same store gives the same text, and 'whimbrel load' makes the store \
      again from it.

      Examples:
        whimbrel dump zones.whimbrel > zones.jsonl
        whimbrel dump zones.whimbrel | tail -n +2 | jq .values.identifier
        diff <(whimbrel dump old.whimbrel) <(whimbrel dump new.whimbrel)
      """)

  @Argument(help: "The file of the store.", completion: .file())
  var store: String

  @Flag(help: "Write JSON, which a dump always is.")
  var json = false

  func run() throws {
    try StoreDump(StoreInspector(path: store)).write(Output.write)
  }
}
