import SwiftSyntax

extension SyntaxProtocol {
  /// The text of a type or an expression, with the name of the class for
  /// `Self`.
  ///
  /// Types and default values are repeated within the box of values, where
  /// `Self` would mean the box.
  func namingClass(_ name: String) -> String {
    SelfReplacement(name: name).rewrite(trimmed).description
  }
}

/// Puts the name of a class in the place of each `Self`.
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
