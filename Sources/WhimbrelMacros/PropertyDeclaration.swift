import SwiftParser
import SwiftSyntax

/// A `var` or `let` of a model class, read from its syntax.
struct PropertyDeclaration {
  /// A kind of declaration.
  enum Kind {
    /// A stored property of each object.
    case stored
    /// A stored property with `willSet` or `didSet`.
    case observed
    /// A property with its own getter.
    case computed
    /// A static or class property, which is never stored.
    case typeLevel
  }

  /// A name in an attribute: the name in `@StoredName`, or a previous name in `@Renamed(from:)`.
  struct NameArgument {
    let syntax: ExprSyntax
    /// The name, or nil if the expression is not a plain string literal.
    let value: String?
  }

  let syntax: VariableDeclSyntax
  let binding: PatternBindingSyntax
  let kind: Kind
  /// The name in the code, including backticks; nil if the declaration destructures a tuple.
  let identifier: TokenSyntax?
  /// The type that is written or that the default value has, or nil.
  let type: TypeSpelling?
  let defaultValue: ExprSyntax?
  let markers: [(marker: PropertyMarker, attribute: AttributeSyntax)]
  let previousNames: [NameArgument]
  /// The name in `@StoredName`, or nil.
  let givenName: NameArgument?
}

extension PropertyDeclaration {
  /// Reads a declaration. Returns nil if it has no binding.
  init?(_ syntax: VariableDeclSyntax) {
    guard let binding = syntax.bindings.first else { return nil }
    self.syntax = syntax
    self.binding = binding
    kind = Self.kind(of: syntax, binding)
    identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
    defaultValue = binding.initializer?.value
    type = (binding.typeAnnotation?.type ?? defaultValue?.inferredType).map(TypeSpelling.init)
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

  func attribute(_ marker: PropertyMarker) -> AttributeSyntax? {
    markers.first { $0.marker == marker }?.attribute
  }

  var isPersisted: Bool {
    (kind == .stored || kind == .observed) && attribute(.transient) == nil && !isInverse
  }

  /// Whether the property is an inverse, which shows the objects that link to this one.
  var isInverse: Bool { attribute(.inverse) != nil }

  var isPrimaryKey: Bool { attribute(.primaryKey) != nil }
  /// Whether the property has its own ordered index.
  var isIndexed: Bool { indexKinds.contains(.ordered) }

  /// The name in the code, including backticks.
  var name: String { identifier?.text ?? binding.pattern.trimmedDescription }

  /// The name in the code, without backticks.
  var declaredName: String { identifier?.identifier?.name ?? name }

  /// The name in the schema: the name in `@StoredName`, or the name in the code.
  var schemaName: String { givenName?.value ?? declaredName }

  /// Whether an object needs an explicit value: the property has no default value, and does not
  /// start as nil, as an empty collection or as an empty `AnyValue`.
  var isRequired: Bool { defaultValue == nil && impliedDefault == nil }

  /// The source text of the value that the property starts with if it declares no default value, or
  /// nil.
  var impliedDefault: String? {
    guard let type else { return nil }
    if type.isOptional { return "nil" }
    if type.isAnyValue { return "\(type.source).none" }
    return type.collection == nil ? nil : "\(type.source)()"
  }

  /// The default value, unless it is the nil or the empty collection that the property starts with
  /// anyway.
  var significantDefault: ExprSyntax? {
    guard let defaultValue, !defaultValue.is(NilLiteralExprSyntax.self) else { return nil }
    if type?.collection != nil, defaultValue.isEmptyCollection { return nil }
    return defaultValue
  }

  /// Returns the access level of the getter in a class with an access level.
  func access(in classAccess: AccessLevel) -> AccessLevel {
    min(AccessLevel(syntax.modifiers) ?? .internal, classAccess)
  }

  /// The names with which the generated code begins the types of the property and of its elements.
  var typeNames: [String] {
    [type?.wrapped, type?.elementType, inverseSource].compactMap { $0?.firstName }
  }

  /// Whether the code that uses the property is warned of it.
  var isDeprecated: Bool {
    syntax.attributes.plainAttributes.contains { attribute in
      attribute.plainName == "available"
        && attribute.tokens(viewMode: .sourceAccurate).contains { $0.text == "deprecated" }
    }
  }

  /// The attribute `@available(*, unavailable)`, or nil.
  var unavailability: AttributeSyntax? {
    syntax.attributes.plainAttributes.first { attribute in
      guard attribute.plainName == "available",
        case .availability(let arguments)? = attribute.arguments
      else { return false }
      let words = arguments.map { $0.argument.trimmedDescription }
      return words.first == "*" && words.contains("unavailable")
    }
  }

  /// Returns the statement that sets the property of an unmanaged object.
  ///
  /// Setting a collection copies it, as for a managed object.
  func assignment(of value: String) -> String {
    let property = "_$unmanaged.\(name)"
    return "\(property) = \(type?.collection == nil ? value : "\(property)._$assigned(\(value))")"
  }

  /// Returns the modifier of the declaration that is one of these, or nil.
  func modifier(_ keywords: Keyword...) -> DeclModifierSyntax? {
    syntax.modifiers.first { modifier in
      keywords.contains { modifier.name.tokenKind == .keyword($0) }
    }
  }

  private static func kind(
    of syntax: VariableDeclSyntax, _ binding: PatternBindingSyntax
  ) -> Kind {
    if syntax.modifiers.isTypeLevel { return .typeLevel }
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

  /// Returns the names in `from: "a", "b"` or in `from: ["a", "b"]`.
  private static func names(in attribute: AttributeSyntax) -> [NameArgument] {
    attribute.argumentExpressions.flatMap { expression in
      expression.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? [expression]
    }.map { expression in
      let literal = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
      return NameArgument(syntax: expression, value: literal)
    }
  }
}

extension DeclModifierListSyntax {
  /// Whether a declaration belongs to the type: it is `static` or `class`.
  var isTypeLevel: Bool {
    contains { $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class) }
  }
}
