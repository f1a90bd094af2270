extension ModelDiagnostic {
  var markerMessage: String? {
    switch self {
    case .markerOnComputed(let marker, let name):
      "'@\(marker.rawValue)' needs a stored property, and '\(name)' is computed."
    case .markerOnTypeLevel(let marker, let name):
      "'@\(marker.rawValue)' needs an instance property, and '\(name)' is a type property."
    case .markerOnTransient(let marker, let name):
      "'@\(marker.rawValue)' and '@Transient' exclude each other: '\(name)' is either stored or not."
    case .markerOutsideModel(let marker):
      "'@\(marker.rawValue)' can be used only in the body of a class marked '@Model'."
    case .markerNotOnProperty(let marker):
      "'@\(marker.rawValue)' applies only to a property."
    case .markerOnCollection(.primaryKey, let name, let collection):
      "The '\(collection.rawValue)' '\(name)' cannot be the primary key: that is a single value."
    case .markerOnCollection(_, let name, let collection):
      "The '\(collection.rawValue)' '\(name)' cannot be indexed: an index holds single values."
    case .severalPrimaryKeys(let name, let first):
      "A class has one primary key: '\(name)' cannot be it, because '\(first)' is."
    case .optionalPrimaryKey(let name):
      "The primary key '\(name)' cannot be optional: every object needs a value."
    case .primaryKeyType(let name, let type):
      "The primary key '\(name)' cannot have the type '\(type)': use an integer, a 'String', a "
        + "'UUID' or an 'ObjectId'."
    default: nil
    }
  }

  /// The messages about the names in `@Renamed`.
  var previousNameMessage: String? {
    switch self {
    case .noPreviousName(let name):
      "'@Renamed' of '\(name)' needs at least one previous name."
    case .previousNameNotLiteral(let name):
      "The previous names of '\(name)' must be plain string literals."
    case .previousNameEmpty(let name):
      "A previous name of '\(name)' must not be empty."
    case .previousNameTooLong(let previousName, let byteCount):
      "The previous name '\(previousName)' is \(byteCount) bytes long in UTF-8, and "
        + "at most \(Self.maximumPropertyNameByteCount) are allowed."
    case .previousNameIsOwn(let name):
      "The property '\(name)' cannot be renamed from its own name."
    case .previousClassNameIsOwn(let name):
      "The class '\(name)' cannot be renamed from its own name."
    case .previousNameInUse(let previousName, let name):
      "The property '\(name)' cannot be renamed from '\(previousName)', because the class still "
        + "has a property of that name. Set its values in the migration block instead."
    case .previousNameRepeated(let previousName, let first):
      "The previous name '\(previousName)' is given twice: '\(first)' already has it."
    default: nil
    }
  }

  /// The messages about properties with `@Inverse`.
  var inverseMessage: String? {
    switch self {
    case .inverseWithAccessors(let name):
      "'@Inverse' generates the getter of a property, but '\(name)' has accessors of its own."
    case .inverseWithMarker(let marker, let name):
      "'@\(marker.rawValue)' and '@Inverse' exclude each other: '\(name)' is not stored, but found "
        + "through the links of other objects."
    case .inverseConstant(let name):
      "A property with '@Inverse' must be a 'var', and '\(name)' is a 'let'."
    case .inverseConditional(let name):
      "The property '\(name)' with '@Inverse' cannot be inside '#if': the schema must be the "
        + "same in every build. Move it out."
    case .inverseWithValue(let name):
      "The property '\(name)' with '@Inverse' cannot have an initial value: its objects are "
        + "those that link to this one."
    case .inverseType(let name, let source):
      "The property '\(name)' with '@Inverse' must have the type "
        + "'LinkingObjects<\(source ?? "…")>'."
    case .inverseKeyPath(let name):
      "'@Inverse' of '\(name)' needs the key path of one property, written out like "
        + "'\\Zone.country'."
    case .inverseMismatch(let name, let root, let type):
      "'@Inverse' of '\(name)' follows a property of '\(root)', but the type is '\(type)': both "
        + "must name the same class."
    default: nil
    }
  }
}
