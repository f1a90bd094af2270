internal import Foundation
internal import WhimbrelEngine

/// A schema as text for people.
///
/// ```
/// schema version 4
///
/// class Country
///   code  string  primary key
///   name  string
/// ```
public struct SchemaText: Sendable, CustomStringConvertible {
  /// The text, with a line end.
  public let description: String

  /// Creates the text of a schema.
  public init(_ schema: SchemaExport) {
    let classes = schema.classes.map { entry in
      let rows = entry.properties.map { property in
        [PlainText.escaped(property.name), Self.type(of: property), Self.remarks(on: property)]
      }
      let mark = entry.isDeclared ? "" : "  (no longer declared)"
      let kind = entry.isEmbedded ? "embedded class" : "class"
      let head = "\(kind) \(PlainText.escaped(entry.name))\(mark)\n"
      let properties = rows.isEmpty ? "  (no properties)\n" : TextTable(rows, indent: 2).description
      return head + properties
        + entry.indexes.map { "  \(PlainText.escaped($0.description))\n" }.joined()
    }
    description = (["schema version \(schema.schemaVersion)\n"] + classes).joined(separator: "\n")
  }

  private static func type(of property: PropertySchema) -> String {
    let name = PlainText.escaped(property.type.description)
    // Links are always optional, so the mark would say nothing.
    return property.isOptional && property.type.linkTarget == nil ? name + "?" : name
  }

  private static func remarks(on property: PropertySchema) -> String {
    var remarks: [String] = []
    if property.isPrimaryKey { remarks.append("primary key") }
    if property.isIndexed { remarks.append("indexed") }
    switch property.defaultValue {
    case .none: break
    case .generated: remarks.append("default generated")
    case .value(.int(let number)): remarks.append("default \(number)")
    case .value(let value):
      var writer = JSONWriter()
      writer.append(value)
      remarks.append("default \(PlainText.escaped(String(decoding: writer.bytes, as: UTF8.self)))")
    }
    if let cases = property.cases {
      remarks.append("one of \(cases.map(PlainText.escaped).joined(separator: ", "))")
    }
    return remarks.joined(separator: ", ")
  }
}
