import Testing

/// The help of each verb, word for word: a change of it is to be seen in review.
struct HelpTests {
  static let texts: [(verb: String, text: String)] = [
    (
      "",
      """
      OVERVIEW: Look into Whimbrel stores, without the app that wrote them.

      Stores are only read; 'load' makes a new one and touches no other.

      Examples:
        whimbrel info zones.whimbrel
        whimbrel schema zones.whimbrel --json > schema.json
        whimbrel log zones.whimbrel
        whimbrel dump zones.whimbrel | grep '"class":"Zone"'
        whimbrel dump zones.whimbrel | whimbrel load - copy.whimbrel

      The exit code is 0 for success, 1 for failure and 64 for wrong usage.

      USAGE: whimbrel <subcommand>

      OPTIONS:
        --version               Show the version.
        -h, --help              Show help information.

      SUBCOMMANDS:
        info                    Show what a store is: versions, size, classes and history.
        schema                  Show the classes of a store and their properties.
        log                     Show the migrations that a store has been through, newest first.
        dump                    Write everything in a store to standard output, as lines of JSON.
        load                    Make a new store from what 'whimbrel dump' wrote.

        See 'whimbrel help <subcommand>' for detailed help.

      """
    ),
    (
      "info",
      """
      OVERVIEW: Show what a store is: versions, size, classes and history.

      Every page of the file is checked first. 'bytes' are those of a class's objects, keys and indexes,
      in whole pages; 'layouts' are how many forms its records may have.

      Examples:
        whimbrel info zones.whimbrel
        whimbrel info zones.whimbrel --json

      USAGE: whimbrel info <store> [--json]

      ARGUMENTS:
        <store>                 The file of the store.

      OPTIONS:
        --json                  Write JSON instead of text.
        --version               Show the version.
        -h, --help              Show help information.


      """
    ),
    (
      "schema",
      """
      OVERVIEW: Show the classes of a store and their properties.

      A '?' behind a type says that a property may be nil; links, as '<Country>', always may. The JSON is
      the same for the same schema, and meant for version control.

      Examples:
        whimbrel schema zones.whimbrel
        whimbrel schema zones.whimbrel --json > schema.json

      USAGE: whimbrel schema <store> [--json]

      ARGUMENTS:
        <store>                 The file of the store.

      OPTIONS:
        --json                  Write JSON instead of text.
        --version               Show the version.
        -h, --help              Show help information.


      """
    ),
    (
      "log",
      """
      OVERVIEW: Show the migrations that a store has been through, newest first.

      Each has the changes of the schema, and what the migration's code reported.

      Examples:
        whimbrel log zones.whimbrel
        whimbrel log zones.whimbrel --json | jq '.[0].marks'

      USAGE: whimbrel log <store> [--json]

      ARGUMENTS:
        <store>                 The file of the store.

      OPTIONS:
        --json                  Write JSON instead of text.
        --version               Show the version.
        -h, --help              Show help information.


      """
    ),
    (
      "dump",
      """
      OVERVIEW: Write everything in a store to standard output, as lines of JSON.

      The first line is the schema and what else a store is made of; each other line is an object. The
      same store gives the same text, and 'whimbrel load' makes the store again from it.

      Examples:
        whimbrel dump zones.whimbrel > zones.jsonl
        whimbrel dump zones.whimbrel | tail -n +2 | jq .values.identifier
        diff <(whimbrel dump old.whimbrel) <(whimbrel dump new.whimbrel)

      USAGE: whimbrel dump <store> [--json]

      ARGUMENTS:
        <store>                 The file of the store.

      OPTIONS:
        --json                  Write JSON, which a dump always is.
        --version               Show the version.
        -h, --help              Show help information.


      """
    ),
    (
      "load",
      """
      OVERVIEW: Make a new store from what 'whimbrel dump' wrote.

      The store is made under a temporary name and gets its own when it is complete: there is either all
      of it or nothing. A file that is there already is never touched.

      Examples:
        whimbrel load zones.jsonl zones.whimbrel
        whimbrel dump zones.whimbrel | whimbrel load - copy.whimbrel

      USAGE: whimbrel load <dump> <store>

      ARGUMENTS:
        <dump>                  The file to read, or '-' for standard input.
        <store>                 The file to make; there must be none yet.

      OPTIONS:
        --version               Show the version.
        -h, --help              Show help information.


      """
    ),
  ]

  @Test(arguments: texts)
  func `the help says what a verb does`(verb: String, text: String) throws {
    let run = try ToolRun((verb.isEmpty ? [] : [verb]) + ["--help"], in: TestFolder())
    #expect(run.exitCode == 0)
    #expect(run.errors == "")
    #expect(run.output == text)
  }
}
