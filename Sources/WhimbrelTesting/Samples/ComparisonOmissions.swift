internal import Foundation
internal import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelInspection

/// The differences that are allowed between two stores that reached the same version in
/// different ways.
struct ComparisonOmissions {
  /// The names of the properties to ignore, such as `Zone.comments`.
  private var properties: Set<String>
  /// The classes whose objects are only counted, because each migration generates new
  /// primary keys for them.
  private var countedClasses: Set<String> = []

  /// - Parameters:
  ///   - old: The store before its migration.
  ///   - configuration: The configuration it is migrated to.
  ///   - properties: The properties that the test names.
  init(
    from old: URL, _ configuration: Store.Configuration, _ properties: [String]
  ) throws {
    self.properties = Set(properties)
    // A copy is opened because opening the original would leave a lock file beside it.
    let copy = try TemporaryStoreFile(copying: old)
    let before = try Session(StoreFile.attach(OpenRequest(path: copy.url.path))).loaded.catalog
      .schema
    let schemas = configuration.models.map { $0._$schema }
    for schema in schemas {
      if let key = schema.classSchema.primaryKey?.name,
        self.properties.remove("\(schema.name).\(key)") != nil
      {
        countedClasses.insert(schema.name)
      }
      let classNames = [schema.name] + schema.classSchema.previousNames
      let old = classNames.lazy.compactMap { before[$0] }.first
      for name in schema.generators.keys {
        let names = [name] + (schema.classSchema[name]?.previousNames ?? [])
        if names.contains(where: { old?[$0] != nil }) { continue }
        if schema.classSchema.primaryKey?.name == name {
          countedClasses.insert(schema.name)
        } else {
          self.properties.insert("\(schema.name).\(name)")
        }
      }
    }
    for schema in schemas {
      for property in schema.classSchema.properties {
        guard let target = property.type.linkedClass, countedClasses.contains(target) else {
          continue
        }
        self.properties.insert("\(schema.name).\(property.name)")
      }
    }
  }

  /// Returns the first objects that differ, as text for people.
  ///
  /// - Throws: `StoreError` if neither store has one of the properties.
  func differences(from old: URL, to new: URL, limit: Int = 10) throws -> [String] {
    let (before, after) = (
      try StoreInspector(path: old.path), try StoreInspector(path: new.path)
    )
    let diff = try StoreDiff(
      from: before, to: after,
      StoreDiff.Options(ignoredProperties: properties.sorted()))
    var lines = diff.schemaChanges.map(\.description)
    for counts in try diff.classCounts() where counts.different > 0 {
      if countedClasses.contains(counts.name) { continue }
      try diff.forEachDifference(of: counts) { object in
        lines.append(object.text)
        return lines.count < limit
      }
    }
    lines += try Self.counts(before, after, of: countedClasses)
    return Array(lines.prefix(limit))
  }

  private static func counts(
    _ before: StoreInspector, _ after: StoreInspector, of classes: Set<String>
  ) throws -> [String] {
    func counts(_ inspector: StoreInspector) throws -> [String: Int] {
      let classes = try inspector.description().classes
      return Dictionary(keepingFirst: classes.map { ($0.name, $0.objects) })
    }
    let (old, new) = (try counts(before), try counts(after))
    return classes.sorted().compactMap { name in
      let (left, right) = (old[name] ?? 0, new[name] ?? 0)
      if left == right { return nil }
      return [("-", left), ("+", right)]
        .map { "\($0) \(StoreError.count($1, "object")) of '\(name)'" }.joined(separator: "\n")
    }
  }
}
