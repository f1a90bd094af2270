import SwiftSyntax

extension TypeSpelling {
  /// A kind of type that cannot be stored. The raw value is its name in
  /// messages.
  enum UnsupportedKind: String {
    case tuple = "a tuple"
    case function = "a function"
    case array = "an array"
    case dictionary = "a dictionary"
    case set = "a set"
    case metatype = "a metatype"
    case existential = "an existential"
    case opaque = "an opaque type"

    /// The replacement that messages suggest.
    var replacement: String {
      switch self {
      case .array: "a 'StoredList'"
      case .dictionary: "a 'StoredMap'"
      case .set: "a 'StoredSet'"
      case .existential: "'AnyValue' or another type that is Persistable"
      default: "a type that is Persistable"
      }
    }
  }

  /// Returns the kind of a type that cannot be stored, or nil for other types.
  static func unsupportedKind(of type: TypeSyntax) -> UnsupportedKind? {
    switch type.kind {
    case .tupleType: return .tuple
    case .functionType: return .function
    case .arrayType, .inlineArrayType: return .array
    case .dictionaryType: return .dictionary
    case .metatypeType: return .metatype
    case .someOrAnyType:
      let specifier = type.cast(SomeOrAnyTypeSyntax.self).someOrAnySpecifier
      return specifier.tokenKind == .keyword(.any) ? .existential : .opaque
    case .compositionType: return .existential
    case .attributedType: return unsupportedKind(of: type.cast(AttributedTypeSyntax.self).baseType)
    default: break
    }
    guard let (name, arguments) = name(of: type, in: "Swift") else { return nil }
    switch name {
    case "Any", "AnyObject": return .existential
    case "Array", "ContiguousArray", "ArraySlice": return arguments == nil ? nil : .array
    case "Dictionary": return arguments == nil ? nil : .dictionary
    case "Set": return arguments == nil ? nil : .set
    default: return nil
    }
  }
}
