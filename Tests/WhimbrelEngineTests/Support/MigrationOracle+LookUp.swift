import Testing
import WhimbrelEngine

extension MigrationOracle {
  /// Finds objects by their keys, and what links to them, on both sides.
  ///
  /// - Parameters:
  ///   - left: the new objects that are left when no code runs.
  ///   - after: what the block makes of the new objects, those included that go at its end.
  static func lookUp(
    in old: MigrationOracle, _ before: Objects, _ new: MigrationOracle, left: Objects,
    _ after: Objects, _ migration: Migration
  ) throws {
    try compare(old, before) { try migration.oldObject(ofType: $0, forPrimaryKey: $1) }
    try compare(new, new.visible(of: after, left: left)) {
      try migration.object(ofType: $0, forPrimaryKey: $1)
    }
  }

  /// The new objects that the block sees at its end.
  ///
  /// What belongs to an object that the block deletes is gone at once; what loses its owner by
  /// a change of the schema can still be given another.
  private func visible(of after: Objects, left: Objects) -> Objects {
    var owned = after
    removeOrphans(&owned)
    return after.reduce(into: [:]) { visible, item in
      let (name, objects) = item
      visible[name] = objects.filter { tag, _ in
        owned[name]?[tag] != nil || left[name]?[tag] == nil
      }
    }
  }

  private static func compare(
    _ oracle: MigrationOracle, _ objects: Objects,
    _ find: (String, PropertyValue) throws -> DynamicObject?
  ) throws {
    for entry in oracle.classes where entry.properties.contains(where: \.isPrimaryTag) {
      for tag in (objects[entry.name] ?? [:]).keys.sorted().prefix(2) {
        let object = try #require(try find(entry.name, .int(tag)))
        #expect(try object.value("tag") == .int(tag))
        for source in oracle.classes {
          for property in source.properties where property.schema.type.linkedClass == entry.name {
            let name = property.schema.name
            let linking = (objects[source.name] ?? [:]).values.count {
              tags($0[name] ?? .null).contains(tag)
            }
            #expect(
              try object.linkingObjects(ofType: source.name, property: name).count == linking,
              "\(source.name).\(name) → \(tag)")
          }
        }
      }
      #expect(try find(entry.name, .int(100_000)) == nil)
    }
  }
}
