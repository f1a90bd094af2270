import ArgumentParser
import Foundation
import WhimbrelInspection
import WhimbrelSampling

struct CoverageCommand: ReportsDifferences {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Show what of a schema sample stores exercise, and what is missing.",
    discussion: """
      A facet is something that objects can show: a property that is nil, the case of an enum, \
      an object that nothing links to. The facets expected of the schema are listed, a check mark \
      before those that some store shows, and then what to add for the others. The schema is that \
      of the store with the greatest schema version, unless a file is given that 'whimbrel schema \
      --json' wrote; older stores count by the names of their classes and properties.

      Examples:
        whimbrel coverage SampleStores/*.whimbrel
        whimbrel coverage samples/*.whimbrel --schema schema.json --at-least 0.9

      The exit code is 1 when less is covered than '--at-least' asks for, and 2 when a store cannot \
      be read.
      """)

  @Argument(help: "The files of the sample stores.", completion: .file())
  var stores: [String]

  @Option(
    help: ArgumentHelp("The schema, as 'whimbrel schema --json' writes it.", valueName: "file"),
    completion: .file())
  var schema: String?

  @Option(help: ArgumentHelp("The share that has to be covered.", valueName: "fraction"))
  var atLeast: Double?

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func validate() throws {
    if let atLeast, !(0...1).contains(atLeast) {
      throw ValidationError("'--at-least' takes a number from 0 to 1, such as 0.9.")
    }
  }

  func run() throws {
    let schema = try schema.map { try SchemaSource.file(at: $0).schema }
    let inspectors = try stores.map { try StoreInspector(path: $0) }
    for inspector in inspectors {
      Output.note(try inspector.unconvertedObjects(), .statistics)
    }
    let coverage = try SchemaCoverage(of: schema, by: inspectors, monitor: Progress.monitor())
    try Output.write(json ? Output.text(coverage.json()) : coverage.text)
    if let atLeast, coverage.fraction < atLeast { throw ExitCode(1) }
  }
}
