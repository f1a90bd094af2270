import SwiftSyntax

/// What the spelling of a property's type tells about it.
///
/// A macro sees syntax only. Whether the type can be stored at all is found by
/// the compiler, which chooses among the overloads of `_Persisted` by the type.
struct TypeSpelling {
  /// Why a type cannot be stored, as far as its spelling tells.
  enum Flaw: Equatable {
    /// A kind of type that a store has no place for, as messages name it.
    case unsupported(UnsupportedKind)
    /// `T!`
    case implicitlyUnwrapped
    /// `T??`
    case nestedOptional
    /// `Self`
    case covariantSelf
    /// `StoredList<T>?`
    case optionalCollection(CollectionType)
    /// `LinkingObjects<T>`, which belongs to `@Inverse`.
    case linkingObjects
  }

  /// The type as it was written, without parentheses around it.
  let syntax: TypeSyntax
  /// The type that an optional wraps, the type itself otherwise; of nested
  /// optionals the innermost.
  let wrapped: TypeSyntax
  /// Whether the type is an optional.
  let isOptional: Bool
  /// Which collection the type is, or the optional wraps, or nil.
  let collection: CollectionType?
  /// Whether the type is `AnyValue`, which may hold a value of any type or none.
  let isAnyValue: Bool
  /// Why the type cannot be stored, or nil.
  let flaw: Flaw?

  /// Reads a type annotation.
  init(_ type: TypeSyntax) {
    syntax = Self.withoutParentheses(type)
    let implicit = syntax.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    var depth = implicit == nil ? 0 : 1
    var innermost = implicit.map { Self.withoutParentheses($0.wrappedType) } ?? syntax
    while let next = Self.optionalContent(of: innermost) {
      innermost = Self.withoutParentheses(next)
      depth += 1
    }
    wrapped = innermost
    isOptional = depth > 0
    let library = Self.name(of: innermost, in: "Whimbrel")
    collection = library?.arguments == nil ? nil : library.flatMap { .init(rawValue: $0.name) }
    isAnyValue = !isOptional && library?.name == "AnyValue"
    if let collection, isOptional {
      flaw = .optionalCollection(collection)
    } else if library?.name == "LinkingObjects" {
      flaw = .linkingObjects
    } else if implicit != nil {
      flaw = .implicitlyUnwrapped
    } else if innermost.as(IdentifierTypeSyntax.self)?.name.tokenKind == .keyword(.Self) {
      flaw = .covariantSelf
    } else if let kind = Self.unsupportedKind(of: innermost) {
      flaw = .unsupported(kind)
    } else {
      flaw = depth > 1 ? .nestedOptional : nil
    }
  }

  /// Whether it is one of the types that come with the library or the system and that a
  /// primary key may have.
  var isPlainKey: Bool {
    guard !isOptional else { return false }
    return ["Swift", "Foundation", "Whimbrel"].contains { module in
      Self.name(of: wrapped, in: module).map { Self.plainKeys.contains($0.name) } ?? false
    }
  }

  private static let plainKeys: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "String", "UUID",
    "ObjectId",
  ]

  /// The name of the type, or of the one that an optional wraps, without its module; nil when it
  /// is not a name alone.
  var plainName: String? {
    if let member = wrapped.as(MemberTypeSyntax.self), member.genericArgumentClause == nil {
      let modules = ["Foundation", "Swift", "Whimbrel"]
      return modules.contains(member.baseType.trimmedDescription) ? member.name.text : nil
    }
    guard let name = wrapped.as(IdentifierTypeSyntax.self), name.genericArgumentClause == nil
    else { return nil }
    return name.name.text
  }

  /// Integers that a store has no place for.
  static let tooLarge: Set<String> = ["UInt", "UInt64", "Int128", "UInt128"]
  /// Types whose values never are a primary key; of others the store says so.
  static let neverKeys: Set<String> = [
    "AnyValue", "Bool", "Data", "Date", "Decimal", "Double", "Float",
  ]
  /// Types whose values are in no index.
  static let neverIndexed: Set<String> = ["AnyValue", "Data"]
  /// Types whose values have no words.
  static let neverText: Set<String> = neverKeys.union([
    "Int", "Int8", "Int16", "Int32", "Int64", "ObjectId", "UInt8", "UInt16", "UInt32", "UUID",
  ])

  /// The type of the elements of a collection, or of the values of a map.
  var elementType: TypeSyntax? {
    guard collection != nil,
      let last = Self.name(of: wrapped, in: "Whimbrel")?.arguments?.arguments.last?.argument,
      case .type(let type) = last
    else { return nil }
    return type
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
    guard let (name, arguments) = name(of: type, in: "Swift"), name == "Optional",
      let first = arguments?.arguments.first?.argument, case .type(let content) = first
    else { return nil }
    return content
  }

  /// The name and generic arguments of `Name<…>` and `Module.Name<…>`.
  static func name(
    of type: TypeSyntax, in module: String
  ) -> (name: String, arguments: GenericArgumentClauseSyntax?)? {
    if let identifier = type.as(IdentifierTypeSyntax.self) {
      return (identifier.name.text, identifier.genericArgumentClause)
    }
    if let member = type.as(MemberTypeSyntax.self), member.baseType.trimmedDescription == module {
      return (member.name.text, member.genericArgumentClause)
    }
    return nil
  }
}
