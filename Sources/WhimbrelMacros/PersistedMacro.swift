import SwiftSyntax
import SwiftSyntaxMacros

/// The macro `@_Persisted(index, in: "Class", Type.self)`. It makes the accessors of a stored
/// property.
///
/// It does not make an `init` accessor, so the compiler drops the initial value of the property.
/// `ModelMembers` repeats that value where it is needed.
enum PersistedMacro: AccessorMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    let arguments = node.argumentExpressions
    guard arguments.count >= 2, let variable = declaration.as(VariableDeclSyntax.self),
      let property = PropertyDeclaration(variable), let type = property.type
    else { return [] }
    let index = arguments[0].trimmed
    let name = property.name
    var value = "_$unmanaged.\(name)"
    if property.isRequired {
      let schemaName = property.schemaName.swiftLiteral
      value = "Whimbrel._$value(\(value), of: \(schemaName), in: \(arguments[1].trimmed))"
    }
    return [
      AccessorDeclSyntax(
        text: """
          get {
            if _$row.isManaged { return \(type.expression)._$load(&_$row, \(index)) }
            return \(value)
          }
          """),
      AccessorDeclSyntax(
        text: """
          set {
            if _$row.isManaged { return \(type.expression)._$store(newValue, &_$row, \(index)) }
            \(property.assignment(of: "newValue"))
          }
          """),
    ]
  }
}
