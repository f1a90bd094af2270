import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension ModelDeclaration {
  /// The types of which one may be the superclass.
  ///
  /// A macro cannot distinguish a class from a protocol, but the compiler can: it chooses by type
  /// between the two macros `@_Superclass`. A superclass comes first, possibly in a composition.
  var possibleSuperclasses: [TypeSyntax] {
    guard let type = syntax.inheritanceClause?.inheritedTypes.first?.type else { return [] }
    let types = type.as(CompositionTypeSyntax.self)?.elements.map(\.type) ?? [type]
    return types.filter { $0.is(IdentifierTypeSyntax.self) || $0.is(MemberTypeSyntax.self) }
  }
}

/// The macro `@_Superclass("Type", Type.self)` for a class. The compiler chooses it by the type.
///
/// The error stands at the property that has the attribute: a macro of a member knows the text of
/// the class, but not its place.
enum SuperclassMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    let arguments = node.arguments?.as(LabeledExprListSyntax.self)
    guard let literal = arguments?.first?.expression.as(StringLiteralExprSyntax.self),
      let superclass = literal.representedLiteralValue,
      let model = context.lexicalContext.first?.as(ClassDeclSyntax.self)
    else { return [] }
    context.diagnose(
      declaration.diagnostic(.superclass(name: model.name.text, superclass: superclass)))
    return []
  }
}

/// The macro `@_Superclass("Type", Type.self)` for a protocol. It makes nothing.
enum InheritedProtocolMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] { [] }
}
