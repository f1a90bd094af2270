import SwiftSyntax

extension SyntaxProtocol {
  /// Returns the text of a type or an expression, with `Self` replaced by the
  /// name of the class.
  ///
  /// Types and default values are repeated inside of the box of values, where
  /// `Self` would mean the box.
  func namingClass(_ name: String) -> String {
    SelfReplacement(name: name).rewrite(trimmed).description
  }
}

/// A rewriter that replaces each `Self` with the name of a class.
private final class SelfReplacement: SyntaxRewriter {
  private let name: String

  init(name: String) {
    self.name = name
    super.init()
  }

  override func visit(_ token: TokenSyntax) -> TokenSyntax {
    guard token.tokenKind == .keyword(.Self) else { return token }
    return token.with(\.tokenKind, .identifier(name))
  }
}
