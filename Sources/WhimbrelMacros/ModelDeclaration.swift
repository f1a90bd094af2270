import SwiftParser
import SwiftSyntax

/// A class marked `@Model`, read once from its syntax.
struct ModelDeclaration {
  let syntax: ClassDeclSyntax
  let attribute: AttributeSyntax
  /// The class name in `@Model`, or nil.
  let classNameArgument: ExprSyntax?
  /// The kind in `@Model`, or nil.
  let kindArgument: ExprSyntax?
  let previousNames: [PropertyDeclaration.NameArgument]
  /// The name in the schema, or nil if it is not a plain string literal.
  let className: String?
  /// The access level of the generated members. For a private class it is `fileprivate`, because
  /// the conformance is outside of the class.
  let access: AccessLevel
  let indexes: [IndexDeclaration]
  /// The properties outside of `#if`, in the order of declaration.
  let variables: [PropertyDeclaration]
  /// The properties inside of `#if`.
  let conditionalVariables: [PropertyDeclaration]
  /// The initializers that are not convenience initializers.
  let initializers: [InitializerDeclSyntax]
}

extension ModelDeclaration {
  init(_ syntax: ClassDeclSyntax, attribute: AttributeSyntax) {
    self.syntax = syntax
    self.attribute = attribute
    // The names after the label `renamedFrom:` belong to it.
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
      className = Self.plainName(of: syntax)
    }
    indexes = syntax.attributes.plainAttributes.filter(\.isIndex).map(IndexDeclaration.init)
    access = max(AccessLevel(syntax.modifiers) ?? .internal, .fileprivate)

    var members = Members()
    members.collect(syntax.memberBlock.members, isConditional: false)
    variables = members.variables
    conditionalVariables = members.conditionalVariables
    initializers = members.initializers
  }

  /// The name of the class in the code.
  var name: String { syntax.name.text }

  /// The name of the class in the code, without backticks.
  var plainName: String { Self.plainName(of: syntax) }

  private static func plainName(of syntax: ClassDeclSyntax) -> String {
    syntax.name.identifier?.name ?? syntax.name.text
  }

  /// Whether the class has the name of a module that the generated code names.
  var hidesModule: Bool { ["Swift", "Whimbrel"].contains(plainName) }

  /// The properties that the store keeps. The position of a property among them is the index that
  /// its accessors use.
  var properties: [PropertyDeclaration] { variables.filter(\.isPersisted) }

  /// The properties that show the objects linking to this one.
  var inverses: [PropertyDeclaration] { variables.filter(\.isInverse) }

  /// Whether the class has a property `id` whose access level is lower than its own. Such a
  /// property cannot satisfy `Identifiable`.
  var hidesIdentity: Bool {
    identityProperty.map { $0.access(in: .public) < access } ?? false
  }

  private var identityProperty: PropertyDeclaration? {
    (variables + conditionalVariables).first { $0.name == "id" && $0.kind != .typeLevel }
  }

  /// The name token of a nested type `ID` that is not the type of the class's identity, or nil. It
  /// would shadow `Identifiable.ID`.
  var typeCalledID: TokenSyntax? {
    if let identityProperty, identityProperty.access(in: .public) >= access { return nil }
    for member in syntax.memberBlock.members.map(\.decl) where !member.is(FunctionDeclSyntax.self) {
      guard let name = member.asProtocol((any NamedDeclSyntax).self)?.name, name.text == "ID"
      else { continue }
      return name
    }
    return nil
  }

  /// Whether the class declares `==` for two of its objects.
  var declaresEquality: Bool {
    syntax.memberBlock.members.contains { member in
      guard let function = member.decl.as(FunctionDeclSyntax.self), function.name.text == "=="
      else { return false }
      let parameters = function.signature.parameterClause.parameters
      return parameters.allSatisfy { $0.type.trimmedDescription == name }
    }
  }

  /// The names of the cases of an enum `CodingKeys` in the class, or nil if there is none.
  var codingKeys: Set<String>? {
    let keys = syntax.memberBlock.members.lazy.compactMap { $0.decl.as(EnumDeclSyntax.self) }
      .first { $0.name.text == "CodingKeys" }
    return keys.map { keys in
      let cases = keys.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
      return Set(cases.flatMap(\.elements).map { $0.name.identifier?.name ?? $0.name.text })
    }
  }

  /// Whether the objects are embedded in others.
  var isEmbedded: Bool { kindArgument?.modelKind == .embedded }

  /// The members that matter, collected through any `#if`.
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
