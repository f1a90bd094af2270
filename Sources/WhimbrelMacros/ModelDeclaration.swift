import SwiftParser
import SwiftSyntax

/// A class marked `@Model`, read once from its syntax.
struct ModelDeclaration {
  let syntax: ClassDeclSyntax
  /// The `@Model` attribute.
  let attribute: AttributeSyntax
  /// The class name given to `@Model`, or nil.
  let classNameArgument: ExprSyntax?
  /// The kind given to `@Model`, or nil.
  let kindArgument: ExprSyntax?
  /// The names given to `renamedFrom:`.
  let previousNames: [PropertyDeclaration.NameArgument]
  /// The name in the schema, or nil when it is not a plain string literal.
  let className: String?
  /// How far members can be seen: those of a private class count as
  /// `fileprivate`, for the conformance stands outside of the class.
  let access: AccessLevel
  /// The indexes given by `@Index`.
  let indexes: [IndexDeclaration]
  /// Every property but those within `#if`, in the order declared.
  let variables: [PropertyDeclaration]
  /// The properties within `#if`.
  let conditionalVariables: [PropertyDeclaration]
  /// The initializers that are not convenience initializers.
  let initializers: [InitializerDeclSyntax]
}

extension ModelDeclaration {
  /// Reads a class.
  init(_ syntax: ClassDeclSyntax, attribute: AttributeSyntax) {
    self.syntax = syntax
    self.attribute = attribute
    // What follows the label belongs to it.
    let list = attribute.labeledArguments
    let split = list.firstIndex { $0.label?.text == "renamedFrom" } ?? list.endIndex
    var arguments = list[..<split].map(\.expression)
    previousNames = list[split...].map(\.expression).map { expression in
      let literal = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
      return PropertyDeclaration.NameArgument(syntax: expression, value: literal)
    }
    let hasKind = arguments.count > 1 || arguments.last?.spellsModelKind == true
    kindArgument = hasKind ? arguments.popLast() : nil
    classNameArgument = arguments.first
    if let argument = classNameArgument {
      className = argument.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    } else {
      className = syntax.name.identifier?.name ?? syntax.name.text
    }
    indexes = syntax.attributes.plainAttributes.filter(\.isIndex).map(IndexDeclaration.init)
    access = max(AccessLevel(syntax.modifiers) ?? .internal, .fileprivate)

    var members = Members()
    members.collect(syntax.memberBlock.members, isConditional: false)
    variables = members.variables
    conditionalVariables = members.conditionalVariables
    initializers = members.initializers
  }

  /// The name of the class as it is written in code.
  var name: String { syntax.name.text }

  /// The properties that the store keeps. A property's place among them is the
  /// index that its accessors read and write.
  var properties: [PropertyDeclaration] { variables.filter(\.isPersisted) }

  /// The properties that are found from the links of other objects.
  var inverses: [PropertyDeclaration] { variables.filter(\.isInverse) }

  /// Whether the class has a property `id` that can be seen less far than itself, and so cannot
  /// be what `Identifiable` asks for.
  var hidesIdentity: Bool {
    identityProperty.map { $0.access(in: .public) < access } ?? false
  }

  /// The property that is called `id`, or nil.
  private var identityProperty: PropertyDeclaration? {
    (variables + conditionalVariables).first { $0.name == "id" && $0.kind != .typeLevel }
  }

  /// A type in the class that has the name of the type of its identity without being that, or
  /// nil.
  var typeCalledID: TokenSyntax? {
    if let identityProperty, identityProperty.access(in: .public) >= access { return nil }
    for member in syntax.memberBlock.members.map(\.decl) where !member.is(FunctionDeclSyntax.self) {
      guard let name = member.asProtocol((any NamedDeclSyntax).self)?.name, name.text == "ID"
      else { continue }
      return name
    }
    return nil
  }

  /// Whether the objects belong to others.
  var isEmbedded: Bool { kindArgument?.modelKind == .embedded }

  /// The members that matter, gathered through any `#if`.
  private struct Members {
    var variables: [PropertyDeclaration] = []
    var conditionalVariables: [PropertyDeclaration] = []
    var initializers: [InitializerDeclSyntax] = []

    mutating func collect(_ list: MemberBlockItemListSyntax, isConditional: Bool) {
      for declaration in list.map(\.decl) {
        if let variable = declaration.as(VariableDeclSyntax.self) {
          guard let property = PropertyDeclaration(variable) else { continue }
          if isConditional {
            conditionalVariables.append(property)
          } else {
            variables.append(property)
          }
        } else if let initializer = declaration.as(InitializerDeclSyntax.self) {
          let isConvenience = initializer.modifiers.contains {
            $0.name.tokenKind == .keyword(.convenience)
          }
          if !isConvenience { initializers.append(initializer) }
        } else if let condition = declaration.as(IfConfigDeclSyntax.self) {
          for case .decls(let inner)? in condition.clauses.map(\.elements) {
            collect(inner, isConditional: true)
          }
        }
      }
    }
  }
}
