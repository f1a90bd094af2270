import ArgumentParser
import Foundation
import WhimbrelInspection

struct SchemaCommand: ReportsDifferences {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Show the classes of a store and their properties, or how two schemas differ.",
    discussion: """
      A '?' after a type means that a property may be nil. Links such as '<Country>' always may. \
      The JSON is the same for the same schema, and is meant for version control. You can give \
      such a file instead of a store; '-' reads it from standard input. 'whimbrel help \
      schema.json' describes the format.

      For two schemas, the tool shows the changes from the first to the second, and the kind of \
      migration that each change needs. It detects renames in stores of the same origin. The exit \
      code is then 0 if there are no changes, 1 if there are some, and 2 if an error occurred.

      Examples:
        whimbrel schema zones.whimbrel
        whimbrel schema zones.whimbrel --json > schema.json
        whimbrel schema zones.whimbrel --swift > Models.swift
        whimbrel schema schema.json zones.whimbrel
      """)

  @Argument(help: "The store file, or a schema file in JSON.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("The store or the schema to compare it with.", valueName: "other"),
    completion: .file())
  var other: String?

  @Flag(help: "The format. The default is text.")
  var form: Form?

  enum Form: String, EnumerableFlag {
    case json, swift, mermaid

    static func help(for value: Form) -> ArgumentHelp? {
      switch value {
      case .json: "Write JSON."
      case .swift: "Write the declarations of the models."
      case .mermaid: "Write an entity-relationship diagram for Mermaid."
      }
    }
  }

  var reportsDifferences: Bool { other != nil }

  func validate() throws {
    guard let other else { return }
    if form == .swift || form == .mermaid {
      throw ValidationError("Two schemas are compared as text, or with '--json'.")
    }
    if store == "-", other == "-" {
      throw ValidationError("Only one of the two can be standard input.")
    }
  }

  func run() throws {
    let source = try SchemaInput.read(store)
    if let other {
      let comparison = SchemaComparison(from: source, to: try SchemaInput.read(other))
      try Output.write(
        form == .json ? Output.text(comparison.json()) : comparison.description, goingOn: true)
      if !comparison.isEmpty { throw ExitCode(ExitStatus.failure.rawValue) }
      return
    }
    switch form {
    case .none: try Output.write(SchemaText(source.schema).description)
    case .json: try Output.write(Output.text(source.schema.json()))
    case .swift: try Output.write(SwiftModels(source.schema).description)
    case .mermaid: try Output.write(MermaidDiagram(source.schema).description)
    }
  }
}

enum SchemaInput {
  /// Reads a store, or a schema as JSON from a file or, for `-`, from standard input.
  static func read(_ path: String) throws -> SchemaSource {
    guard path == "-" else {
      // The name of a missing file shows which kind was meant.
      if path.hasSuffix(".json"), !FileManager.default.fileExists(atPath: path) {
        throw InspectionError.badSchema(path, "the file does not exist")
      }
      return try SchemaSource.file(at: path)
    }
    let json = try DumpSource.allOfStandardInput()
    return try SchemaSource.export(json, name: "standard input")
  }
}
