public import Foundation
internal import WhimbrelEngine

/// The classes of a store and how many objects they have: what `whimbrel ls` shows where no
/// class is named.
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

  /// A class. As JSON it is an object with a member for each property; `primaryKey` is null
  /// if there is none.
  public struct Entry: Hashable, Sendable, Codable {
    /// The name of the class.
    public let name: String
    /// How many objects there are.
    public let objects: Int
    /// How many properties it has.
    public let properties: Int
    /// The name of the primary key, or nil.
    public let primaryKey: String?

    /// Writes the class.
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
  /// The classes of the store and how many objects they have.
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
  /// The list as text for people, with a line break at its end.
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

  /// The list as JSON, an array of ``Entry``: keys are sorted.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(classes) }

  /// The list as comma-separated values, with a line of headings: see
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
