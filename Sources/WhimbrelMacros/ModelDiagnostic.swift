import SwiftDiagnostics
import SwiftSyntax

/// A problem of a model that the macros report. The enum is the catalogue of
/// their messages.
enum ModelDiagnostic: Equatable {
  // The class.
  case notAClass(kind: String, name: String)
  case onExtension(name: String)
  case notFinal(name: String)
  case moduleName(name: String, isOwnName: Bool)
  case generic(name: String)
  case inGenericType(name: String, outer: String)
  case inFunction(name: String)
  case privateInType(name: String, outer: String)
  case superclass(name: String, superclass: String)
  case sendable(name: String)
  case isolated(name: String, actor: String)
  case observable(name: String)
  case foreignFunction(name: String, marker: PropertyMarker)
  case argumentNotLiteral
  case classNameNotLiteral
  case classNameEmpty
  case classNameTooLong(name: String, byteCount: Int)
  case classNameControl
  case kindNotLiteral
  case embeddedPrimaryKey(name: String)
  case typeCalledID(name: String)

  // A property's declaration.
  case constant(name: String)
  case unsupportedModifier(name: String, modifier: String)
  case observers(name: String)
  case foreign(name: String, attribute: String, counterpart: String?, cascades: Bool)
  case wrapped(name: String, wrapper: String)
  case unobserved(name: String)
  case conditional(name: String)
  case unavailable(name: String)
  case severalNames
  case tuplePattern
  case reservedName(name: String)
  case ambiguousName(name: String, schemaName: String?)
  case sourceLocation(name: String, literal: String)
  case nameTooLong(name: String, byteCount: Int)
  case nameNotLiteral(name: String)
  case nameEmpty(name: String)
  case nameControl(name: String)
  case nameRepeated(name: String, first: String, schemaName: String)
  case propertyIsolated(name: String, actor: String)
  case hiddenWithoutDefault(name: String, access: AccessLevel, className: String)
  case transientWithoutDefault(name: String)

  // A property's type.
  case missingType(name: String)
  case unsupportedType(name: String, type: String, kind: TypeSpelling.UnsupportedKind)
  case implicitlyUnwrapped(name: String)
  case nestedOptional(name: String)
  case covariantSelf(name: String)
  case optionalCollection(name: String, collection: CollectionType)
  case optionalAnyValue(name: String)
  case missingInverse(name: String)
  case otherCollection(type: String, counterpart: String)
  case notPersistable(name: String, type: String, isTooLarge: Bool)
  case notPersistableCollection(name: String, type: String, counterpart: String)
  case elementNotPersistable(
    name: String, collection: CollectionType, type: String, isOptional: Bool)
  case requiredLink(name: String, type: String)
  case aliasedCollection(name: String, type: String)

  // Markers.
  case markerOnComputed(marker: PropertyMarker, name: String)
  case markerOnTypeLevel(marker: PropertyMarker, name: String)
  case markerOnTransient(marker: PropertyMarker, name: String)
  case markerOutsideModel(marker: PropertyMarker)
  case markerNotOnProperty(marker: PropertyMarker)
  case markerOnCollection(marker: PropertyMarker, name: String, collection: CollectionType)
  case severalPrimaryKeys(name: String, first: String)
  case optionalPrimaryKey(name: String)
  case primaryKeyType(name: String, type: String)
  case noPreviousName(name: String)
  case previousNameNotLiteral(name: String)
  case previousNameEmpty(name: String)
  case previousNameTooLong(previousName: String, byteCount: Int)
  case previousNameIsOwn(name: String)
  case previousClassNameIsOwn(name: String)
  case previousNameInUse(previousName: String, name: String)
  case previousNameRepeated(previousName: String, first: String)

  // Inverses.
  case inverseWithAccessors(name: String)
  case inverseWithMarker(marker: PropertyMarker, name: String)
  case inverseConstant(name: String)
  case inverseConditional(name: String)
  case inverseWithValue(name: String)
  case inverseType(name: String, source: String?)
  case inverseKeyPath(name: String)
  case inverseMismatch(name: String, root: String, type: String)

