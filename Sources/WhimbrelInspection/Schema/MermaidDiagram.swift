internal import WhimbrelEngine

/// A schema as an entity-relationship diagram in the Mermaid language, as `whimbrel schema
/// --mermaid` writes it.
///
/// ```
/// erDiagram
///   Country {
///     string code PK
///     string name
///   }
///   Zone {
///     string identifier PK
///     Country country FK "optional"
///   }
///   Zone }o--o| Country : country
/// ```
///
/// A link leads to one object at most, and a collection to any number. Each embedded object belongs
/// to one owner. Names that Mermaid does not accept are quoted. Names of properties are spelt in
/// ASCII, with the real name beside them.
public struct MermaidDiagram: Sendable, CustomStringConvertible {
  /// The diagram, with a line end.
  public let description: String

  /// Creates the diagram of a schema, including classes that are no longer declared.
  ///
  /// - Complexity: O(*properties*).
  public init(_ schema: SchemaExport) {
    var relations: [String] = []
    var links: [String: Int] = [:]
    for property in schema.classes.flatMap(\.properties) {
      if let target = property.type.linkedClass { links[target, default: 0] += 1 }
    }
    let embedded = Set(schema.classes.filter(\.isEmbedded).map(\.name))
    for entry in schema.classes {
      for property in entry.properties {
        guard let target = property.type.linkedClass else { continue }
        let source =
          embedded.contains(target)
          // If several properties may own an embedded object, only one of them does, so each link
          // is optional.
          ? (links[target] == 1 ? "||" : "|o") : "}o"
        let end = property.type.isCollection ? "o{" : "o|"
        relations.append(
          "  \(Self.entity(entry.name)) \(source)--\(end) \(Self.entity(target)) : "
            + "\(Self.label(property.name))\n")
      }
    }
    description =
      "erDiagram\n" + schema.classes.map(Self.block).joined() + relations.joined()
  }

  private static func block(of entry: SchemaExport.ClassExport) -> String {
    let lines = entry.properties.map { "    \(attribute($0, of: entry))\n" }
    return lines.isEmpty
      ? "  \(entity(entry.name))\n" : "  \(entity(entry.name)) {\n\(lines.joined())  }\n"
  }

  private static func attribute(
    _ property: PropertySchema, of entry: SchemaExport.ClassExport
  ) -> String {
    var keys: [String] = []
    if property.isPrimaryKey { keys.append("PK") }
    if property.type.linkedClass != nil { keys.append("FK") }
    if entry.indexes.contains(IndexSchema([property.name], .unique)) { keys.append("UK") }
    let name = word(property.name)
    var remarks: [String] = []
    if name != property.name { remarks.append(property.name) }
    if property.isOptional { remarks.append("optional") }
    if property.type.elementType?.isOptional == true { remarks.append("of optionals") }
    if let cases = property.cases { remarks.append("one of \(cases.joined(separator: ", "))") }
    var parts = [type(property.type), name]
    if !keys.isEmpty { parts.append(keys.joined(separator: ", ")) }
    if !remarks.isEmpty { parts.append("\"\(quotable(remarks.joined(separator: ", ")))\"") }
    return parts.joined(separator: " ")
  }

  /// Returns a type as one word, which may contain parentheses.
  private static func type(_ type: PropertyType) -> String {
    switch type {
    case .link(let target): word(target)
    case .list(let element): "list(\(self.type(element.type)))"
    case .set(let element): "set(\(self.type(element.type)))"
    case .map(let element): "map(\(self.type(element.type)))"
    default: type.description
    }
  }

  /// Returns a word of ASCII letters, digits and underscores that begins with a letter.
  private static func word(_ name: String) -> String {
    let word = String(name.unicodeScalars.map { isWord($0) ? Character($0) : "_" })
    return word.unicodeScalars.first.map(isLetter) == true ? word : "x" + word
  }

  /// Returns the name of a class, in quotes if Mermaid might read it as a keyword.
  private static func entity(_ name: String) -> String {
    let isPlain =
      name.unicodeScalars.first.map { ("A"..."Z").contains($0) } == true
      && name.unicodeScalars.allSatisfy(isWord) && !reserved.contains(name.lowercased())
    return isPlain ? name : "\"\(quotable(name))\""
  }

  private static func label(_ name: String) -> String {
    name == word(name) && !reserved.contains(name.lowercased()) ? name : "\"\(quotable(name))\""
  }

  /// Returns a text for use in quotes. Mermaid has no escapes there, so special characters become
  /// `_`.
  private static func quotable(_ text: String) -> String {
    let escaped = PlainText.escaped(text)
    return String(escaped.map { "\"%\\".contains($0) ? "_" : $0 })
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    isLetter(scalar) || ("0"..."9").contains(scalar) || scalar == "_"
  }

  private static let reserved: Set<String> = [
    "acctitle", "accdescr", "class", "classdef", "direction", "erdiagram", "many", "one", "only",
    "optionally", "style", "title", "to", "u", "zero",
  ]
}
