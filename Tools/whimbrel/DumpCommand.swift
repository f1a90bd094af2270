import ArgumentParser
import WhimbrelInspection

struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Write the contents of a store as lines of JSON, as a folder for Git, or as CSV.",
    discussion: """
      The first line has the schema and everything else that belongs to the store. Each other line \
      is an object. The same store gives the same text, and 'whimbrel load' creates the store from \
      it again. This also holds for a selection: embedded objects are written with their owners, \
      and links out of the selection become nil. Objects that an online migration has not yet \
      converted are written as they are stored, with their "version". 'load' refuses these.

      Examples:
        whimbrel dump zones.whimbrel > zones.jsonl
        whimbrel dump zones.whimbrel Country | tail -n +2 | jq .values.code
        whimbrel dump zones.whimbrel 'Zone where latitude > 60' --follow -o north.jsonl
        whimbrel dump zones.whimbrel --folder zones --force && git -C zones diff
        whimbrel dump zones.whimbrel --csv Zone > zones.csv
        diff <(whimbrel dump old.whimbrel) <(whimbrel dump new.whimbrel)
      """)

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: """
      The objects to write: a class, and optionally a query after 'where'. Several selections are \
      combined. The default is all objects.
      """, completion: .classOfStore)
  var selections: [String] = []

  @Option(
    name: .customLong("without"),
    help: ArgumentHelp("Leave out the objects of a class.", valueName: "class"),
    completion: .classOfStore)
  var excludedClasses: [String] = []

  @Flag(help: "Write the schema and no objects.")
  var schemaOnly = false

  @Flag(help: "Also write all objects that the selected ones link to, directly or indirectly.")
  var follow = false

  @Flag(help: "Fail if a link leads out of the selection.")
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
      "Write a file, which gets its name when it is complete; '-' is standard output.",
      valueName: "path"),
    completion: .file())
  var output = "-"

  @Flag(help: "Replace an existing file or folder.")
  var force = false

  @Flag(help: "Write JSON. A dump is always JSON.")
  var json = false

  func validate() throws {
    if folder != nil, output != "-" || csv != nil {
      throw ValidationError("'--folder' cannot be combined with '--output' or '--csv'.")
    }
    let isSelected = !selections.isEmpty || !excludedClasses.isEmpty || schemaOnly || follow
    if csv != nil, isSelected || strict || json {
      throw ValidationError("Name the objects for CSV with '--csv' alone: '--csv Zone'.")
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
