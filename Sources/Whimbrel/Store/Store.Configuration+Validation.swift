internal import WhimbrelEngine

extension Store.Configuration {
  /// Checks that each class has one model, and that each inverse follows a link that the models
  /// have.
  ///
  /// - Throws: ``StoreError`` with the code `invalidSchema`, which lists all problems of the
  ///   models.
  func validateModels() throws {
    var problems = Self.nameProblems(models) + Self.inverseProblems(models)
    for step in migrationSteps?.steps ?? [] {
      problems += (Self.nameProblems(step.models) + Self.inverseProblems(step.models)).map {
        OpenRequest.problem($0, inStepTo: step.version)
      }
    }
    guard !problems.isEmpty else { return }
    // All problems of the schema are reported together.
    throw StoreError.invalidSchema(problems: try declaration().schema.problems + problems)
  }

  private static func nameProblems(_ models: [any Model.Type]) -> [String] {
    Dictionary(grouping: models) { $0._$schema.name }.filter { $1.count > 1 }
      .sorted { $0.key < $1.key }
      .map { name, models in
        let types = models.map { "'\(String(reflecting: $0))'" }.joined(separator: " and ")
        return "Class '\(name)' has the models \(types). "
          + "List one of them, or give one another class name, as in '@Model(\"Name\")'."
      }
  }

  private static func inverseProblems(_ models: [any Model.Type]) -> [String] {
    let schemas = models.map { $0._$schema }
    let names = Set(schemas.map(\.name))
    return schemas.flatMap { schema in
      schema.inverses.compactMap { $0.problem(in: schema.name, modelNames: names) }
    }
  }
}

extension ModelInverse {
  /// Returns the problem of an inverse of a class, or nil.
  fileprivate func problem(in className: String, modelNames: Set<String>) -> String? {
    let subject = "Inverse '\(className).\(name)'"
    let schema = source._$schema.classSchema
    let link = "'\(schema.name).\(property)'"
    guard modelNames.contains(schema.name) else {
      return "\(subject) needs class '\(schema.name)', which is not among the models."
    }
    guard let found = schema.properties.first(where: { $0.name == property }) else {
      return "\(subject) follows property \(link), which is not stored."
    }
    if found.type == .any || found.type.elementType?.type == .any { return nil }
    guard let target = found.type.linkedClass else {
      return "\(subject) follows property \(link), which is not a link."
    }
    guard target == className else {
      return "\(subject) follows property \(link), which links to class '\(target)'."
    }
    return nil
  }
}
