internal import Foundation
internal import WhimbrelEngine

/// A schema as Swift source with the declarations of its models, as `whimbrel schema --swift`
/// writes it. The source compiles.
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
/// A store opened with these models has the original schema. An enum is named after its class and
/// property. A name with another meaning in Swift is in backquotes or replaced: `@Model("Date")
/// final class DateModel`, `@StoredName("link-count") var linkCount: Int`. Comments tell what
/// declarations cannot: that the app's code computes a default value, or that a class is no longer
/// declared.
public struct SwiftModels: Sendable, CustomStringConvertible {
  /// The source text, with a line end.
  public let description: String

  /// Creates the models of a schema.
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
      "// Class \(PlainText.quoted($0.name)) is no longer declared; the store still has its data.\n"
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
