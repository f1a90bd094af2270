import Foundation
import WhimbrelEngine

/// Zones and countries with collections of every kind.
enum DynamicTestSchema {
  static let country = ClassSchema(
    "Country", .key("code", .string), .required("name", .string, default: ""),
    .required("zones", .list(of: ElementType(.link(to: "Zone")))),
    .required("partners", .set(of: ElementType(.link(to: "Country")))),
    .required("capitals", .map(of: ElementType(.link(to: "Zone")))))

  static let zone = ClassSchema(
    "Zone", .required("name", .string, default: ""), .link("country", to: "Country"),
    .required("aliases", .list(of: ElementType(.string))),
    .required("offsets", .list(of: ElementType(.int16, isOptional: true))),
    .required("tags", .set(of: ElementType(.string))),
    .required("names", .map(of: ElementType(.string))), .required("note", .any),
    .optional("price", .decimal), .optional("token", .objectId))

  static let classes = [country, zone]

  /// A store of a country and two zones.
  static func store() throws -> TestStore {
    try TestStore(classes) { session in
      try session.create("Country", ["code": "AD", "name": "Andorra"])
      try session.create("Zone", ["name": "Europe/Andorra"])
      try session.create("Zone", ["name": "Europe/Madrid"])
    }
  }
}

extension Session {
  /// The objects of a class, by name.
  func dynamic(_ className: String, _ id: UInt64) throws -> DynamicObject {
    try StoredObjects(self, className).object(ObjectID(rawValue: id))
  }
}
