import SwiftSyntax

/// The body of an initializer, as far as its syntax tells what it sets.
struct InitializerBody {
  private let words: Set<String>
  private let callsOutside: Bool

  /// Reads a body.
  ///
  /// - Parameter variables: The properties of the class.
  init(_ body: CodeBlockSyntax, variables: [PropertyDeclaration]) {
    let tokens = Array(body.tokens(viewMode: .sourceAccurate))
    words = Set(tokens.compactMap { $0.identifier?.name })
    let computed = variables.filter { $0.kind == .computed }.map(\.declaredName)
    let plain = Set(variables.map(\.declaredName)).subtracting(computed)
    callsOutside =
      !words.isDisjoint(with: computed) || tokens.contains { $0.reaches(beyond: plain) }
  }

  /// Whether the initializer may set a property: it names it, or runs other code that may set it.
  func maySet(_ property: PropertyDeclaration) -> Bool {
    callsOutside || words.contains(property.declaredName)
  }
}

extension TokenSyntax {
  /// Whether code outside of the initializer receives the object here: `self` is used for something
  /// else than its plain properties, or a function is called that may be a method.
  fileprivate func reaches(beyond plainProperties: Set<String>) -> Bool {
    guard let reference = parent?.as(DeclReferenceExprSyntax.self) else { return false }
    let access = reference.parent?.as(MemberAccessExprSyntax.self)
    if tokenKind == .keyword(.self) {
      // Not the end of `Zone.self` or of `\.self`.
      guard reference.parent?.is(KeyPathPropertyComponentSyntax.self) != true else { return false }
      guard let access else { return true }
      guard access.base?.id == reference.id else { return false }
      let member = access.declName.baseName
      return !plainProperties.contains(member.identifier?.name ?? member.text)
    }
    guard let name = identifier?.name, access == nil,
      let call = reference.parent?.as(FunctionCallExprSyntax.self),
      call.calledExpression.id == reference.id
    else { return false }
    // A capital begins the name of a type.
    return name.first?.isUppercase == false && !Self.standardFunctions.contains(name)
  }

  /// The functions of the standard library that an initializer is likely to call.
  private static let standardFunctions: Set = [
    "abs", "assert", "assertionFailure", "debugPrint", "dump", "fatalError", "max", "min",
    "precondition", "preconditionFailure", "print", "round", "sequence", "stride", "swap", "type",
    "zip",
  ]
}
