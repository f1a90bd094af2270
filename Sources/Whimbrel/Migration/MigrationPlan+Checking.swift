public import WhimbrelEngine

extension MigrationPlan {
  /// Reads all objects of a file before anything is touched, and finds those that the
  /// schema declared has no place for: what a migration's code has to deal with.
  ///
  /// ```swift
  /// let plan = try Store.migrationPlan(for: configuration)
  /// try plan.check(on: configuration) { finding in
  ///   print(finding)  // 'Zone.name' of object 5 is nil, and is required now.
  ///   return true
  /// }
  /// ```
  ///
  /// The file is opened read-only and nothing in it changes; the migration block is not
  /// called. Properties that only code can set are not checked: the plan names them, and
  /// ``Store/dryRunMigration(_:)`` runs the code. As long as the check runs, it pins what it
  /// reads, as every reader does.
  ///
  /// - Parameters:
  ///   - configuration: how the store is to be opened; the plan must have been made for it.
  ///     With its ``Store/Configuration/describesValues``, findings have the values that they
  ///     are about; else only primary keys are shown, so that findings can be logged.
  ///   - body: is called with each finding, and returns whether to go on.
  /// - Throws: ``StoreError``, with `invalidConfiguration` when opening would make other
  ///   changes than those of the plan; and what `body` throws.
  /// - Complexity: O(*n* log *n*) in the number of objects, in memory that does not grow
  ///   with it.
  public func check(
    on configuration: Store.Configuration, _ body: (MigrationFinding) throws -> Bool
  ) throws {
    let request = try configuration.request()
    try withoutActuallyEscaping(body) {
      try StoreFile.checkMigration(request, self, $0)
    }
  }
}
