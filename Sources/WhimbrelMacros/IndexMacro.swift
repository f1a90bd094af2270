import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The macro `@Index`. It tells `@Model` that a class has an index, and expands to nothing.
enum IndexMacro: PeerMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    if declaration.as(ClassDeclSyntax.self)?.attributes.containsModel == true { return [] }
    context.diagnose(
      node.diagnostic(.indexOutsideModel, fixIts: [.removing(ModelFixIt.removeIndex, node)]))
    return []
  }
}
