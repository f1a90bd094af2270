internal import Foundation
internal import WhimbrelEngine

/// A schema as the declarations of its models, which compile: what `whimbrel schema --swift`
/// writes.
///
/// ```swift
/// let models = SwiftModels(try StoreOverview(path: "zones.whimbrel").schema)
/// print(models)
/// ```
///
/// ```swift
/// @Model
/// final class Zone {
///   @PrimaryKey var identifier: String
///   @Indexed var area: ZoneArea
///   var country: Country?
/// }
///
/// enum ZoneArea: String, PersistableEnum {
///   case europe
///   case asia
/// }
/// ```
///
/// A store opened with these models has the schema that they were made of. Enums are called
/// after their class and property, and names that Swift has for something else stand in
/// backquotes, or get another name in Swift: `@Model("Date") final class DateModel`,
/// `@StoredName("link-count") var linkCount: Int`. A comment says what
/// a declaration cannot: that the app's code made a default value, or that a class is no longer
/// declared.
public struct SwiftModels: Sendable, CustomStringConvertible {
  /// The source text, with a line break at its end.
  public let description: String

  /// Makes the models of a schema.
  ///
  /// - Complexity: O(*properties*).
  public init(_ schema: SchemaExport) {
    var names = UniqueNames()
    var classNames: [String: String] = [:]
    for entry in schema.classes {
      classNames[entry.name] = names.take(SwiftName.type(entry.name, suffix: "Model"))
    }
    let types = SwiftType(classNames: classNames)
    var parts: [String] = []
    for entry in schema.classes where entry.isDeclared {
      var model = SwiftModel(entry, types)
      parts.append(model.declaration(&names))
      parts += model.enums.map(\.declaration)
    }
    let body = parts.joined(separator: "\n")
    let gone = schema.classes.filter { !$0.isDeclared }.map {
      "// Class \(PlainText.quoted($0.name)) is no longer declared; its data is still there.\n"
    }
    let usesFoundation = ["Data", "Date", "Decimal", "UUID"].contains { name in
      body.contains(": \(name)") || body.contains("<\(name)") || body.contains(", \(name)")
        || body.contains("\(name)(")
    }
    description =
      "// The models of schema version \(schema.schemaVersion).\n"
      + (usesFoundation ? "import Foundation\n" : "") + "import Whimbrel\n"
      + (gone.isEmpty ? "" : "\n" + gone.joined()) + (body.isEmpty ? "" : "\n" + body)
  }
}
