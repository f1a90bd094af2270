import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@_Inverse("property")`: the getter of a property marked `@Inverse`.
enum InverseGetterMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    guard let literal = node.argumentExpressions.first?.as(StringLiteralExprSyntax.self),
      let name = literal.representedLiteralValue,
      let variable = declaration.as(VariableDeclSyntax.self),
      let source = PropertyDeclaration(variable)?.inverseSource?.trimmed
    else { return [] }
    let member = name.isValidSwiftIdentifier(for: .memberAccess) ? name : "`\(name)`"
    return [
      """
      get {
        return Whimbrel.LinkingObjects<\(source)>(\
      _$row, of: \(literal.trimmed), as: \\\(source).\(raw: member))
      }
      """
    ]
  }
}
