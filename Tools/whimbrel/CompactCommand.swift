import ArgumentParser
import WhimbrelInspection

struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Write a store anew with full pages, and say what was gained.",
    discussion: """
      Objects, object IDs, indexes and the catalog stay the same bytes. Free pages, what an \
      interrupted migration left and what is kept to undo the last migration stay behind. The new \
      store is checked before it gets its name.

      Examples:
        whimbrel compact zones.whimbrel small.whimbrel
        whimbrel compact zones.whimbrel --in-place
      """)

  @OptionGroup var options: OutputOptions

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func run() throws {
    let compaction = StoreCompaction(of: try StoreInspector(path: options.store))
    let summary = try compaction.run(to: options.destination, monitor: Progress.monitor())
    try Output.write(json ? Output.text(summary.json()) : summary.text)
  }
}
