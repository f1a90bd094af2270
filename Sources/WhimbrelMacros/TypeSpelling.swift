import SwiftSyntax

/// What the spelling of a property's type tells about it.
///
/// A macro sees syntax only. Whether the type can be stored at all is found by
/// the overloads of `ModelProperty.init` when the expansion is compiled.
struct TypeSpelling {
  /// Why a type cannot be stored, as far as its spelling tells.
  enum Flaw: Equatable {
    /// A kind of type that a store has no place for, as messages name it.
    case unsupported(String)
    /// `T!`
    case implicitlyUnwrapped
    /// `T??`
    case nestedOptional
    /// `Self`
    case covariantSelf
  }

  /// The type as it was written, without parentheses around it.
  let syntax: TypeSyntax
  /// The type that an optional wraps, the type itself otherwise; of nested
  /// optionals the innermost.
  let wrapped: TypeSyntax
  /// Whether the type is an optional.
  let isOptional: Bool
  /// Why the type cannot be stored, or nil.
  let flaw: Flaw?

  /// Reads a type annotation.
  init(_ type: TypeSyntax) {
    syntax = Self.withoutParentheses(type)
    if let implicit = syntax.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      wrapped = Self.withoutParentheses(implicit.wrappedType)
      isOptional = true
      flaw = .implicitlyUnwrapped
      return
    }
    var depth = 0
    var innermost = syntax
    while let next = Self.optionalContent(of: innermost) {
      innermost = Self.withoutParentheses(next)
      depth += 1
    }
    wrapped = innermost
    isOptional = depth > 0
    if innermost.as(IdentifierTypeSyntax.self)?.name.tokenKind == .keyword(.Self) {
      flaw = .covariantSelf
    } else if let kind = Self.unsupportedKind(of: innermost) {
      flaw = .unsupported(kind)
    } else {
      flaw = depth > 1 ? .nestedOptional : nil
    }
  }

  /// The type as it was written.
  var source: String { syntax.trimmedDescription }

  /// The type in a form that a member can be looked up on.
  ///
  /// `String?._$load` would be optional chaining.
  var expression: String {
    isOptional ? "Swift.Optional<\(wrapped.trimmedDescription)>" : source
  }

  /// The type that an optional wraps, written `T?`; a composed type keeps the
  /// parentheses that it needs.
  var singleOptionalSource: String {
    let text = wrapped.trimmedDescription
    return wrapped.is(SomeOrAnyTypeSyntax.self) || wrapped.is(FunctionTypeSyntax.self)
      || wrapped.is(CompositionTypeSyntax.self) ? "(\(text))?" : "\(text)?"
  }

  /// `(T)` is `T`.
  private static func withoutParentheses(_ type: TypeSyntax) -> TypeSyntax {
    guard let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
      let element = tuple.elements.first, element.firstName == nil, element.ellipsis == nil
    else { return type }
    return withoutParentheses(element.type)
  }

  /// The content of `T?`, `Optional<T>` and `Swift.Optional<T>`, or nil.
  private static func optionalContent(of type: TypeSyntax) -> TypeSyntax? {
    if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType }
    guard let (name, arguments) = standardName(of: type), name == "Optional",
      let first = arguments?.arguments.first?.argument, case .type(let content) = first
    else { return nil }
    return content
  }

  /// The name and generic arguments of `Name<…>` and `Swift.Name<…>`.
  private static func standardName(
    of type: TypeSyntax
  ) -> (name: String, arguments: GenericArgumentClauseSyntax?)? {
    if let identifier = type.as(IdentifierTypeSyntax.self) {
      return (identifier.name.text, identifier.genericArgumentClause)
    }
    if let member = type.as(MemberTypeSyntax.self), member.baseType.trimmedDescription == "Swift" {
      return (member.name.text, member.genericArgumentClause)
    }
    return nil
  }

  /// What messages call a type that cannot be stored, or nil for all others.
  private static func unsupportedKind(of type: TypeSyntax) -> String? {
    switch type.kind {
    case .tupleType: return "a tuple"
    case .functionType: return "a function"
    case .arrayType, .inlineArrayType: return "an array"
    case .dictionaryType: return "a dictionary"
    case .metatypeType: return "a metatype"
    case .someOrAnyType:
      let isAny = type.cast(SomeOrAnyTypeSyntax.self).someOrAnySpecifier.tokenKind == .keyword(.any)
      return isAny ? "an existential" : "an opaque type"
    case .compositionType: return "an existential"
    case .attributedType: return unsupportedKind(of: type.cast(AttributedTypeSyntax.self).baseType)
    default: break
    }
    guard let (name, arguments) = standardName(of: type) else { return nil }
    switch name {
    case "Any", "AnyObject": return "an existential"
    case "Array", "ContiguousArray", "ArraySlice": return arguments == nil ? nil : "an array"
    case "Dictionary": return arguments == nil ? nil : "a dictionary"
    case "Set": return arguments == nil ? nil : "a set"
    default: return nil
    }
  }
}
