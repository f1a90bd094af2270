import SwiftParser
import SwiftSyntax

/// One `var` or `let` of a model class, read from its syntax.
struct PropertyDeclaration {
  /// What the declaration makes.
  enum Kind {
    /// A stored property of each object.
    case stored
    /// A stored property with `willSet` or `didSet`.
    case observed
    /// A property with a getter of its own.
    case computed
    /// A property of the type itself, which is never stored.
    case typeLevel
  }

  /// A name in an attribute: of `@StoredName`, or one that the property had before, of
  /// `@Renamed(from:)`.
  struct NameArgument {
    /// The expression in the attribute.
    let syntax: ExprSyntax
    /// The name, or nil when the expression is not a plain string literal.
    let value: String?
  }

  let syntax: VariableDeclSyntax
  let binding: PatternBindingSyntax
  let kind: Kind
  /// The name as it is written in code, with backticks where it has them, or
  /// nil when the declaration takes a tuple apart.
  let identifier: TokenSyntax?
  /// The type, or nil when it is not written.
  let type: TypeSpelling?
  let defaultValue: ExprSyntax?
  let markers: [(marker: PropertyMarker, attribute: AttributeSyntax)]
  let previousNames: [NameArgument]
  /// The name given by `@StoredName`, or nil.
  let givenName: NameArgument?
}

extension PropertyDeclaration {
  /// Reads a declaration.
  init?(_ syntax: VariableDeclSyntax) {
    guard let binding = syntax.bindings.first else { return nil }
    self.syntax = syntax
    self.binding = binding
    kind = Self.kind(of: syntax, binding)
    identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
    type = (binding.typeAnnotation?.type).map(TypeSpelling.init)
    defaultValue = binding.initializer?.value
    markers = syntax.attributes.plainAttributes.compactMap { attribute in
      attribute.marker.map { ($0, attribute) }
    }
    previousNames = markers.filter { $0.marker == .renamed }.flatMap {
      Self.names(in: $0.attribute)
    }
    givenName = markers.first { $0.marker == .named }.flatMap {
      Self.names(in: $0.attribute).first
    }
  }

  /// The attribute for a marker, or nil.
  func attribute(_ marker: PropertyMarker) -> AttributeSyntax? {
    markers.first { $0.marker == marker }?.attribute
  }

  /// Whether the property is one that the store keeps.
  var isPersisted: Bool {
    (kind == .stored || kind == .observed) && attribute(.transient) == nil && !isInverse
  }

  /// Whether the property is found from the links of other objects.
  var isInverse: Bool { attribute(.inverse) != nil }

  var isPrimaryKey: Bool { attribute(.primaryKey) != nil }
  /// Whether the property has an ordered index of its own.
  var isIndexed: Bool { indexKinds.contains(.ordered) }

  /// The name as it is written in code.
  var name: String { identifier?.text ?? binding.pattern.trimmedDescription }

  /// The name as it is in code, without backticks.
  var declaredName: String { identifier?.identifier?.name ?? name }

  /// The name in the schema: that of `@StoredName`, or the one in code.
  var schemaName: String { givenName?.value ?? declaredName }

  /// Whether an object must be given a value: there is neither a default value
  /// nor a nil, an empty collection or an empty `AnyValue` to start with.
  var isRequired: Bool { defaultValue == nil && impliedDefault == nil }

  /// What the property starts with where no default value is declared, as it is
  /// written in code, or nil.
  var impliedDefault: String? {
    guard let type else { return nil }
    if type.isOptional { return "nil" }
    if type.isAnyValue { return "\(type.source).none" }
    return type.collection == nil ? nil : "\(type.source)()"
  }

  /// The default value where it says more than the nil that an optional, or the
  /// emptiness that a collection starts with anyway.
  var significantDefault: ExprSyntax? {
    guard let defaultValue, !defaultValue.is(NilLiteralExprSyntax.self) else { return nil }
    if type?.collection != nil, defaultValue.isEmptyCollection { return nil }
    return defaultValue
  }

  /// How far the getter can be seen, in a class that can be seen so far.
  func access(in classAccess: AccessLevel) -> AccessLevel {
    min(AccessLevel(syntax.modifiers) ?? .internal, classAccess)
  }

  /// The modifier among these that the declaration carries, or nil.
  func modifier(_ keywords: Keyword...) -> DeclModifierSyntax? {
    syntax.modifiers.first { modifier in
      keywords.contains { modifier.name.tokenKind == .keyword($0) }
    }
  }

  private static func kind(
    of syntax: VariableDeclSyntax, _ binding: PatternBindingSyntax
  ) -> Kind {
    let isTypeLevel = syntax.modifiers.contains {
      $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class)
    }
    if isTypeLevel { return .typeLevel }
    switch binding.accessorBlock?.accessors {
    case nil: return .stored
    case .getter: return .computed
    case .accessors(let accessors):
      let areObservers = accessors.allSatisfy {
        let kind = $0.accessorSpecifier.tokenKind
        return kind == .keyword(.willSet) || kind == .keyword(.didSet)
      }
      return areObservers ? .observed : .computed
    }
  }

  /// The names of `from: "a", "b"` and of `from: ["a", "b"]`.
  private static func names(in attribute: AttributeSyntax) -> [NameArgument] {
    attribute.argumentExpressions.flatMap { expression in
      expression.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? [expression]
    }.map { expression in
      let literal = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
      return NameArgument(syntax: expression, value: literal)
    }
  }
}
