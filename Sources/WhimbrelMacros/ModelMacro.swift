import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Model`: makes a class a model.
///
/// The macro has three roles, and each reads the class afresh. Only the member
/// role reports what is wrong, so that everything is said once; for a model
/// with errors every role expands to nothing.
enum ModelMacro {
  static var formatMode: FormatMode { .disabled }

  /// The class, when there are no errors in it.
  private static func sound(
    _ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax,
    in context: some MacroExpansionContext
  ) -> ModelDeclaration? {
    guard let syntax = declaration.as(ClassDeclSyntax.self) else { return nil }
    let model = ModelDeclaration(syntax, attribute: attribute)
    // The context of a member begins with the class itself.
    let isOfMember = context.lexicalContext.first?.as(ClassDeclSyntax.self)?.name.text == model.name
    let lexicalContext = context.lexicalContext.dropFirst(isOfMember ? 1 : 0)
    let diagnostics = model.diagnostics(lexicalContext: Array(lexicalContext))
    return diagnostics.contains { $0.diagMessage.severity == .error } ? nil : model
  }
}

extension ModelMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let syntax = declaration.as(ClassDeclSyntax.self) else {
      context.diagnose(notAClass(declaration, attribute: node))
      return []
    }
    let model = ModelDeclaration(syntax, attribute: node)
    let diagnostics = model.diagnostics(lexicalContext: context.lexicalContext)
    diagnostics.forEach(context.diagnose)
    guard !diagnostics.contains(where: { $0.diagMessage.severity == .error }),
      let className = model.className
    else { return [] }
    return ModelMembers(model: model, className: className).declarations
  }

  /// Says that `@Model` stands before something that is not a class.
  private static func notAClass(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax
  ) -> Diagnostic {
    let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name
    let kind =
      switch declaration.kind {
      case .structDecl: "a struct"
      case .enumDecl: "an enum"
      case .actorDecl: "an actor"
      case .protocolDecl: "a protocol"
      case .extensionDecl: "an extension"
      default: "no class"
      }
    let keyword = declaration.as(StructDeclSyntax.self)?.structKeyword
    let fixIt = keyword.map { FixIt.text(.useFinalClass, replacing: $0, with: "final class") }
    return Diagnostic(
      node: name.map(Syntax.init) ?? Syntax(attribute),
      message: ModelDiagnostic.notAClass(
        kind: kind, name: name?.text ?? declaration.introducer.text),
      fixIts: fixIt.map { [$0] } ?? [])
  }
}

extension ModelMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) -> [AttributeSyntax] {
    guard let variable = member.as(VariableDeclSyntax.self),
      let property = PropertyDeclaration(variable), property.isPersisted || property.isInverse,
      let model = sound(declaration, node, in: context), let className = model.className
    else { return [] }
    if let name = property.inverseKeyPath?.propertyName {
      let isListed = model.inverses.contains { $0.schemaName == property.schemaName }
      return isListed ? [AttributeSyntax(text: "Whimbrel._Inverse(\(name.swiftLiteral))")] : []
    }
    guard
      let index = model.properties.firstIndex(where: { $0.schemaName == property.schemaName })
    else { return [] }
    return [AttributeSyntax(text: "Whimbrel._Persisted(\(index), in: \(className.swiftLiteral))")]
  }
}

extension ModelMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    // There is nothing to add when the class spells the conformance itself.
    guard !protocols.isEmpty, let model = sound(declaration, node, in: context) else { return [] }
    let availability = model.syntax.attributes.plainAttributes
      .filter { $0.plainName == "available" }
      .map { "\($0.trimmedDescription)\n" }.joined()
    let conformances = conformances(to: protocols).joined(separator: ", ")
    let header = "\(availability)extension \(type.trimmed): \(conformances)"
    return [ExtensionDeclSyntax(header: header)]
  }

  /// The protocols of the extension, with their modules, so that no type of the program hides
  /// them.
  ///
  /// What `Model` inherits is spelled too. The compiler may be asked for a conformance before it
  /// has expanded the model, by the type of a key path in an `@Inverse` of another model for
  /// one; it then finds those that the macro declares, and not those that follow from them.
  private static func conformances(to protocols: [TypeSyntax]) -> [String] {
    protocols.map { type in
      let name = type.as(MemberTypeSyntax.self)?.name.text ?? type.trimmedDescription
      return "\(standardProtocols.contains(name) ? "Swift" : "Whimbrel").\(name)"
    }
  }

  private static let standardProtocols: Set = ["Hashable", "Identifiable", "TextOutputStreamable"]
}
