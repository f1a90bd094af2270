import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacros

/// The macro `@_Inverse("property")`. It makes the getter of a property marked
/// `@Inverse`.
enum InverseGetterMacro: AccessorMacro {
  static var formatMode: FormatMode { .disabled }

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
    let path = "\\\(source).\(member)"
    return [
      AccessorDeclSyntax(
        text: """
          get { Whimbrel.LinkingObjects<\(source)>(_$row, of: \(literal.trimmed), as: \(path)) }
          """)
    ]
  }
}
