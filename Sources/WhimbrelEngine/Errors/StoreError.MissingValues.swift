extension StoreError {
  /// Objects of a class that have no value for a property that is required.
  package struct MissingValues: Hashable, Sendable, CustomStringConvertible {
    package var className: String
    package var propertyName: String
    /// The first of the objects.
    package var objects: [ObjectID]
    /// How many objects there are, or nil when they were not counted.
    package var count: Int?
    /// The primary key of the first.
    package var primaryKey: PropertyValue?
    /// Whether the objects have nil: else it is the property that they do not have, or
    /// another type.
    package var isNil: Bool

    package init(
      class className: String, property: String, objects: [ObjectID], count: Int?,
      primaryKey: PropertyValue?, isNil: Bool
    ) {
      self.className = className
      propertyName = property
      self.objects = objects
      self.count = count
      self.primaryKey = primaryKey
      self.isNil = isNil
    }

    /// The objects, and what they lack.
    package var description: String {
      let subject = Sentence.quoted(className + "." + propertyName)
      let what = isNil ? "is nil" : "is not set"
      let first = objects.first.map { Sentence.object($0, primaryKey) } ?? "no object"
      guard let count, count > 1 else { return "\(subject) \(what) in \(first)." }
      return "\(subject) \(what) in \(count) objects, starting with \(first)."
    }
  }

  /// Objects have no value for properties that are required, at the end of a migration.
  ///
  /// - Parameter missing: one property or more.
  package static func migrationValuesMissing(
    path: String, _ missing: [MissingValues], from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, objectsRead: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    if missing.count == 1, let only = missing.first, let id = only.objects.first {
      if only.isNil {
        return migrationNil(
          class: only.className, property: only.propertyName, count: only.count ?? 1,
          first: only.objects, from: oldVersion, to: newVersion, file: file, line: line)
      }
      return migrationUnset(
        class: only.className, property: only.propertyName, objectID: id,
        primaryKey: only.primaryKey, from: oldVersion, to: newVersion, objectsRead: objectsRead,
        file: file, line: line)
    }
    let first = missing.first
    return StoreError(
      missing.allSatisfy(\.isNil) ? .migrationNil : .migrationUnset,
      .migrationValuesMissing(path: path, missing, from: oldVersion, to: newVersion),
      Context(
        path: path, class: first?.className, property: first?.propertyName,
        objectID: first?.objects.first, primaryKey: first?.primaryKey, stored: oldVersion,
        declared: newVersion
      ).with(\.problems, missing.map(\.description)),
      file: file, line: line)
  }
}
