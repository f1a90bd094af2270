extension StoreError {
  /// Why a property or a class cannot be renamed.
  package enum RenameProblem: Hashable, Sendable {
    /// The store has no class of this name.
    case classMissing
    /// The app no longer declares the class.
    case classRemoved
    /// The app still declares the old name.
    case sourceStillDeclared
    /// The store does not have the old name.
    case sourceMissing
    /// The app does not declare the new name.
    case destinationNotDeclared
    /// The store has the new name already.
    case destinationExists
    /// The new property has another type.
    case typeChanges(from: PropertyType, to: PropertyType)
    /// The old property is optional and the new one is not.
    case becomesRequired
    /// The migration's code has read or changed objects already.
    case tooLate
  }
}
