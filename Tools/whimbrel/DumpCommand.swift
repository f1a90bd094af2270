import ArgumentParser
import WhimbrelInspection

struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Write what is in a store as lines of JSON, a folder for Git, or CSV.",
    discussion: """
      The first line is the schema and what else a store is made of; each other line is an \
      object. The same store gives the same text, and 'whimbrel load' makes the store \
      again from it. Of a selection too: embedded objects come with those that they belong to, \
      and links that lead out of it become nil. Objects that an online migration has not yet \
      converted are written as they were, with their "version"; 'load' refuses these.

      Examples:
        whimbrel dump zones.whimbrel > zones.jsonl
        whimbrel dump zones.whimbrel | tail -n +2 | jq .values.identifier
        whimbrel dump zones.whimbrel 'Zone where latitude > 60' --follow -o north.jsonl
        whimbrel dump zones.whimbrel --folder zones --force && git -C zones diff
        whimbrel dump zones.whimbrel --csv Zone > zones.csv
        diff <(whimbrel dump old.whimbrel) <(whimbrel dump new.whimbrel)
      """)

  @Argument(help: "The file of the store.", completion: .file())
  var store: String

  @Argument(
    help: """
      The objects wanted: a class, and a query behind 'where'; all that any of them selects. \
      Without one all objects are.
      """, completion: .classOfStore)
  var selections: [String] = []

  @Option(
    name: .customLong("without"),
    help: ArgumentHelp("Leave out the objects of a class.", valueName: "class"),
    completion: .classOfStore)
  var excludedClasses: [String] = []

  @Flag(help: "Write the schema and no objects.")
  var schemaOnly = false

  @Flag(help: "Write the objects that those selected link to as well, near or far.")
  var follow = false

  @Flag(help: "Fail where a link leads out of the selection.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "Write a folder with a file for each class, sorted by primary key.", valueName: "path"),
    completion: .directory)
  var folder: String?

  @Option(
    help: ArgumentHelp("Write the objects of one class as CSV.", valueName: "selection"),
    completion: .classOfStore)
  var csv: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write a file, which gets its name when it is whole; '-' is standard output.",
      valueName: "path"),
    completion: .file())
  var output = "-"

  @Flag(help: "Replace the file or the folder if it is there already.")
  var force = false

  @Flag(help: "Write JSON, which a dump always is.")
  var json = false

  func validate() throws {
    if folder != nil, output != "-" || csv != nil {
      throw ValidationError("A folder goes neither with '--output' nor with '--csv'.")
    }
    let isSelected = !selections.isEmpty || !excludedClasses.isEmpty || schemaOnly || follow
    if csv != nil, isSelected || strict || json {
      throw ValidationError("Say what is wanted as CSV with '--csv' alone: '--csv Zone'.")
    }
  }

  func run() throws {
    try GitBlob.leavingNothing(beside: GitBlob.isBlob(store) ? [store] : []) { try dump() }
  }

  private func dump() throws {
    let inspector = try StoreInspector(path: store)
    let asked = try csv.map { try ObjectSelection($0) }
    if !schemaOnly { try writeNotes(inspector, asked) }
    let existing: DumpFile.Existing = force ? .replaced : .refused
    if let folder {
      return try FolderDump(inspector, options(), monitor: Progress.monitor())
        .write(to: folder, replacing: existing)
    }
    let dump = StoreDump(inspector, try options())
    func write(_ body: ([UInt8]) throws -> Void) throws {
      try asked.map { try ObjectTable($0, of: inspector).writeCSV(body) } ?? dump.write(body)
    }
    if output == "-" { return try write(Output.write) }
    // A signal must not end the process before the temporary file is removed.
    Interruption.watch()
    try DumpFile.write(to: output, replacing: existing) { append in
      try write { bytes in
        if Interruption.isRequested {
          throw InspectionError.cancelled(output, "dump the store into")
        }
        try append(bytes)
      }
    }
  }

  /// Says which objects are not yet converted, and what that means for the dump.
  private func writeNotes(_ inspector: StoreInspector, _ rows: ObjectSelection?) throws {
    let asked = try rows.map { [$0] } ?? selections.map { try ObjectSelection($0) }
    var found: [UnconvertedObjects] = []
    for selection in asked {
      let left = try inspector.objectsLeftOut(of: selection)
      Output.note(left, .query(of: selection.className))
      if left.isEmpty, !follow {
        found += try inspector.unconvertedObjects(of: selection.className)
      }
    }
    if asked.isEmpty || follow {
      found = try inspector.unconvertedObjects().filter { !excludedClasses.contains($0.className) }
    }
    Output.note(found, rows == nil ? .lines : .rows)
  }

  private func options() throws -> StoreDump.Options {
    var options = StoreDump.Options()
    options.selections = try selections.map { try ObjectSelection($0) }
    options.excludedClasses = excludedClasses
    options.reach = follow ? .linked : .selected
    options.outgoingLinks = strict ? .refused : .dropped
    options.contents = schemaOnly ? .schemaOnly : .objects
    return options
  }
}
