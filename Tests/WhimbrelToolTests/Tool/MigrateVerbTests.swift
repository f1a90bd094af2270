import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// `whimbrel migrate`.
struct MigrateVerbTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try makeStore(at: folder.path("a.whimbrel"), [Self.city]) { session in
      let table = try session.table("City")
      for name in ["Bern", "Genf"] {
        _ = try table.create(["name": .string(name), "size": .int(7)], replacing: false)
      }
    }
  }

  private static let city = ClassSchema(
    name: "City",
    properties: [
      PropertySchema(name: "name", type: .string, isPrimaryKey: true),
      PropertySchema(name: "size", type: .int),
    ])

  private func write(_ properties: String, version: Int = 2) throws {
    let text = """
      {"schemaVersion": \(version), "classes": [{"name": "City", "properties": [
        {"name": "name", "type": "string", "primaryKey": true}\(properties)]}]}
      """
    try Data(text.utf8).write(to: folder.url.appending(path: "schema.json"))
  }

  private func migrate(_ arguments: String..., exitCode: Int32 = 0) throws -> ToolRun {
    let run = try ToolRun(["migrate", "a.whimbrel", "schema.json"] + arguments, in: folder)
    #expect(run.exitCode == exitCode, "\(run.errors)")
    return run
  }

  @Test func `what needs no code is shown, and done on request`() throws {
    try write(
      #", {"name": "population", "type": "double", "previousNames": ["size"]}, "#
        + #"{"name": "note", "type": "string", "optional": true}"#)
    let before = folder.contents("a.whimbrel")
    let shown = try migrate()
    #expect(shown.output.contains("'City.note' has been added"))
    #expect(shown.output.hasSuffix("Nothing was changed. Add '--write' to migrate the store.\n"))
    #expect(folder.contents("a.whimbrel") == before)
    let done = try migrate("--write", "--backup", "before.whimbrel")
    #expect(done.output.hasSuffix("Done: the store is at version 2.\n"))
    let inspector = try StoreInspector(path: folder.path("a.whimbrel"))
    #expect(inspector.schema.schemaVersion == 2)
    #expect(
      try ToolRun(["ls", "a.whimbrel", "City", "--csv"], in: folder).output
        == "name,population,note\nBern,7.0,\nGenf,7.0,\n")
    #expect(try StoreCheck(path: folder.path("a.whimbrel")).run().isSound)
    #expect(
      try StoreInspector(path: folder.path("before.whimbrel")).schema.schemaVersion == 1)
    #expect(try migrate("--write").output.hasPrefix("Nothing to do"))
  }

  /// The closed pipe ended the tool before the migration, with the exit code of success.
  @Test func `the store is migrated if the reader of the plan closes the pipe`() throws {
    try write(#", {"name": "note", "type": "string", "optional": true}"#)
    let command = "\"$whimbrel\" migrate a.whimbrel schema.json --allow-loss --write"
    let result = try shell(
      "{ sleep 0.3; \(command); echo $? > code; } | true; cat code", in: folder)
    #expect(result.output == "0\n")
    #expect(try folder.run("schema", "a.whimbrel").contains("schema version 2"))
  }

  /// The exit code was 1, as after a failure, and the hint was to open the store.
  @Test func `a migration that the user stops ends as every stopped command does`() throws {
    try write(#", {"name": "size", "type": "double"}"#)
    // The pipe is full, so the tool waits with its plan, before the migration, until it is stopped.
    // On a busy machine, the signal may arrive before the tool handles it.
    var output = ""
    for delay in [0.5, 2, 8, 30] where !output.hasPrefix("130") {
      output = try shell(
        """
        rm -f stopped
        { head -c 65536 /dev/zero
          "$whimbrel" migrate a.whimbrel schema.json --write 2> errors & pid=$!
          sleep \(delay); kill -TERM $pid; touch stopped; wait $pid; echo $? > code
        } | { until [ -e stopped ]; do sleep 0.1; done; cat > /dev/null; }
        cat code errors
        """, in: folder
      ).output
    }
    #expect(output.hasPrefix("130\nError: "), "\(output)")
    #expect(output.hasSuffix("Run the command again to start over. The store is unchanged.\n"))
    #expect(try folder.run("schema", "a.whimbrel").contains("schema version 1"))
  }

  @Test func `a class is renamed where the schema says its earlier name`() throws {
    let text = """
      {"schemaVersion": 2, "classes": [{"name": "Town", "previousNames": ["Village", "City"],
        "properties": [{"name": "name", "type": "string", "primaryKey": true},
          {"name": "size", "type": "int"}, {"name": "twin", "type": "<Town>"}]}]}
      """
    try Data(text.utf8).write(to: folder.url.appending(path: "schema.json"))
    #expect(try migrate().output.contains("'City' has been renamed to 'Town'"))
    let diff = try ToolRun(["schema", "a.whimbrel", "schema.json"], in: folder)
    #expect(diff.output.contains("'City' has been renamed to 'Town'"), "\(diff.errors)")
    _ = try migrate("--write")
    #expect(
      try ToolRun(["ls", "a.whimbrel", "Town", "--csv"], in: folder).output
        == "name,size,twin\nBern,7,\nGenf,7,\n")
    #expect(try StoreCheck(path: folder.path("a.whimbrel")).run().isSound)
    #expect(try migrate("--write").output.hasPrefix("Nothing to do"))
    // The file of a schema says the names again.
    #expect(
      try ToolRun(["schema", "schema.json", "--json"], in: folder).output.contains("previousNames"))
  }

  @Test func `another store of the same app tells what was renamed`() throws {
    try FileManager.default.copyItem(
      atPath: folder.path("a.whimbrel"), toPath: folder.path("b.whimbrel"))
    let town = ClassSchema(
      name: "Town", properties: Self.city.properties, previousNames: ["City"])
    try migrateStore(at: folder.path("b.whimbrel"), [town], version: 2) { _, _ in }
    let run = try ToolRun(["migrate", "a.whimbrel", "b.whimbrel", "--write"], in: folder)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try ToolRun(["diff", "a.whimbrel", "b.whimbrel"], in: folder).output == "")
  }

  @Test func `what needs code is listed and refused`() throws {
    try write(#", {"name": "size", "type": "date"}, {"name": "more", "type": "int"}"#)
    let before = try dump(folder.path("a.whimbrel"))
    for arguments in [[], ["--write"]] {
      let run = try ToolRun(
        ["migrate", "a.whimbrel", "schema.json"] + arguments, in: folder)
      #expect(run.exitCode == 1)
      #expect(
        run.errors.hasPrefix("Error: Could not migrate the store 'a.whimbrel' without code:\n  - "))
      #expect(run.errors.contains("'City.more' has been added."))
      #expect(run.errors.contains("'City.size'"))
      #expect(run.errors.hasSuffix("Nothing was changed.\n"))
    }
    #expect(try dump(folder.path("a.whimbrel")) == before)
  }

  // The error said that the changes need code and told to make them in the app, although '--to-version' makes
  // them possible.
  @Test(arguments: [0, 1])
  func `a schema whose version is not raised is told to raise it`(version: Int) throws {
    try write("", version: version)
    let run = try migrate("--write", "--allow-loss", exitCode: 1)
    #expect(
      run.errors.hasPrefix(
        "Error: Could not migrate the store 'a.whimbrel' without a higher version:\n  - "))
    #expect(
      run.errors.hasSuffix(
        "\nHint: Raise the version above 1: in the schema, or with '--to-version'. "
          + "Nothing was changed.\n"))
    _ = try migrate("--write", "--allow-loss", "--to-version", "2")
  }

  @Test func `data in the way is named`() throws {
    try write(#", {"name": "size", "type": "int"}"#, version: 2)
    let text = try String(contentsOfFile: folder.path("schema.json"), encoding: .utf8)
      .replacing(#""primaryKey": true}"#, with: "}")
      .replacing(#""type": "int""#, with: #""type": "int", "primaryKey": true"#)
    try Data(text.utf8).write(to: folder.url.appending(path: "schema.json"))
    let run = try migrate("--write", exitCode: 1)
    #expect(run.errors.contains("without code"))
    #expect(run.errors.contains("7"))
  }

  @Test func `data is deleted only when that is allowed`() throws {
    try write("")
    let refused = try migrate("--write", exitCode: 1)
    #expect(
      refused.errors == """
        Error: Could not migrate the store 'a.whimbrel' without loss:
          - Property 'City.size' has been removed.
        Hint: Use '--allow-loss' to delete that data. Nothing was changed.

        """)
    _ = try migrate("--write", "--allow-loss")
    #expect(
      try ToolRun(["ls", "a.whimbrel", "City", "--csv"], in: folder).output == "name\nBern\nGenf\n")
  }

  /// An app migrated the store after the plan was made. The migration deleted the new property.
  @Test func `data that an app adds after the plan is deleted only when that is allowed`() throws {
    try write(
      #", {"name": "size", "type": "int"}, {"name": "code", "type": "int", "optional": true}"#,
      version: 3)
    let path = folder.path("a.whimbrel")
    let migration = try SchemaMigration(
      ofStoreAt: path, to: .file(at: folder.path("schema.json")))
    try migration.requirePossible()
    let note = PropertySchema(name: "note", type: .string, isOptional: true)
    let newer = ClassSchema(name: "City", properties: Self.city.properties + [note])
    try makeStore(at: path, [newer], version: 2) { session in
      _ = try session.table("City").create(
        ["name": .string("Chur"), "size": .int(7), "note": .string("old")], replacing: false)
    }
    let error = #expect(throws: InspectionError.self) { try migration.run() }
    #expect(error?.code == .deletesData)
    #expect(error?.message.contains("'City.note' has been removed") == true)
    #expect(try StoreInspector(path: path).schema.schemaVersion == 2)
    try migration.run(.allowed)
    #expect(try StoreInspector(path: path).schema.schemaVersion == 3)
  }

  /// The copy stayed after a migration that failed or was cancelled. The same command then failed,
  /// because a file with the name of the backup existed.
  @Test func `a migration that fails leaves no backup`() throws {
    let text = """
      {"schemaVersion": 2, "classes": [{"name": "City", "properties": [
        {"name": "name", "type": "string", "primaryKey": true}, {"name": "size", "type": "int"}],
        "indexes": [{"kind": "unique", "properties": ["size"]}]}]}
      """
    try Data(text.utf8).write(to: folder.url.appending(path: "schema.json"))
    let (path, backup) = (folder.path("a.whimbrel"), folder.path("before.whimbrel"))
    _ = try folder.run("set", "a.whimbrel", "City", "Genf", "size=8", "--write")
    let migration = try SchemaMigration(
      ofStoreAt: path, to: .file(at: folder.path("schema.json")))
    try migration.requirePossible()
    // The values are no longer unique. The migration finds that out after the backup.
    _ = try folder.run("set", "a.whimbrel", "City", "Genf", "size=7", "--write")
    let before = try dump(path)
    let error = #expect(throws: StoreError.self) { try migration.run(backup: backup) }
    #expect(error?.code == .migrationDuplicateKeys)
    #expect(try dump(path) == before)
    #expect(try !folder.names().contains { $0.hasPrefix("before.") })
    _ = try folder.run("set", "a.whimbrel", "City", "Genf", "size=8", "--write")
    _ = try migrate("--write", "--backup", "before.whimbrel")
    #expect(try StoreInspector(path: backup).schema.schemaVersion == 1)
  }

  @Test func `a version that is not higher is refused`() throws {
    try write("", version: 1)
    let run = try migrate("--write", "--allow-loss", exitCode: 1)
    #expect(run.errors.contains("It needs a schema version higher than 1."))
    _ = try migrate("--write", "--allow-loss", "--to-version", "2")
    _ = try ToolRun(["migrate", "a.whimbrel", "schema.json"], in: folder)
    let older = try migrate("--write", exitCode: 1)
    #expect(older.errors.contains("The store has schema version 2, but the schema has version 1."))
  }
}
