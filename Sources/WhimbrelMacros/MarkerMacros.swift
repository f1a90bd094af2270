import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// An attribute that says something about a property to `@Model` and expands to
/// nothing itself.
///
/// It reports its use in places where `@Model` does not see it.
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

  /// Whether the innermost declaration around is marked `@Model`; of what kind
  /// it is, is for `@Model` to judge.
  private static func isInModel(_ lexicalContext: [Syntax]) -> Bool {
    guard let innermost = lexicalContext.first else { return false }
    return innermost.asProtocol((any DeclGroupSyntax).self)?.attributes.containsModel == true
  }
}

/// `@PrimaryKey`
enum PrimaryKeyMacro: MarkerMacro {
  static let marker = PropertyMarker.primaryKey
}

/// `@Indexed`
enum IndexedMacro: MarkerMacro {
  static let marker = PropertyMarker.indexed
}

/// `@Transient`
enum TransientMacro: MarkerMacro {
  static let marker = PropertyMarker.transient
}

/// `@StoredName("name")`
enum StoredNameMacro: MarkerMacro {
  static let marker = PropertyMarker.named
}

/// `@Renamed(from:)`
enum RenamedMacro: MarkerMacro {
  static let marker = PropertyMarker.renamed
}

/// `@Inverse(of:)`
enum InverseMacro: MarkerMacro {
  static let marker = PropertyMarker.inverse
}