  // Indexes.
  case indexType(name: String, type: String)
  case indexTextType(name: String, type: String)
  case indexKindNotLiteral(name: String)
  case indexKindRepeated(name: String, kind: IndexKindArgument)
  case indexOutsideModel
  case indexNotLiteral
  case indexPropertyUnknown(name: String, className: String, suggestion: String?)
  case indexPropertyRepeated(name: String)
  case indexPropertyCollection(name: String, collection: CollectionType)
  case indexOfOne(name: String)
  case indexTooLong(count: Int)
  case indexFullText

  // Initializers.
  case neverSet(name: String)
}

extension ModelDiagnostic {
  /// The limit of a class name, in UTF-8 bytes.
  static let maximumClassNameByteCount = 57
  /// The limit of a property name, in UTF-8 bytes.
  static let maximumPropertyNameByteCount = 63
}

extension ModelDiagnostic {
  /// Whether the class cannot be a model even if all other errors are fixed.
  var isHopeless: Bool {
    switch self {
    case .notAClass, .onExtension, .moduleName, .generic, .inGenericType, .inFunction,
      .privateInType:
      true
    default: false
    }
  }
}

extension ModelDiagnostic: DiagnosticMessage {
  var severity: DiagnosticSeverity {
    switch self {
    case .neverSet, .otherCollection: .warning
    default: .error
    }
  }

  var diagnosticID: MessageID {
    // The ID is the name of the case: everything before the payload.
    let name = String(describing: self).prefix { $0 != "(" }
    return MessageID(domain: "WhimbrelMacros", id: String(name))
  }

  var message: String {
    classMessage ?? propertyMessage ?? typeMessage ?? markerMessage ?? previousNameMessage
      ?? inverseMessage ?? indexMessage ?? ""
  }

  private var classMessage: String? {
    switch self {
    case .notAClass(let kind, let name):
      "'@Model' applies only to a final class, and '\(name)' is \(kind)."
    case .onExtension(let name):
      "'@Model' applies only to the declaration of a final class, and this is an extension of "
        + "'\(name)'."
    case .typeCalledID(let name):
      "The type 'ID' in the model '\(name)' hides the type of its identity. Rename it, or give "
        + "the model a property 'id' of this type that is as visible as the class."
    case .notFinal(let name):
      "A model class must be final: mark '\(name)' 'final'."
    case .moduleName(let name, let isOwnName):
      "A model class cannot be called '\(name)', because the code that '@Model' generates names "
        + "this module: rename the class."
        + (isOwnName ? " '@Model(\"\(name)\")' keeps its name in the store." : "")
    case .generic(let name):
      "A model class cannot be generic: remove the generic parameters of '\(name)'."
    case .inGenericType(let name, let outer):
      "A model class cannot be nested in a generic type: move '\(name)' out of '\(outer)'."
    case .inFunction(let name):
      "A model class cannot be declared in a function: move '\(name)' out of it."
    case .privateInType(let name, let outer):
      "A model class within '\(outer)' cannot be private, because its conformance is declared "
        + "outside: mark '\(name)' 'fileprivate'."
    case .superclass(let name, let superclass):
      "A model class cannot have a superclass: remove '\(superclass)' from '\(name)'."
        + (superclass.hasSuffix("EmbeddedObject") ? " Write '@Model(.embedded)' instead." : "")
    case .sendable(let name):
      "A model class cannot be Sendable: remove 'Sendable' from '\(name)'. Pass an object to another "
        + "thread as its 'objectHandle', and its values as 'frozen'."
    case .isolated(let name, let actor):
      "A model class cannot belong to an actor: remove '@\(actor)' from '\(name)'. An object is "
        + "used where its store was opened, on any actor."
    case .observable(let name):
      "A model is already observable: remove '@Observable' from '\(name)'."
    case .argumentNotLiteral:
      "The argument of '@Model' must be written out: a plain string literal as the class name, or "
        + "the kind '.embedded' or '.topLevel'."
    case .classNameNotLiteral:
      "The class name given to '@Model' must be a plain string literal."
    case .classNameEmpty:
      "The class name given to '@Model' must not be empty."
    case .classNameTooLong(let name, let byteCount):
      "The class name '\(name)' is \(byteCount) bytes long in UTF-8, and at most "
        + "\(Self.maximumClassNameByteCount) are allowed. Give a shorter one with '@Model(\"…\")'."
    case .classNameControl:
      "The class name given to '@Model' must not have control characters."
    case .kindNotLiteral:
      "The kind given to '@Model' must be written out: '.embedded' or '.topLevel'."
    case .embeddedPrimaryKey(let name):
      "The embedded model '\(name)' cannot have a primary key: its objects are found only "
        + "through the objects that own them."
    default: nil
    }
  }

