public import Foundation
internal import WhimbrelEngine

/// A schema to compare with another, or to migrate to. It comes from a store, or from an export
/// that ``SchemaExport/json()`` wrote.
///
/// ```swift
/// let old = try SchemaSource.store(at: "zones.whimbrel")
/// let new = try SchemaSource.export(Data(contentsOf: url), name: "schema.json")
/// for change in SchemaComparison(from: old, to: new).changes { print(change.text) }
/// ```
public struct SchemaSource: Sendable {
  /// The schema.
  public let schema: SchemaExport
  /// The identity of the store, or nil for an export.
  let uuid: UUID?
  /// The classes and properties with their IDs. The IDs are stable only if they come from a store;
  /// those of an export are made up.
  let catalog: Catalog

  /// Reads the schema of a store.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: The same as ``StoreOverview/init(path:)``.
  public static func store(at path: String) throws -> SchemaSource {
    let overview = try StoreOverview(path: path)
    return SchemaSource(
      schema: overview.schema, uuid: overview.uuid, catalog: overview.catalog)
  }

  /// Reads an export. A key that is unknown is an error: it may be misspelt. So are a key that
  /// occurs twice, and a default value that is not a case of its enum. Collections and values of any
  /// type are required, also if the export calls them optional: no model can declare that.
  ///
  /// - Parameters:
  ///   - json: The export.
  ///   - name: The name of the export in errors.
  /// - Throws: ``InspectionError`` with `badSchema` if it is not an export, and `StoreError` with
  ///   `invalidSchema` if no store can have the schema.
  public static func export(_ json: Data, name: String) throws -> SchemaSource {
    let schema: SchemaExport
    do {
      schema = try SchemaExport(json: json, refusesUnknownKeys: true).asModelsDeclareIt
    } catch let error as DecodingError {
      throw InspectionError.badSchema(name, error.reason(in: json))
    } catch {
      throw InspectionError.badSchema(name, "it cannot be read (\(error))")
    }
    // Foundation's decoder takes one of two values.
    if let node = try? JSONParser.parse(Array(json)), let reason = node.repeatedKey() {
      throw InspectionError.badSchema(name, reason)
    }
    try StoreSchema(classes: schema.classes.map(\.schema)).validate()
    for entry in schema.classes {
      for property in entry.properties {
        guard let reason = property.problemOfDefault(in: entry.name) else { continue }
        throw InspectionError.badSchema(name, reason)
      }
    }
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

  /// Reads a file, which is a store or an export. A file whose first character is a brace is an
  /// export.
  ///
  /// - Throws: The errors of ``store(at:)`` and ``export(_:name:)``.
  public static func file(at path: String) throws -> SchemaSource {
    // If the file cannot be read, opening it as a store gives the better error.
    guard let file = FileHandle(forReadingAtPath: path),
      let start = try? file.read(upToCount: 64), DumpSource.isJSON(start),
      let rest = try? file.readToEnd() ?? Data()
    else { return try store(at: path) }
    return try export(start + rest, name: path)
  }

  var declared: StoreSchema {
    StoreSchema(classes: schema.classes.filter(\.isDeclared).map(\.schema))
  }
}

extension SchemaExport {
  /// The schema without optionals that models cannot declare. A person may have written them.
  fileprivate var asModelsDeclareIt: SchemaExport {
    SchemaExport(
      schemaVersion: schemaVersion,
      classes: classes.map { entry in
        ClassExport(
          name: entry.name, isDeclared: entry.isDeclared, isEmbedded: entry.isEmbedded,
          properties: entry.properties.map(\.asModelsDeclareIt), indexes: entry.indexes,
          previousNames: entry.previousNames)
      })
  }
}

extension PropertySchema {
  /// The property, required if it is a collection, which is empty instead of nil, or a value of any
  /// type, which has a nil of its own. The same holds of elements of any type.
  fileprivate var asModelsDeclareIt: PropertySchema {
    var property = self
    if type == .any || type.isCollection { property.isOptional = false }
    if type.elementType?.type == .any {
      switch type {
      case .list: property.type = .list(of: ElementType(.any))
      case .set: property.type = .set(of: ElementType(.any))
      case .map: property.type = .map(of: ElementType(.any))
      default: break
      }
    }
    return property
  }
}

extension PropertySchema {
  /// Returns the problem if the default value is not a case of the enum, as the end of a sentence.
  ///
  /// The store would accept it from a migration, and no app could read it.
  fileprivate func problemOfDefault(in className: String) -> String? {
    guard let cases, case .value(let value) = defaultValue else { return nil }
    let values = if case .list(let elements) = value { elements } else { [value] }
    let texts = values.compactMap { value -> String? in
      switch value {
      case .int(let number): String(number)
      case .string(let text): text
      default: nil
      }
    }
    guard let text = texts.first(where: { !cases.contains($0) }) else { return nil }
    let name = PlainText.quoted("\(className).\(self.name)")
    return "the default value \(PlainText.quoted(text)) of \(name) is not one of its cases: "
      + PlainText.list(cases)
  }
}

extension JSONNode {
  /// Returns the place and the name of a key that an object has twice, as the end of a sentence, or
  /// nil if there is none.
  fileprivate func repeatedKey(in place: String = "") -> String? {
    switch content {
    case .array(let nodes):
      for (index, node) in nodes.enumerated() {
        if let found = node.repeatedKey(in: "\(place)[\(index)]") { return found }
      }
    case .object(let members):
      var names: Set<String> = []
      for member in members {
        guard names.insert(member.name).inserted else {
          let reason = "the key \(PlainText.quoted(member.name)) occurs twice"
          return place.isEmpty ? reason : "in \(PlainText.quoted(place)), \(reason)"
        }
        let inner = place.isEmpty ? member.name : "\(place).\(member.name)"
        if let found = member.value.repeatedKey(in: inner) { return found }
      }
    default: break
    }
    return nil
  }
}

extension SchemaExport.ClassExport {
  /// The class in the form of the engine.
  var schema: ClassSchema {
    ClassSchema(
      name: name, isEmbedded: isEmbedded, properties: properties, indexes: indexes,
      previousNames: previousNames)
  }
}

extension InspectionError.Code {
  /// The file is not an export of a schema.
  public static let badSchema = Self("badSchema")
}

extension InspectionError {
  /// Returns the error for a file that is not an export.
  ///
  /// - Parameter reason: A clause without a full stop.
  package static func badSchema(_ name: String, _ reason: String) -> InspectionError {
    InspectionError(
      .badSchema, "Could not read the schema \(PlainText.quoted(name)): \(reason).",
      "Give a store, or a file that 'whimbrel schema --json' wrote.")
  }
}
