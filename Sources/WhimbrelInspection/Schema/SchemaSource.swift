public import Foundation
internal import WhimbrelEngine

/// A schema to compare with another, or to migrate to: that of a store, or an export that
/// ``SchemaExport/json()`` wrote.
///
/// ```swift
/// let old = try SchemaSource.store(at: "zones.whimbrel")
/// let new = try SchemaSource.export(Data(contentsOf: url), name: "schema.json")
/// for change in SchemaComparison(from: old, to: new).changes { print(change) }
/// ```
public struct SchemaSource: Sendable {
  /// The schema.
  public let schema: SchemaExport
  /// The identity of the store, or nil for an export.
  let uuid: UUID?
  /// The classes and properties with their stable numbers, which only those of a store mean
  /// something.
  let catalog: Catalog

  /// Reads the schema of a store.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: as ``StoreOverview``.
  public static func store(at path: String) throws -> SchemaSource {
    let overview = try StoreOverview(path: path)
    return SchemaSource(
      schema: overview.schema, uuid: overview.uuid, catalog: overview.catalog)
  }

  /// Reads an export.
  ///
  /// - Parameter name: what the export is called in errors.
  /// - Throws: ``InspectionError`` with `badSchema` when it is no export, and `StoreError` with
  ///   `invalidSchema` when no store can have it.
  public static func export(_ json: Data, name: String) throws -> SchemaSource {
    let schema: SchemaExport
    do {
      schema = try SchemaExport(json: json)
    } catch let error as DecodingError {
      throw InspectionError.badSchema(name, error.reason)
    } catch {
      throw InspectionError.badSchema(name, "it cannot be read (\(error))")
    }
    try StoreSchema(classes: schema.classes.map(\.schema)).validate()
    var catalog = Catalog()
    for (index, entry) in schema.classes.enumerated() {
      let id = ClassID(rawValue: UInt32(index + 1))
      var known = ClassDraft(old: nil, declared: entry.schema, id: id).entry(isRewritten: false)
      known.isDeclared = entry.isDeclared
      catalog.classes.append(known)
      catalog.nextClassID = ClassID(rawValue: id.rawValue + 1)
    }
    return SchemaSource(schema: schema, uuid: nil, catalog: catalog)
  }

  /// Reads the schema of a store, or an export: whichever a file is. It is an export when its
  /// first character is a brace.
  ///
  /// - Throws: what ``store(at:)`` and ``export(_:name:)`` throw.
  public static func file(at path: String) throws -> SchemaSource {
    // What cannot be opened here is for the store to explain.
    guard let file = FileHandle(forReadingAtPath: path),
      let start = try? file.read(upToCount: 64),
      start.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{"),
      let rest = try? file.readToEnd() ?? Data()
    else { return try store(at: path) }
    return try export(start + rest, name: path)
  }

  /// The classes that are declared.
  var declared: StoreSchema {
    StoreSchema(classes: schema.classes.filter(\.isDeclared).map(\.schema))
  }
}

extension SchemaExport.ClassExport {
  /// The class as the engine has it.
  var schema: ClassSchema {
    ClassSchema(
      name: name, isEmbedded: isEmbedded, properties: properties, indexes: indexes,
      previousNames: previousNames)
  }
}

extension InspectionError.Code {
  /// A file is no export of a schema.
  public static let badSchema = Self("badSchema")
}

extension InspectionError {
  /// - Parameter reason: without a full stop.
  package static func badSchema(_ name: String, _ reason: String) -> InspectionError {
    InspectionError(
      .badSchema, "Could not read the schema \(PlainText.quoted(name)): \(reason).",
      "Give a store, or what 'whimbrel schema --json' wrote.")
  }
}
