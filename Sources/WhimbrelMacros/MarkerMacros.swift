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
      Diagnostic(node: node, message: problem, fixIts: [.removing(marker, node)]))
    return []
  }

  /// Returns whether the innermost enclosing declaration is marked `@Model`.
  /// `@Model` itself checks what kind of declaration that is.
  private static func isInModel(_ lexicalContext: [Syntax]) -> Bool {
    guard let innermost = lexicalContext.first else { return false }
    return innermost.asProtocol((any DeclGroupSyntax).self)?.attributes.containsModel == true
  }
}

/// The macro `@PrimaryKey`.
enum PrimaryKeyMacro: MarkerMacro {
  static let marker = PropertyMarker.primaryKey
}

/// The macro `@Indexed`.
enum IndexedMacro: MarkerMacro {
  static let marker = PropertyMarker.indexed
}

/// The macro `@Transient`.
enum TransientMacro: MarkerMacro {
  static let marker = PropertyMarker.transient
}

/// The macro `@StoredName("name")`.
enum StoredNameMacro: MarkerMacro {
  static let marker = PropertyMarker.named
}

/// The macro `@Renamed(from:)`.
enum RenamedMacro: MarkerMacro {
  static let marker = PropertyMarker.renamed
}

/// The macro `@Inverse(of:)`.
enum InverseMacro: MarkerMacro {
  static let marker = PropertyMarker.inverse
}
