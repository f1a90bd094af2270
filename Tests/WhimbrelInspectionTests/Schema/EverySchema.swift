import Foundation
import WhimbrelEngine
import WhimbrelInspection

/// A schema with everything that a schema can have: each type, alone, optional and in
/// collections, each kind of default, key and index, enums, links, embedded objects, and names
/// that Swift or Mermaid have to quote.
enum EverySchema {
  static let export = SchemaExport(schemaVersion: 7, classes: classes)
  static let declared: [ClassSchema] = classes.filter(\.isDeclared).map { entry in
    ClassSchema(
      name: entry.name, isEmbedded: entry.isEmbedded, properties: entry.properties,
      indexes: entry.indexes)
  }

  private static let classes: [SchemaExport.ClassExport] = [
    SchemaExport.ClassExport(
      name: "Every", properties: scalars + defaults + collections,
      indexes: [
        IndexSchema(["uuid"], .unique), IndexSchema(["string"], .fullText),
        IndexSchema(["bool", "date"]), IndexSchema(["int8", "int16", "int32"], .unique),
      ]),
    SchemaExport.ClassExport(name: "StoredList", properties: keywords),
    SchemaExport.ClassExport(
      name: "Piece", isEmbedded: true,
      properties: [
        PropertySchema(name: "weight", type: .float),
        PropertySchema(name: "parts", type: .list(of: ElementType(.link(to: "Piece")))),
      ]),
    SchemaExport.ClassExport(
      name: "Größe", properties: [PropertySchema(name: "länge", type: .int, isPrimaryKey: true)]),
    SchemaExport.ClassExport(name: "Empty", properties: []),
    SchemaExport.ClassExport(
      name: "Gone", isDeclared: false, properties: [PropertySchema(name: "x", type: .int)]),
  ]

  private static let scalars: [PropertySchema] =
    [PropertySchema(name: "key", type: .objectId, isPrimaryKey: true)]
    + PropertyType.scalars.map { type in
      PropertySchema(name: "\(type)", type: type, isIndexed: type == .date)
    }
    + PropertyType.scalars.filter { $0 != .any }.map { type in
      PropertySchema(name: "\(type)OrNil", type: type, isOptional: true)
    }
    + [
      PropertySchema(
        name: "area", type: .string, isIndexed: true, cases: ["europe", "Asia", "a b"]),
      PropertySchema(
        name: "level", type: .int16, isOptional: true, defaultValue: .value(.int(-1)),
        cases: ["-1", "0", "300"]),
      PropertySchema(
        name: "word", type: .string, defaultValue: .value("none"),
        cases: ["none", "class", "self", "", "allCases", "1st"]),
      PropertySchema(name: "link", type: .link(to: "Every")),
      PropertySchema(name: "part", type: .link(to: "Piece")),
      PropertySchema(name: "list", type: .link(to: "StoredList"), isIndexed: true),
    ]

  private static let defaults: [PropertySchema] = defaultValues.map { name, type, value in
    PropertySchema(
      name: "default\(name.prefix(1).uppercased())\(name.dropFirst())", type: type,
      defaultValue: value)
  }

  private static let defaultValues: [(String, PropertyType, PropertyDefault)] = [
    ("bool", .bool, .value(.bool(true))), ("int", .int, .value(.int(.min))),
    ("uint32", .uint32, .value(.int(4_294_967_295))), ("float", .float, .value(.float(1.5))),
    ("double", .double, .value(.double(-0.0))), ("infinity", .double, .value(.double(.infinity))),
    ("nan", .float, .value(.float(.nan))),
    ("string", .string, .value("a \"b\" \\(c)\n\u{0}é\u{202E}")),
    ("data", .data, .value(.data(Data([0, 255])))),
    ("date", .date, .value(.date(Date(timeIntervalSinceReferenceDate: 788_918_400.25)))),
    (
      "uuid", .uuid,
      .value(.uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))))
    ),
    ("decimal", .decimal, .value(.decimal(Decimal(string: "12345678901234567890.123456789") ?? 0))),
    ("objectId", .objectId, .value(.objectId(ObjectId("0123456789abcdef01234567") ?? .generate()))),
    ("any", .any, .value(.map(["a": .list([.int(1), .null, .string("x")])]))),
    ("newUUID", .uuid, .generated), ("newID", .objectId, .generated), ("now", .date, .generated),
    ("list", .list(of: ElementType(.int)), .value(.list([.int(1), .int(2)]))),
    ("set", .set(of: ElementType(.string)), .value(.list([.string("a")]))),
    (
      "map", .map(of: ElementType(.double, isOptional: true)),
      .value(.map(["a": .null, "b": .double(2)]))
    ),
  ]

  private static let collectionTypes: [PropertyType] = [
    .list(of: ElementType(.link(to: "Piece"))), .set(of: ElementType(.link(to: "Every"))),
    .map(of: ElementType(.link(to: "StoredList"))), .list(of: ElementType(.any)),
    .set(of: ElementType(.uuid)), .map(of: ElementType(.data, isOptional: true)),
    .list(of: ElementType(.bool, isOptional: true)),
  ]

  private static let collections: [PropertySchema] =
    collectionTypes.enumerated().map { PropertySchema(name: "collection\($0)", type: $1) }
    + [
      PropertySchema(
        name: "areas", type: .list(of: ElementType(.string)), defaultValue: .value(.list(["x"])),
        cases: ["x", "y"])
    ]

  private static let keywords: [PropertySchema] =
    ["class", "default", "Any", "init", "1st", "größe", "protocol", "in"].map {
      PropertySchema(name: $0, type: .int, defaultValue: .value(.int(1)))
    }
    + [PropertySchema(name: "wasOther", type: .string, previousNames: ["other", "older"])]
}
