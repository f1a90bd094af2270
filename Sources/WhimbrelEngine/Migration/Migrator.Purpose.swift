extension Migrator {
  /// What a migration is carried out for.
  enum Purpose {
    /// The file is to have the new schema.
    case migration
    /// It is to be known what would happen: all is thrown away before it takes effect.
    case dryRun
    /// It is to be known what would happen, in a copy of a store that has the version given.
    case stepOfDryRun(storeVersion: SchemaVersion)

    /// The version of the store where that is not the file which is migrated.
    var storeVersion: SchemaVersion? {
      if case .stepOfDryRun(let version) = self { version } else { nil }
    }
  }

  /// Whether everything is thrown away before it takes effect.
  var isDryRun: Bool {
    if case .dryRun = purpose { true } else { false }
  }
}
