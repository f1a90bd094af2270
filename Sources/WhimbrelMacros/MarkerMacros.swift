import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// An attribute that tells `@Model` something about a property, and expands to
/// nothing.
///
/// It reports an error where `@Model` does not see it.
protocol MarkerMacro: PeerMacro {
  static var marker: PropertyMarker { get }
}

extension MarkerMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    let problem: ModelDiagnostic
    if !declaration.is(VariableDeclSyntax.self) {
      problem = .markerNotOnProperty(marker: marker)
    } else if !isInModel(context.lexicalContext) {
      problem = .markerOutsideModel(marker: marker)
    } else {
      return []
    }
    context.diagnose(
      node.diagnostic(problem, fixIts: [.removing(marker, node)]))
    return []
  }

  /// Returns whether the innermost enclosing declaration is marked `@Model`.
  /// `@Model` itself checks what kind of declaration that is.
  private static func isInModel(_ lexicalContext: [Syntax]) -> Bool {
    guard let innermost = lexicalContext.first else { return false }
    return innermost.asProtocol((any DeclGroupSyntax).self)?.attributes.containsModel == true
  }
}

enum PrimaryKeyMacro: MarkerMacro {
  static let marker = PropertyMarker.primaryKey
}

enum IndexedMacro: MarkerMacro {
  static let marker = PropertyMarker.indexed
}

enum TransientMacro: MarkerMacro {
  static let marker = PropertyMarker.transient
}

enum StoredNameMacro: MarkerMacro {
  static let marker = PropertyMarker.named
}

enum RenamedMacro: MarkerMacro {
  static let marker = PropertyMarker.renamed
}

enum InverseMacro: MarkerMacro {
  static let marker = PropertyMarker.inverse
}
