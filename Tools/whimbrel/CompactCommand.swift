import ArgumentParser
import WhimbrelInspection

struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Rewrite a store with full pages, and show the saved space.",
    discussion: """
      Objects, object IDs, indexes and the catalog keep the same bytes. The new store omits free \
      pages, the remains of an interrupted migration, and the data to undo the last migration. It \
      is checked before it gets its name.

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
    try Output.write(json ? Output.text(summary.json()) : summary.text, goingOn: true)
  }
}
