public import Foundation
internal import WhimbrelEngine

/// A list of the classes of a store with their numbers of objects, as `whimbrel ls` shows it
/// without arguments.
///
/// ```swift
/// print(try inspector.classList().text())
/// // class    objects  properties  primary key
/// // Country      249           2  code
/// // Zone         312           8  identifier
/// ```
public struct ClassList: Hashable, Sendable {
  /// The classes, sorted by name.
  public let classes: [Entry]

  /// A class. Its JSON is an object with a member for each property; `primaryKey` is null if there
  /// is none.
  public struct Entry: Hashable, Sendable, Codable {
    /// The name of the class.
    public let name: String
    /// The number of objects.
    public let objects: Int
    /// The number of properties.
    public let properties: Int
    /// The name of the primary key, or nil.
    public let primaryKey: String?

    /// Encodes the class.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(objects, forKey: .objects)
      try container.encode(properties, forKey: .properties)
      try container.encode(primaryKey, forKey: .primaryKey)
    }
  }
}

extension StoreInspector {
  /// Returns the classes of the store with their numbers of objects.
  ///
  /// - Complexity: O(*n*) in the number of classes.
  public func classList() throws -> ClassList {
    try explaining {
      ClassList(
        classes: try tables.map { table in
          let properties = table.resolved.properties
          return ClassList.Entry(
            name: table.name, objects: try table.count(), properties: properties.count,
            primaryKey: table.resolved.primaryKeyIndex.map { properties[$0].name })
        })
    }
  }
}

extension ClassList {
  /// Returns the list as text for people, with a line end.
  public func text(styling: TextStyling = .plain) -> String {
    if classes.isEmpty { return "No classes.\n" }
    let rows = classes.map { entry in
      [
        PlainText.escaped(entry.name), String(entry.objects), String(entry.properties),
        entry.primaryKey.map(PlainText.escaped) ?? "none",
      ]
    }
    return TextTable(
      rows, rightAligned: [1, 2], heading: ["class", "objects", "properties", "primary key"],
      styling: styling
    ).description
  }

  /// Returns the list as JSON, an array of ``Entry`` with sorted keys.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(classes) }

  /// Returns the list as comma-separated values with a line of headings. See
  /// ``ObjectTable/writeCSV(_:)``.
  public func csv() -> Data {
    var csv = CSVWriter()
    for heading in ["name", "objects", "properties", "primaryKey"] { csv.append(heading) }
    csv.endRow()
    for entry in classes {
      for field in [entry.name, String(entry.objects), String(entry.properties)] {
        csv.append(field)
      }
      csv.append(entry.primaryKey)
      csv.endRow()
    }
    return Data(csv.bytes)
  }
}
