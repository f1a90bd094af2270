import ArgumentParser
import Foundation
import WhimbrelInspection
import WhimbrelSampling

struct CoverageCommand: ReportsDifferences {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Show which facets of a schema sample stores cover, and what is missing.",
    discussion: """
      A facet is something that objects can show: a property that is nil, a case of an enum, an \
      object that nothing links to. The tool lists the facets expected of the schema, with a check \
      mark before those that some store shows. Then it suggests what to add for the others. The \
      schema is that of the store with the highest schema version, unless '--schema' names a file \
      that 'whimbrel schema --json' wrote. Older stores count by the names of their classes and \
      properties.

      Examples:
        whimbrel coverage SampleStores/*.whimbrel
        whimbrel coverage samples/*.whimbrel --schema schema.json --at-least 0.9

      The exit code is 1 if the coverage is below '--at-least', and 2 if a store cannot be read.
      """)

  @Argument(help: "The files of the sample stores.", completion: .file())
  var stores: [String]

  @Option(
    help: ArgumentHelp("The schema, as 'whimbrel schema --json' writes it.", valueName: "file"),
    completion: .file())
  var schema: String?

  @Option(help: ArgumentHelp("The share of facets that must be covered.", valueName: "fraction"))
  var atLeast: Double?

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func validate() throws {
    if let atLeast, !(0...1).contains(atLeast) {
      throw ValidationError("'--at-least' must be a number from 0 to 1, such as 0.9.")
    }
  }

  func run() throws {
    let schema = try schema.map { try SchemaSource.file(at: $0).schema }
    let inspectors = try stores.map { try StoreInspector(path: $0) }
    for inspector in inspectors {
      Output.note(try inspector.unconvertedObjects(), .statistics)
    }
    let coverage = try SchemaCoverage(of: schema, by: inspectors, monitor: Progress.monitor())
    try Output.write(json ? Output.text(coverage.json()) : coverage.text, goingOn: true)
    if let atLeast, coverage.fraction < atLeast { throw ExitCode(1) }
  }
}
