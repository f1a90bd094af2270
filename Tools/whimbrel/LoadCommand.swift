public import ArgumentParser
import Foundation
import WhimbrelImport
import WhimbrelInspection

struct LoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract:
      "Create a store from a dump, CSV, JSON or an export of Realm Studio, or merge it into one.",
    discussion: """
      The tool creates the store under a temporary name and renames it when it is complete, so you \
      get the whole store or none. It never changes an existing file unless '--merge' says what to \
      do with objects that are already in it. These are found by their primary keys, and all \
      others are added. A merge is one transaction, and prints a summary.

      For CSV and JSON (lines of objects, or one array) the tool guesses the schema from all rows, \
      unless '--schema' gives it. It chooses the narrowest type that loses nothing, so '00123' \
      stays text. In JSON, an array of scalars becomes a list, and an object becomes embedded. The \
      guess is printed to standard error; '--dry-run' does only that.

      Examples:
        whimbrel load zones.jsonl zones.whimbrel
        whimbrel dump zones.whimbrel | whimbrel load - copy.whimbrel
        whimbrel load zones-in-git zones.whimbrel
        whimbrel load more.jsonl zones.whimbrel --merge update --dry-run
        whimbrel load --from realm export.json app.whimbrel --schema schema.json
        whimbrel load --from csv cities.csv cities.whimbrel --class City --key id
        whimbrel load --from json cities.json cities.whimbrel --class City
        whimbrel load --from csv zones.csv zones.whimbrel --class Zone --merge replace
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case dump, realm, csv, json, jsonl
  }

  @Argument(
    help: ArgumentHelp(
      "The file to read, the folder of a dump, or '-' for standard input.", valueName: "source"),
    completion: .file())
  var source: String

  @Argument(
    help: "The store file. Without '--merge', it must not exist yet.", completion: .file())
  var store: String

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("The format of the source.", valueName: "format"))
  var format = Format.dump

  @Option(
    help: ArgumentHelp(
      "Load into an existing store, and keep, replace or update existing objects, or "
        + "fail.", valueName: "policy"))
  var merge: MergePolicy?

  @Flag(help: "Leave out classes and properties that the store lacks.")
  var ignoreUnknown = false

  @Flag(help: "Show what would be done, and change nothing.")
  var dryRun = false

  @Flag(help: "Write what was done as JSON.")
  var json = false

  @OptionGroup(title: "CSV, JSON and exports of Realm Studio")
  var imports: ImportOptions

  func validate() throws {
    let isPlain = format == .dump && merge == nil
    if isPlain, dryRun || json || ignoreUnknown {
      throw ValidationError(
        "'--dry-run', '--json' and '--ignore-unknown' require '--merge', or '--from' with another "
          + "format than 'dump'.")
    }
    try imports.validate(for: format, isMerge: merge != nil)
  }

  func run() throws {
    let monitor = Progress.monitor()
    if format == .dump, merge == nil {
      try StoreLoad(.named(source), into: store, monitor: monitor).run()
      return
    }
    let summary = try load(monitor)
    for note in summary.notes { ImportOptions.say(note) }
    let text = summary.text(dryRun ? .dryRun : .commit)
    try Output.write(json ? Output.text(summary.json()) : text, goingOn: !dryRun)
  }

  private func load(_ monitor: WorkMonitor) throws -> MergeSummary {
    let mode: MergeMode = dryRun ? .dryRun : .commit
    let unknown: StoreMerge.UnknownNames = ignoreUnknown ? .ignored : .refused
    switch format {
    case .dump:
      return try StoreMerge(
        path: source, into: store, policy: merge ?? .fail, unknown: unknown, mode: mode,
        monitor: monitor
      ).run()
    case .csv: return try loadCSV(merge, unknown, mode, monitor)
    case .json, .jsonl: return try loadJSON(merge, unknown, mode, monitor)
    case .realm:
      return try RealmImport(
        path: source, into: store, imports.realmDestination(merge, source),
        imports.realmOptions(unknown), mode: mode, monitor: monitor
      ).run()
    }
  }
}

// MARK: - Plain text

extension LoadCommand {
  private func loadCSV(
    _ policy: MergePolicy?, _ unknown: StoreMerge.UnknownNames, _ mode: MergeMode,
    _ monitor: WorkMonitor
  ) throws -> MergeSummary {
    let options = imports.csvOptions(unknown)
    let className = imports.className ?? ""
    if let destination = try imports.destination(policy) {
      return try CSVImport(
        path: source, class: className, into: store, destination, options, mode: mode,
        monitor: monitor
      ).run()
    }
    try requireNoStore()
    let file = try ImportFile(path: source, monitor: monitor)
    let guess = try GuessedSchema(
      csv: file, class: className, key: imports.key, options, monitor: monitor)
    ImportOptions.show(guess)
    return try CSVImport(file, guess, into: store, options, mode: mode, monitor: monitor).run()
  }

  private func loadJSON(
    _ policy: MergePolicy?, _ unknown: StoreMerge.UnknownNames, _ mode: MergeMode,
    _ monitor: WorkMonitor
  ) throws -> MergeSummary {
    let className = imports.className ?? ""
    if let destination = try imports.destination(policy) {
      let file = try ImportFile(path: source, monitor: monitor)
      return try JSONImport(
        file, class: className, into: store, destination, unknown: unknown, mode: mode,
        monitor: monitor
      ).run()
    }
    try requireNoStore()
    let file = try ImportFile(path: source, monitor: monitor)
    let guess = try GuessedSchema(json: file, class: className, key: imports.key, monitor: monitor)
    ImportOptions.show(guess)
    return try JSONImport(
      file, class: className, into: store, .newStore(guess.schema), unknown: unknown, mode: mode,
      monitor: monitor
    ).run(guess)
  }

  /// Throws if the store exists, before a long file is read.
  private func requireNoStore() throws {
    if FileManager.default.fileExists(atPath: store) {
      throw InspectionError.fileExists(store, "load objects into")
    }
  }
}

extension MergePolicy: ExpressibleByArgument {}