  /// The messages about a property's declaration and initial value.
  private var propertyMessage: String? {
    switch self {
    case .constant(let name):
      "A stored property of a model must be a 'var', and '\(name)' is a 'let'."
    case .unsupportedModifier(let name, let modifier):
      "The property '\(name)' cannot be stored, because it is '\(modifier)'. Remove "
        + "'\(modifier)', or mark the property '@Transient'."
    case .observers(let name):
      "The property '\(name)' cannot have 'willSet' or 'didSet': its value may change in the "
        + "store without a call of the setter. Compute what depends on it in a computed property, "
        + "or mark the property '@Transient' to leave it out of the store."
    case .foreignFunction(let name, let marker):
      "Whimbrel never calls '\(name)()' of Realm: mark the property with '@\(marker.rawValue)' "
        + "instead."
    case .foreign(let name, let attribute, let counterpart, let cascades):
      "Whimbrel does not have '@\(attribute)': "
        + (counterpart.map { "replace it with '\($0)' at '\(name)'." }
          ?? "remove it from '\(name)'.")
        + (cascades
          ? " Only embedded objects are deleted with their owner: write '@Model(.embedded)' at their "
            + "class, or delete the objects in the same write." : "")
    case .wrapped(let name, let wrapper):
      "A stored property of a model cannot have a property wrapper: remove '@\(wrapper)' from "
        + "'\(name)'."
    case .unobserved(let name):
      "A stored property of a model is always observed: remove '@ObservationIgnored' from "
        + "'\(name)', or write '@Transient' to leave the property out of the store."
    case .conditional(let name):
      "The stored property '\(name)' cannot be inside '#if': the schema must be the same in "
        + "every build. Move it out, or mark it '@Transient'."
    case .unavailable(let name):
      "The stored property '\(name)' cannot be unavailable: the code that '@Model' generates uses "
        + "it. Mark it 'deprecated' instead, or remove it."
    case .severalNames:
      "Each property of a model needs a 'var' of its own."
    case .tuplePattern:
      "A property of a model cannot be declared by a tuple pattern. Declare each property "
        + "with a 'var' of its own."
    case .reservedName(let name):
      "The property name '\(name)' is reserved: names that begin with '_$' belong to Whimbrel."
    case .ambiguousName(let name, let schemaName):
      "The property name '\(name)' has another meaning in the code that '@Model' generates: rename "
        + "the property."
        + (schemaName.map { " '@StoredName(\"\($0)\")' keeps its name in the store." } ?? "")
    case .sourceLocation(let name, let literal):
      "The default value of '\(name)' cannot contain '\(literal)', which would stand for a place in "
        + "the code that '@Model' generates. Set the property in an initializer instead."
    case .nameTooLong(let name, let byteCount):
      "The property name '\(name)' is \(byteCount) bytes long in UTF-8, and at most "
        + "\(Self.maximumPropertyNameByteCount) are allowed."
    case .nameNotLiteral(let name):
      "The name given to '\(name)' by '@StoredName' must be a plain string literal."
    case .nameEmpty(let name):
      "The name given to '\(name)' by '@StoredName' must not be empty."
    case .nameRepeated(let name, let first, let schemaName):
      "The properties '\(first)' and '\(name)' have the same name in the store, '\(schemaName)': "
        + "change one of the names."
    case .nameControl(let name):
      "The name given to '\(name)' must not have control characters."
    case .propertyIsolated(let name, let actor):
      "A stored property of a model cannot belong to an actor: remove '@\(actor)' from '\(name)'."
    case .hiddenWithoutDefault(let name, let access, let className):
      "The property '\(name)' is \(access.keyword) and has no default value, so other code "
        + "could not create a '\(className)'. Give it a default value, or write an initializer."
    case .transientWithoutDefault(let name):
      "The transient property '\(name)' needs a default value: an object that is read from a "
        + "store starts with it."
    case .neverSet(let name):
      "'\(name)' is never set in this initializer, and has no default value."
    default: nil
    }
  }

