import SwiftSyntax

/// The argument of `@Model` that says what kind of model a class is.
enum ModelKindArgument: String {
  case topLevel
  case embedded
}

extension ExprSyntax {
  /// Whether the expression has the form `.name` or `ModelKind.name`.
  var spellsModelKind: Bool {
    guard let access = self.as(MemberAccessExprSyntax.self) else { return false }
    guard let base = access.base else { return true }
    return ["ModelKind", "Whimbrel.ModelKind"].contains(base.trimmedDescription)
  }

  /// The kind that the expression names, or nil.
  var modelKind: ModelKindArgument? {
    guard spellsModelKind, let access = self.as(MemberAccessExprSyntax.self) else { return nil }
    return ModelKindArgument(rawValue: access.declName.trimmedDescription)
  }
}
