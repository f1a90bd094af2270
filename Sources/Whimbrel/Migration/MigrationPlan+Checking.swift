public import WhimbrelEngine

extension MigrationPlan {
  /// Reads all objects of a file before a migration, and reports those that do not fit the declared
  /// schema and that the migration's code must handle.
  ///
  /// ```swift
  /// let plan = try Store.migrationPlan(for: configuration)
  /// try plan.check(on: configuration) { finding in
  ///   print(finding)  // 'Zone.name' of object 5 is nil, and is required now.
  ///   return true
  /// }
  /// ```
  ///
  /// The file is opened read-only and stays unchanged. The migration block is not called.
  /// Properties that only code can set are not checked: the plan lists them, and
  /// ``Store/dryRunMigration(_:)`` runs the code. Like every reader, the check keeps its snapshot
  /// alive while it runs.
  ///
  /// - Parameters:
  ///   - configuration: The configuration that the plan was made for. If
  ///     ``Store/Configuration/describesValues`` is true, findings contain the values that cause
  ///     them; otherwise they contain only primary keys, so that they can be logged.
  ///   - body: A closure that receives each finding, and returns whether to continue.
  /// - Throws: ``StoreError``, with `invalidConfiguration` if opening would make changes that the
  ///   plan does not have; and the error of `body`.
  /// - Complexity: O(*n* log *n*) in the number of objects, in memory that does not grow with it.
  public func check(
    on configuration: Store.Configuration, _ body: (MigrationFinding) throws -> Bool
  ) throws {
    let request = try configuration.request()
    try withoutActuallyEscaping(body) {
      try StoreFile.checkMigration(request, self, $0)
    }
  }
}
