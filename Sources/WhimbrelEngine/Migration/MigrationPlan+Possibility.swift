extension MigrationPlan {
  /// Whether opening the store gets as far as making the changes: the schema version
  /// declared is not lower than the file's, and it is higher if the changes ask for that.
  public var isPossible: Bool {
    fromVersion <= toVersion && !changes.contains { $0.kind == .impossible }
  }

  /// Why no code can make a change, or nil when nothing is in its way.
  static func obstacle(
    to change: SchemaChange, from oldVersion: SchemaVersion, to newVersion: SchemaVersion
  ) -> (Kind, String?)? {
    // The title says why.
    if oldVersion > newVersion { return (.impossible, nil) }
    if oldVersion < newVersion || change.isAllowedWithoutVersionChange { return nil }
    return (.impossible, "It takes a schema version higher than \(oldVersion).")
  }

  /// The first line of the description.
  var title: String {
    if fromVersion == toVersion { return "At version \(toVersion):" }
    let later = remainingSteps.map { ", then to \($0)" }.joined()
    let title = "From version \(fromVersion) to \(toVersion)\(later)"
    return fromVersion < toVersion
      ? title + ":" : title + ", which is impossible: a schema version never goes down."
  }
}
