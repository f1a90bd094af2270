import SwiftSyntax

/// What `@Model` says about the objects of a class.
enum ModelKindArgument: String {
  /// The objects stand for themselves.
  case topLevel
  /// Each object belongs to another one.
  case embedded
}

extension ExprSyntax {
  /// Whether the expression is of the form `.name` or `ModelKind.name`.
  var spellsModelKind: Bool {
    guard let access = self.as(MemberAccessExprSyntax.self) else { return false }
    guard let base = access.base else { return true }
    return ["ModelKind", "Whimbrel.ModelKind"].contains(base.trimmedDescription)
  }

  /// The kind that the expression spells, or nil.
  var modelKind: ModelKindArgument? {
    guard spellsModelKind, let access = self.as(MemberAccessExprSyntax.self) else { return nil }
    return ModelKindArgument(rawValue: access.declName.trimmedDescription)
  }
}
