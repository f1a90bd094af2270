extension OpenRequest {
  /// Returns whether migrating a file from a version runs code of the app.
  func hasCode(above version: SchemaVersion) -> Bool {
    let rules = declaration?.rules.rules ?? []
    return migration.block != nil
      || migration.steps.contains { $0.version > version && $0.migration != nil }
      || rules.contains { $0.version >= version }
  }

  /// Returns the migrations that bring a file from a version to the declared schema, in order: the
  /// first step above that version and all later ones.
  func stages(
    from version: SchemaVersion, _ declaration: Declaration
  ) -> [(request: OpenRequest, declaration: Declaration)] {
    let ahead = migration.steps.filter { $0.version > version }
    // Invariant: the last step leads to the declared schema version.
    if ahead.isEmpty { return [(self, declaration)] }
    return ahead.enumerated().map { position, step in
      var request = self
      request.declaration = step.declaration
      request.schemaVersion = step.version
      request.migration.steps = []
      request.migration.block = step.migration
      request.migration.stepCount = ahead.count
      request.migration.remainingSteps = ahead.dropFirst(position + 1).map(\.version)
      request.migration.numberProgress()
      return (request, step.declaration)
    }
  }
}

extension MigrationOptions {
  /// Adds the number of the step to the progress that is reported.
  fileprivate mutating func numberProgress() {
    guard let progress else { return }
    let (step, stepCount) = (step, stepCount)
    self.progress = { state in
      var state = state
      state.step = step
      state.stepCount = stepCount
      return progress(state)
    }
  }
}

// MARK: - Checking

extension OpenRequest {
  /// Checks the declared schemas, and that the steps lead to the last of them, before the file is
  /// touched.
  ///
  /// - Throws: ``StoreError`` with `invalidSchema` or `invalidConfiguration`, which list all
  ///   problems.
  func validate() throws(StoreError) {
    guard let declaration else { return }
    var problems = declaration.schema.problems
    for step in migration.steps where step.declaration.fingerprint != declaration.fingerprint {
      problems += step.declaration.schema.problems.map { Self.problem($0, inStepTo: step.version) }
    }
    guard problems.isEmpty else { throw StoreError.invalidSchema(problems: problems) }
    let mistakes = stepMistakes(declaration)
    guard mistakes.isEmpty else {
      throw StoreError.invalidConfiguration(path: path, problems: mistakes)
    }
  }

  /// Returns the text for a problem in the models of a step.
  package static func problem(_ problem: String, inStepTo version: SchemaVersion) -> String {
    "In the step to version \(version): \(problem)"
  }

  private func stepMistakes(_ declaration: Declaration) -> [String] {
    let steps = migration.steps
    guard let last = steps.last else { return [] }
    var mistakes: [String] = []
    if migration.block != nil {
      mistakes.append("it has both a migration block and migration steps")
    }
    for (before, after) in zip(steps, steps.dropFirst()) where before.version >= after.version {
      mistakes.append(
        "a migration step to version \(after.version) follows one to version \(before.version)")
    }
    if last.version != schemaVersion {
      mistakes.append(
        "its last migration step leads to version \(last.version), but its schema version is "
          + "\(schemaVersion)")
    }
    guard last.declaration.fingerprint != declaration.fingerprint else { return mistakes }
    let difference = SchemaDifference(from: last.declaration.schema, to: declaration.schema)
    return mistakes
      + difference.changes.map { "after its last migration step, \($0.description.asClause)" }
  }
}

extension String {
  /// The sentence as a clause of another one: in lower case and without the full stop.
  fileprivate var asClause: String {
    let words = hasSuffix(".") ? String(dropLast()) : self
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}
