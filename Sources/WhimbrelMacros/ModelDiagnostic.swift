import SwiftDiagnostics

/// Everything that the macros have to say about a model: the catalogue of
/// their messages.
enum ModelDiagnostic: Equatable {
  // The class.
  case notAClass(kind: String, name: String)
  case notFinal(name: String)
  case generic(name: String)
  case inGenericType(name: String, outer: String)
  case inFunction(name: String)
  case privateInType(name: String, outer: String)
  case superclass(name: String, superclass: String)
  case classNameNotLiteral
  case classNameEmpty
  case classNameTooLong(name: String, byteCount: Int)

  // A property's declaration.
  case constant(name: String)
  case unsupportedModifier(name: String, modifier: String)
  case observers(name: String)
  case conditional(name: String)
  case severalNames
  case tuplePattern
  case reservedName(name: String)
  case nameTooLong(name: String, byteCount: Int)
  case transientWithoutDefault(name: String)

  // A property's type.
  case missingType(name: String)
  case unsupportedType(name: String, type: String, kind: String)
  case implicitlyUnwrapped(name: String)
  case nestedOptional(name: String)
  case covariantSelf(name: String)

  // Markers.
  case markerOnComputed(marker: PropertyMarker, name: String)
  case markerOnTypeLevel(marker: PropertyMarker, name: String)
  case markerOnTransient(marker: PropertyMarker, name: String)
  case markerOutsideModel(marker: PropertyMarker)
  case markerNotOnProperty(marker: PropertyMarker)
  case severalPrimaryKeys(name: String, first: String)
  case optionalPrimaryKey(name: String)
  case noPreviousName(name: String)
  case previousNameNotLiteral(name: String)
  case previousNameEmpty(name: String)
  case previousNameTooLong(previousName: String, byteCount: Int)
  case previousNameIsOwn(name: String)
  case previousNameInUse(previousName: String, name: String)
  case previousNameRepeated(previousName: String, first: String)

  // Initializers.
  case neverSet(name: String)
}

extension ModelDiagnostic {
  /// The longest name of a class, in UTF-8 bytes.
  static let maximumClassNameByteCount = 57
  /// The longest name of a property, in UTF-8 bytes.
  static let maximumPropertyNameByteCount = 63
}

extension ModelDiagnostic: DiagnosticMessage {
  var severity: DiagnosticSeverity {
    if case .neverSet = self { .warning } else { .error }
  }

  var diagnosticID: MessageID {
    // The name of the case is the ID: all that stands before the payload.
    let name = String(describing: self).prefix { $0 != "(" }
    return MessageID(domain: "WhimbrelMacros", id: String(name))
  }

  var message: String {
    switch self {
    case .notAClass, .notFinal, .generic, .inGenericType, .inFunction, .privateInType,
      .superclass, .classNameNotLiteral, .classNameEmpty, .classNameTooLong:
      classMessage
    case .constant, .unsupportedModifier, .observers, .conditional, .severalNames, .tuplePattern,
      .reservedName, .nameTooLong, .transientWithoutDefault, .missingType, .unsupportedType,
      .implicitlyUnwrapped, .nestedOptional, .covariantSelf, .neverSet:
      propertyMessage
    default:
      markerMessage
    }
  }

  /// The sentences about the class.
  private var classMessage: String {
    switch self {
    case .notAClass(let kind, let name):
      "'@Model' applies only to a final class, and '\(name)' is \(kind)."
    case .notFinal(let name):
      "A model class must be final: mark '\(name)' 'final'."
    case .generic(let name):
      "A model class cannot be generic: remove the generic parameters of '\(name)'."
    case .inGenericType(let name, let outer):
      "A model class cannot stand in a generic type: move '\(name)' out of '\(outer)'."
    case .inFunction(let name):
      "A model class cannot be declared in a function: move '\(name)' out of it."
    case .privateInType(let name, let outer):
      "A model class within '\(outer)' cannot be private, for its conformance stands outside: mark "
        + "'\(name)' 'fileprivate'."
    case .superclass(let name, let superclass):
      "A model class cannot have a superclass: remove '\(superclass)' from '\(name)'."
    case .classNameNotLiteral:
      "The class name given to '@Model' must be a plain string literal."
    case .classNameEmpty:
      "The class name given to '@Model' must not be empty."
    case .classNameTooLong(let name, let byteCount):
      "The class name '\(name)' is \(byteCount) bytes long in UTF-8, and "
        + "\(Self.maximumClassNameByteCount) are allowed. Give a shorter one with '@Model(\"…\")'."
    default:
      ""
    }
  }

