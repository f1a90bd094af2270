import SwiftSyntax

/// The key path in `@Inverse(of:)`, read from its syntax.
struct InverseKeyPath {
  let syntax: ExprSyntax
  /// The class before the property, or nil if it is omitted.
  let root: String?
  /// The name of the property in the key path.
  let propertyName: String

  /// Reads an expression. Returns nil if it is not a key path to one property.
  init?(_ syntax: ExprSyntax) {
    guard let keyPath = syntax.as(KeyPathExprSyntax.self) else { return nil }
    var names: [TokenSyntax] = []
    for component in keyPath.components {
      guard let property = component.component.as(KeyPathPropertyComponentSyntax.self),
        property.genericArgumentClause == nil, property.declName.argumentNames == nil
      else { return nil }
      names.append(property.declName.baseName)
    }
    guard let last = names.popLast() else { return nil }
    // In '\Old.Zone.country' the parser takes only 'Old' as the root.
    guard names.isEmpty || keyPath.root != nil, names.allSatisfy(\.beginsWithCapital) else {
      return nil
    }
    self.syntax = syntax
    root = keyPath.root.map { root in
      ([root.trimmedDescription] + names.map(\.text)).joined(separator: ".")
    }
    propertyName = last.identifier?.name ?? last.text
  }
}

extension TokenSyntax {
  /// Whether the name starts with a capital, as the names of types do.
  fileprivate var beginsWithCapital: Bool { text.first?.isUppercase == true }
}
