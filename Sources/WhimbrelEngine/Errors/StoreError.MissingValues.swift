extension StoreError {
  /// The objects of a class without a value for a required property.
  package struct MissingValues: Hashable, Sendable, CustomStringConvertible {
    package var className: String
    package var propertyName: String
    /// The IDs of the first objects.
    package var objects: [ObjectID]
    /// The number of all objects, or nil if they were not counted.
    package var count: Int?
    /// The primary key of the first object.
    package var primaryKey: PropertyValue?
    /// The known primary keys.
    package var keys: [ObjectID: PropertyValue]
    package var reason: Reason
    package var remedy: Remedy

    /// The ways to give the property a value.
    package enum Remedy: Hashable, Sendable {
      /// Migration code, or a default value.
      case codeOrDefault
      /// Only migration code.
      case code
      /// Only migration code, which may set the property to nil.
      case codeOrNil
    }

    package enum Reason: Hashable, Sendable {
      /// The property is unset.
      case unset
      /// The property has another type, and is unset because nothing converts it.
      case unconverted(from: PropertyType, to: PropertyType)
      /// The property is nil.
      case isNil
      /// The new type cannot represent the old value.
      case lost(from: PropertyType, to: PropertyType, value: String?)

      fileprivate var change: (from: PropertyType, to: PropertyType)? {
        if case .unconverted(let old, let new) = self { (old, new) } else { nil }
      }
    }

    package init(
      class className: String, property: String, objects: [ObjectID], count: Int?,
      primaryKey: PropertyValue?, reason: Reason, remedy: Remedy = .codeOrDefault,
      keys: [ObjectID: PropertyValue] = [:]
    ) {
      self.className = className
      propertyName = property
      self.objects = objects
      self.count = count
      self.primaryKey = primaryKey
      self.reason = reason
      self.remedy = remedy
      self.keys = keys
    }

    /// The objects and the problem, as a sentence.
    package var description: String {
      let subject = Sentence.quoted(className + "." + propertyName)
      let (what, value) =
        switch reason {
        case .unset: ("is not set", String?.none)
        case .unconverted(let old, let new): ("is not converted from '\(old)' to '\(new)'", nil)
        case .isNil: ("is nil", nil)
        case .lost(let old, let new, let value):
          ("cannot be converted from '\(old)' to '\(new)' without loss", value)
        }
      let shown = value.map { " (value: \(Sentence.quoted($0)))" } ?? ""
      let first = objects.first.map { Sentence.object($0, primaryKey) } ?? "no object"
      guard let count, count > 1 else { return "\(subject) \(what) in \(first)\(shown)." }
      return "\(subject) \(what) in \(count) objects, starting with \(first)\(shown)."
    }
  }

  /// Returns the error for required properties without values at the end of a migration.
  ///
  /// - Parameter missing: The properties, at least one.
  package static func migrationValuesMissing(
    path: String, _ missing: [MissingValues], from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, objectsRead: Int, hasBlock: Bool = true,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    if missing.count == 1, let only = missing.first, let id = only.objects.first {
      return switch only.reason {
      case .isNil:
        migrationNil(
          class: only.className, property: only.propertyName, count: only.count ?? 1,
          first: only.objects, keys: only.keys, from: oldVersion, to: newVersion,
          hasBlock: hasBlock, file: file,
          line: line)
      case .unset, .unconverted:
        migrationUnset(
          class: only.className, property: only.propertyName, objectID: id,
          primaryKey: only.primaryKey, change: only.reason.change, from: oldVersion,
          to: newVersion, objectsRead: objectsRead, hasBlock: hasBlock, remedy: only.remedy,
          file: file, line: line)
      case .lost(let old, let new, let value):
        conversionFailed(
          class: only.className, property: only.propertyName, objectID: id,
          primaryKey: only.primaryKey, oldType: old, newType: new, value: value,
          from: oldVersion, to: newVersion, hasBlock: hasBlock, remedy: only.remedy, file: file,
          line: line)
      }
    }
    let code =
      hasBlock
      ? "Set them in the migration block"
      : "Give the configuration a migration block that sets them"
    let remedies = Set(missing.map(\.remedy))
    let other =
      (remedies.contains(.codeOrDefault) ? ", or declare default values" : "")
      + (remedies.contains(.codeOrNil) ? "; set optional ones to nil where they have no value" : "")
    let first = missing.first
    return StoreError(
      Self.code(of: missing),
      Sentence(
        migrateStore(path, oldVersion, newVersion), "properties are unset",
        items: missing.map(\.description), code + other + ". The store is unchanged."),
      Context(
        path: path, class: first?.className, property: first?.propertyName,
        objectID: first?.objects.first, primaryKey: first?.primaryKey, stored: oldVersion,
        declared: newVersion
      ).with(\.problems, missing.map(\.description)),
      file: file, line: line)
  }

  private static func code(of missing: [MissingValues]) -> Code {
    if missing.allSatisfy({ $0.reason == .isNil }) { return .migrationNil }
    let isAnyLost = missing.contains { if case .lost = $0.reason { true } else { false } }
    return isAnyLost ? .conversionFailed : .migrationUnset
  }
}
