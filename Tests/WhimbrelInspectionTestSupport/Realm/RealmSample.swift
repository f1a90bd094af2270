package import WhimbrelEngine
package import WhimbrelInspection

/// The classes of ``RealmExports``.
package enum RealmSample {
  package static let country = ClassSchema(
    name: "Country",
    properties: [
      PropertySchema(name: "code", type: .string, isPrimaryKey: true),
      PropertySchema(name: "name", type: .string),
    ])
  package static let station = ClassSchema(
    name: "Station", isEmbedded: true,
    properties: [
      PropertySchema(name: "name", type: .string),
      PropertySchema(name: "height", type: .int, isOptional: true),
    ])
  package static let note = ClassSchema(
    name: "Note",
    properties: [
      PropertySchema(name: "text", type: .string),
      PropertySchema(name: "zone", type: .link(to: "Zone")),
      PropertySchema(name: "next", type: .link(to: "Note")),
    ])
  package static let zone = ClassSchema(
    name: "Zone",
    properties: [
      PropertySchema(name: "identifier", type: .string, isPrimaryKey: true),
      PropertySchema(name: "latitude", type: .double),
      PropertySchema(name: "population", type: .int),
      PropertySchema(name: "country", type: .link(to: "Country")),
      PropertySchema(name: "area", type: .string, isOptional: true),
      PropertySchema(name: "flag", type: .data, isOptional: true),
      PropertySchema(name: "checked", type: .date, isOptional: true),
      PropertySchema(name: "token", type: .uuid, isOptional: true),
      PropertySchema(name: "price", type: .decimal, isOptional: true),
      PropertySchema(name: "oid", type: .objectId, isOptional: true),
      PropertySchema(name: "tags", type: .list(of: ElementType(.string))),
      PropertySchema(name: "neighbours", type: .list(of: ElementType(.link(to: "Zone")))),
      PropertySchema(name: "station", type: .link(to: "Station")),
      PropertySchema(name: "stations", type: .list(of: ElementType(.link(to: "Station")))),
      PropertySchema(name: "mixed", type: .any),
    ])

  package static let schema = SchemaExport(
    schemaVersion: 1,
    classes: [country, station, note, zone].map {
      SchemaExport.ClassExport(
        name: $0.name, isEmbedded: $0.isEmbedded, properties: $0.properties)
    })
}
