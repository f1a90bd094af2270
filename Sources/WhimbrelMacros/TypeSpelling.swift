import SwiftSyntax

/// A property's type, as far as its spelling tells.
///
/// A macro sees only syntax. The compiler decides whether a type can be stored: it chooses among
/// the overloads of `_Persisted` by the type.
struct TypeSpelling {
  /// The reason why a type cannot be stored, as far as its spelling tells.
  enum Flaw: Equatable {
    /// A kind of type that a store does not support, as messages name it.
    case unsupported(UnsupportedKind)
    /// An implicitly unwrapped optional: `T!`.
    case implicitlyUnwrapped
    /// An optional of an optional: `T??`.
    case nestedOptional
    /// The type `Self`.
    case covariantSelf
    /// An optional collection: `StoredList<T>?`.
    case optionalCollection(CollectionType)
    /// The type `LinkingObjects<T>`, which requires `@Inverse`.
    case linkingObjects
  }

  /// The type in the source, without parentheses around it.
  let syntax: TypeSyntax
  /// The type that an optional wraps, through all nested optionals; the type itself if it is not
  /// optional.
  let wrapped: TypeSyntax
  let isOptional: Bool
  /// The collection that the type is, or that the optional wraps; nil for other types.
  let collection: CollectionType?
  /// Whether the type is `AnyValue`, which may hold a value of any type, or none.
  let isAnyValue: Bool
  /// The reason why the type cannot be stored, or nil.
  let flaw: Flaw?

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

  /// Whether it is a type of the library or the system that a primary key may have.
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

  /// The name of the type without its module, or of the type that an optional wraps. It is nil if
  /// the type is not a plain name.
  var plainName: String? {
    if let member = wrapped.as(MemberTypeSyntax.self), member.genericArgumentClause == nil {
      let modules = ["Foundation", "Swift", "Whimbrel"]
      return modules.contains(member.baseType.trimmedDescription) ? member.name.text : nil
    }
    guard let name = wrapped.as(IdentifierTypeSyntax.self), name.genericArgumentClause == nil
    else { return nil }
    return name.name.text
  }

  /// The integer types that a store does not support.
  static let tooLarge: Set<String> = ["UInt", "UInt64", "Int128", "UInt128"]
  /// The types that a primary key never has. For other types, opening the store checks this.
  static let neverKeys: Set<String> = [
    "AnyValue", "Bool", "Data", "Date", "Decimal", "Double", "Float",
  ]
  /// The types that an index never has.
  static let neverIndexed: Set<String> = ["AnyValue", "Data"]
  /// The types without words, which a full-text index never has.
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

  /// The text of the type.
  var source: String { syntax.trimmedDescription }

  /// The type as an expression whose members can be used.
  ///
  /// `String?._$load` would be optional chaining.
  var expression: String {
    isOptional ? "Swift.Optional<\(wrapped.trimmedDescription)>" : source
  }

  /// The wrapped type as `T?`. A composed type keeps its parentheses.
  var singleOptionalSource: String {
    let text = wrapped.trimmedDescription
    return wrapped.is(SomeOrAnyTypeSyntax.self) || wrapped.is(FunctionTypeSyntax.self)
      || wrapped.is(CompositionTypeSyntax.self) ? "(\(text))?" : "\(text)?"
  }

  /// Returns the type without the parentheses of `(T)`.
  private static func withoutParentheses(_ type: TypeSyntax) -> TypeSyntax {
    guard let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
      let element = tuple.elements.first, element.firstName == nil, element.ellipsis == nil
    else { return type }
    return withoutParentheses(element.type)
  }

  /// Returns the content of `T?`, `Optional<T>` or `Swift.Optional<T>`, or nil.
  private static func optionalContent(of type: TypeSyntax) -> TypeSyntax? {
    if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType }
    guard let (name, arguments) = name(of: type, in: "Swift"), name == "Optional",
      let first = arguments?.arguments.first?.argument, case .type(let content) = first
    else { return nil }
    return content
  }

  /// Returns the name and generic arguments of `Name<…>` or `Module.Name<…>`.
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

extension TypeSyntax {
  /// The name with which the type begins: `App` for `App.Kind?`; nil for a type without a name.
  var firstName: String? {
    if let member = self.as(MemberTypeSyntax.self) { return member.baseType.firstName }
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.firstName }
    let name = self.as(IdentifierTypeSyntax.self)?.name
    return name.map { $0.identifier?.name ?? $0.text }
  }
}
