import Testing
import WhimbrelEngine

extension MigrationOracle {
  /// Finds objects by their keys, and what links to them, on both sides.
  static func lookUp(
    in old: MigrationOracle, _ before: MigrationOracle.Objects, _ new: MigrationOracle,
    _ after: MigrationOracle.Objects, _ migration: Migration
  ) throws {
    func count(
      _ objects: MigrationOracle.Objects, _ source: String, _ property: String, _ tag: Int64
    ) -> Int {
      (objects[source] ?? [:]).values.count {
        MigrationOracle.tags($0[property] ?? .null).contains(tag)
      }
    }
    func compare(
      _ oracle: MigrationOracle, _ objects: MigrationOracle.Objects,
      owned: MigrationOracle.Objects,
      _ find: (String, PropertyValue) throws -> DynamicObject?
    ) throws {
      for entry in oracle.classes where entry.properties.contains(where: \.isPrimaryTag) {
        for tag in (objects[entry.name] ?? [:]).keys.sorted().prefix(2) {
          let object = try #require(try find(entry.name, .int(tag)))
          #expect(try object.value("tag") == .int(tag))
          for source in oracle.classes {
            for property in source.properties
            where property.schema.type.linkedClass == entry.name {
              let name = property.schema.name
              let found = try object.linkingObjects(ofType: source.name, property: name).count
              // What belongs to an object that the block deletes is gone at once; what loses its
              // owner by a change of the schema can still be given another.
              #expect(
                found >= count(owned, source.name, name, tag)
                  && found <= count(objects, source.name, name, tag),
                "\(source.name).\(name) → \(tag)")
            }
          }
        }
        #expect(try find(entry.name, .int(100_000)) == nil)
      }
    }
    var owned = after
    new.settle(&owned)
    try compare(old, before, owned: before) {
      try migration.oldObject(ofType: $0, forPrimaryKey: $1)
    }
    try compare(new, after, owned: owned) { try migration.object(ofType: $0, forPrimaryKey: $1) }
  }
}
