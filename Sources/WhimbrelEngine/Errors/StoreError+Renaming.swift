// The errors of renaming properties and classes.

extension StoreError {
  /// The reason why a property or a class cannot be renamed.
  package enum RenameProblem: Hashable, Sendable {
    /// The store does not have the class.
    case classMissing
    /// The app no longer declares the class.
    case classRemoved
    /// The app still declares the old name.
    case sourceStillDeclared
    /// The store does not have the old name.
    case sourceMissing
    /// The app does not declare the new name.
    case destinationNotDeclared
    /// The store already has the new name.
    case destinationExists
    /// The new property has another type.
    case typeChanges(from: PropertyType, to: PropertyType)
    /// The old property is optional and the new one is not.
    case becomesRequired
    /// The migration's code has already read or changed objects.
    case tooLate
  }

  package static func invalidRename(
    class className: String, from oldName: String, to newName: String, problem: RenameProblem,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidRename,
      Sentence(
        "rename the property \(quoted(className + "." + oldName)) to \(quoted(newName))",
        renameReason(problem, class: className, to: newName),
        renameRemedy(problem, from: oldName, to: newName) + ". The store is unchanged."),
      Context(class: className, property: oldName), file: file, line: line)
  }

  package static func invalidClassRename(
    from oldName: String, to newName: String, problem: RenameProblem, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidRename,
      Sentence(
        "rename the class \(quoted(oldName)) to \(quoted(newName))",
        classRenameReason(problem, to: newName),
        "Correct the call"
          + (problem == .sourceStillDeclared
            ? "; to swap two classes, declare a version in between, in which both have other names"
            : "") + ". The store is unchanged."),
      Context(class: oldName), file: file, line: line)
  }

  private static func renameReason(
    _ problem: RenameProblem, class className: String, to newName: String
  ) -> String {
    switch problem {
    case .classMissing: "the class \(quoted(className)) does not exist"
    case .classRemoved: "the class \(quoted(className)) has been removed from the models"
    case .sourceStillDeclared: "the source property is still declared"
    case .sourceMissing: "the source property does not exist"
    case .destinationNotDeclared: "the new property \(quoted(newName)) is not declared"
    case .destinationExists: "the store has a property of that name already"
    case .typeChanges(let old, let new): "it would change from type '\(old)' to '\(new)'"
    case .becomesRequired: "it would change from optional to required"
    case .tooLate: "the migration has already enumerated or changed objects"
    }
  }

  private static func renameRemedy(
    _ problem: RenameProblem, from oldName: String, to newName: String
  ) -> String {
    switch problem {
    case .sourceStillDeclared:
      "Correct the call, or the '@Renamed' of the model; to swap two properties, set both in the "
        + "migration block"
    case .typeChanges, .becomesRequired:
      "Remove the call, and set \(quoted(newName)) from the old "
        + "\(quoted(oldName)) in the migration block"
    case .classMissing, .classRemoved, .sourceMissing, .destinationNotDeclared, .destinationExists,
      .tooLate:
      "Correct the call, or the '@Renamed' of the model"
    }
  }

  private static func classRenameReason(_ problem: RenameProblem, to newName: String) -> String {
    switch problem {
    case .classMissing, .sourceMissing: "the source class does not exist"
    case .classRemoved, .destinationNotDeclared: "the class \(quoted(newName)) is not declared"
    case .sourceStillDeclared: "the source class is still declared"
    case .destinationExists: "the store has a class of that name already"
    case .typeChanges(let old, let new): "it would change from type '\(old)' to '\(new)'"
    case .becomesRequired: "it would change from optional to required"
    case .tooLate:
      "the migration has already enumerated or changed objects of one of the two, or of a class that "
        + "links to it"
    }
  }
}
