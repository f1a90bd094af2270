internal import Foundation
public import WhimbrelEngine
public import WhimbrelInspection

/// A schema that is guessed from all rows of CSV or all objects of JSON.
///
/// ```swift
/// let file = try ImportFile(path: "cities.csv")
/// let guess = try GuessedSchema(csv: file, class: "City", key: "id")
/// print(guess.text)
/// ```
///
/// The type of a property is the narrowest one that loses nothing: `int`, `double`, `bool`, `date`
/// (ISO 8601: a day, or a time in UTC), `uuid`, else `string`. So `00123` stays text. Whole numbers
/// of more than 64 bits, numbers with more digits than a `double` holds, and times with an offset
/// stay text too. A property is optional when a value is missing.
///
/// In JSON, numbers that a `double` cannot hold are `decimal` if they have up to 38 digits. An
/// array of scalars is a list. An object is an embedded object, in a class named after the property
/// (`CityMayor`); an array of objects is a list of these. Objects with more than 100 different
/// names, or none, are maps. Arrays of arrays and values of several kinds are `any`, which keeps
/// each as it is. Links are never guessed.
public struct GuessedSchema: Sendable {
  /// The schema, of version 1.
  public let schema: SchemaExport
  /// The number of rows or objects that were read.
  public let rows: Int
  /// The guessed properties, class by class.
  public let properties: [Property]
  /// Further notes for people, one sentence each.
  public let notes: [String]
  let className: String
  /// The properties of columns or members that have other names, by class.
  let names: [String: [String: String]]

  /// The guess about one property.
  public struct Property: Hashable, Sendable {
    /// The name of the class.
    public let className: String
    /// The property as the schema declares it.
    public let property: PropertySchema
    /// The number of rows without a value.
    public let missing: Int
    /// The reason for the type, or nil if it is obvious.
    public let reason: String?
  }
}

extension GuessedSchema {
  /// A table of the guesses for people, with a line break at its end.
  public var text: String {
    let rows = properties.map { entry in
      let property = entry.property
      let isOptional = property.isOptional && property.type.linkTarget == nil
      return [
        PlainText.escaped("\(entry.className).\(property.name)"),
        PlainText.escaped("\(property.type)\(isOptional ? "?" : "")")
          + (property.isPrimaryKey ? ", primary key" : ""),
        String(entry.missing), entry.reason.map(PlainText.escaped) ?? "",
      ]
    }
    return TextTable(
      rows, rightAligned: [2], heading: ["property", "type", "missing", "because"]
    ).description
  }

  /// Returns a property as the primary key.
  ///
  /// - Throws: ``InspectionError`` with `badArgument` when it cannot be one.
  static func keyed(
    _ property: PropertySchema, missing: Int, source: String
  ) throws -> PropertySchema {
    var property = property
    let name = PlainText.quoted(property.name)
    if missing > 0 {
      throw InspectionError.badArgument(
        property.name,
        "\(name) has no value in \(StoreError.count(missing, "row")) of "
          + PlainText.quoted(source),
        "Choose a property that has a value in every row.")
    }
    if !property.type.canBePrimaryKey {
      throw InspectionError.badArgument(
        property.name, "the type of \(name) is '\(property.type)', which cannot be a primary key",
        "Choose a property that holds whole numbers, strings or UUIDs.")
    }
    property.isPrimaryKey = true
    property.isOptional = false
    return property
  }

  static func unknownKey(_ key: String, _ names: [String], _ source: String) -> InspectionError {
    let close = Spelling.closest(to: key, among: names).map {
      "Did you mean \(PlainText.quoted($0))?"
    }
    return InspectionError.badArgument(
      key, "\(PlainText.quoted(source)) has no such column or member",
      close ?? "The names are \(PlainText.list(names)).")
  }
}

/// A file to import. Standard input is copied first, so that it can be read several times.
public struct ImportFile {
  let input: RepeatableInput

  /// Opens a file.
  ///
  /// - Parameter path: The file, or `-` for standard input.
  /// - Throws: ``InspectionError`` with `cannotRead`, `cannotWrite` or `cancelled`.
  public init(path: String, monitor: WorkMonitor = .silent) throws {
    input = try RepeatableInput(path: path, monitor)
  }
}