  /// The sentences about a property's declaration, type and initial value.
  private var propertyMessage: String {
    switch self {
    case .constant(let name):
      "A stored property of a model must be a 'var', and '\(name)' is a 'let'."
    case .unsupportedModifier(let name, let modifier):
      "The property '\(name)' cannot be stored, because it is '\(modifier)'. Remove "
        + "'\(modifier)', or mark the property '@Transient'."
    case .observers(let name):
      "The property '\(name)' cannot have 'willSet' or 'didSet': its value may change in the "
        + "store without a call of the setter. Observe the object, or mark the property "
        + "'@Transient'."
    case .conditional(let name):
      "The stored property '\(name)' cannot stand within '#if': the schema must be the same in "
        + "every build. Move it out, or mark it '@Transient'."
    case .severalNames:
      "Each property of a model needs a 'var' of its own."
    case .tuplePattern:
      "A property of a model cannot be declared by taking a tuple apart. Declare each property "
        + "with a 'var' of its own."
    case .reservedName(let name):
      "The property name '\(name)' is reserved: names that begin with '_$' belong to Whimbrel."
    case .nameTooLong(let name, let byteCount):
      "The property name '\(name)' is \(byteCount) bytes long in UTF-8, and "
        + "\(Self.maximumPropertyNameByteCount) are allowed."
    case .transientWithoutDefault(let name):
      "The transient property '\(name)' needs a default value: an object that is read from a "
        + "store starts with it."
    case .missingType(let name):
      "The property '\(name)' needs a type annotation: '@Model' cannot see the type of its "
        + "default value."
    case .unsupportedType(let name, let type, let kind):
      "The property '\(name)' cannot be stored: its type '\(type)' is \(kind). Use a type that is "
        + "Persistable, or mark the property '@Transient'."
    case .implicitlyUnwrapped(let name):
      "The property '\(name)' cannot be implicitly unwrapped: write '?' instead of '!'."
    case .nestedOptional(let name):
      "The property '\(name)' cannot be an optional of an optional: a store knows only one nil."
    case .covariantSelf(let name):
      "The type of the property '\(name)' cannot be 'Self': write the name of the class."
    case .neverSet(let name):
      "'\(name)' is never set in this initializer, and has no default value."
    default:
      ""
    }
  }

  /// The sentences about the attributes of properties.
  private var markerMessage: String {
    switch self {
    case .markerOnComputed(let marker, let name):
      "'@\(marker.rawValue)' needs a stored property, and '\(name)' is computed."
    case .markerOnTypeLevel(let marker, let name):
      "'@\(marker.rawValue)' needs a property of each object, and '\(name)' is one of the type."
    case .markerOnTransient(let marker, let name):
      "'@\(marker.rawValue)' and '@Transient' exclude each other: '\(name)' is either stored or not."
    case .markerOutsideModel(let marker):
      "'@\(marker.rawValue)' has a meaning only within the body of a class marked '@Model'."
    case .markerNotOnProperty(let marker):
      "'@\(marker.rawValue)' applies only to a property."
    case .severalPrimaryKeys(let name, let first):
      "A class has one primary key: '\(name)' cannot be it, because '\(first)' is."
    case .optionalPrimaryKey(let name):
      "The primary key '\(name)' cannot be optional: every object needs one."
    case .noPreviousName(let name):
      "'@Renamed' of '\(name)' needs at least one previous name."
    case .previousNameNotLiteral(let name):
      "The previous names of '\(name)' must be plain string literals."
    case .previousNameEmpty(let name):
      "A previous name of '\(name)' must not be empty."
    case .previousNameTooLong(let previousName, let byteCount):
      "The previous name '\(previousName)' is \(byteCount) bytes long in UTF-8, and "
        + "\(Self.maximumPropertyNameByteCount) are allowed."
    case .previousNameIsOwn(let name):
      "The property '\(name)' cannot be renamed from its own name."
    case .previousNameInUse(let previousName, let name):
      "The property '\(name)' cannot be renamed from '\(previousName)', because the class still "
        + "has a property of that name. Rename it in the migration block instead."
    case .previousNameRepeated(let previousName, let first):
      "The previous name '\(previousName)' is given twice: '\(first)' has it already."
    default:
      ""
    }
  }
}