  /// The messages about a property's type.
  private var typeMessage: String? {
    switch self {
    case .missingType(let name):
      "The property '\(name)' needs a type annotation: '@Model' cannot see the type of its "
        + "default value."
    case .unsupportedType(let name, let type, let kind):
      "The property '\(name)' cannot be stored: its type '\(type)' is \(kind.rawValue). Use "
        + "\(kind.replacement), or mark the property '@Transient'."
    case .implicitlyUnwrapped(let name):
      "The property '\(name)' cannot be implicitly unwrapped: write '?' instead of '!'."
    case .nestedOptional(let name):
      "The property '\(name)' cannot be an optional of an optional: a store has only one nil."
    case .covariantSelf(let name):
      "The type of the property '\(name)' cannot be 'Self': write the name of the class."
    case .optionalCollection(let name, let collection):
      "The property '\(name)' cannot be optional: a '\(collection.rawValue)' may be empty, and is "
        + "never nil."
    case .optionalAnyValue(let name):
      "The property '\(name)' cannot be optional: an 'AnyValue' holds 'none' instead of nil."
    case .otherCollection(let type, let counterpart):
      "'\(type)' is not a collection of Whimbrel: write '\(counterpart)'. For a type of your own, "
        + "write its module name before it."
    case .notPersistableCollection(let name, let type, let counterpart):
      "The property '\(name)' cannot be stored: the type '\(type)' is not Persistable. Write "
        + "'\(counterpart)'."
    case .notPersistable(let name, let type, true):
      "The property '\(name)' cannot be stored: the type '\(type)' is not Persistable. Use 'Int', "
        + "or mark the property '@Transient'."
    case .notPersistable(let name, let type, false):
      "The property '\(name)' cannot be stored: the type '\(type)' is not Persistable. Make an enum "
        + "with raw values 'PersistableEnum', a class '@Model' and the property an optional of it, "
        + "another type 'PersistableCodable' or 'CustomPersistable', or mark the property "
        + "'@Transient'."
    case .elementNotPersistable(let name, let collection, let type, let isOptional):
      "The \(collection.rawValue) '\(name)' cannot have elements of the type '\(type)'. "
        + (isOptional
          ? "Only elements of a Persistable type can be nil in a '\(collection.rawValue)'; links "
            + "in it are never nil: write '\(type.dropLast())'."
          : "Make a class '@Model', an enum with raw values 'PersistableEnum', another type "
            + "'PersistableCodable' or 'CustomPersistable', or mark the property '@Transient'.")
    case .requiredLink(let name, let type):
      "The link '\(name)' must be optional: write '\(type)?' instead of '\(type)'. It "
        + "becomes nil when the linked object is deleted."
    case .aliasedCollection(let name, let type):
      "The collection '\(name)' must be written out: '@Model' cannot see what the type alias "
        + "'\(type)' stands for. Write 'StoredList', 'StoredSet' or 'StoredMap'."
    case .missingInverse(let name):
      "The property '\(name)' of the type 'LinkingObjects' needs to know which links it "
        + "follows: put '@Inverse(of:)' before it."
    default: nil
    }
  }
}

extension SyntaxProtocol {
  /// Returns a diagnostic at this node.
  func diagnostic(_ message: ModelDiagnostic, fixIts: [FixIt] = []) -> Diagnostic {
    Diagnostic(node: self, message: message, fixIts: fixIts)
  }
}
