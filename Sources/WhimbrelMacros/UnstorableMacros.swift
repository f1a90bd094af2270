import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The accessors of a property that cannot be stored: they do nothing, so that the compiler says
/// nothing more of it.
protocol UnstorableMacro: AccessorMacro {
  /// What is wrong with a property.
  static func problem(_ property: PropertyDeclaration, of type: TypeSpelling) -> Diagnostic?
}

extension UnstorableMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      let property = PropertyDeclaration(variable), let type = property.type
    else { return [] }
    if let problem = problem(property, of: type) { context.diagnose(problem) }
    return ["get { \(raw: neverRuns) }", "set {}"]
  }
}

/// The body of what only programs with an error have that the macro reports.
// Safe: such programs do not compile, and so it never runs.
let neverRuns = "Swift.fatalError()"

/// `@_Persisted(index, in: "Class", Type.self)` where the type cannot be stored: the compiler
/// chooses it by the type, and so it is the one that knows.
enum UnstorableTypeMacro: UnstorableMacro {
  static func problem(_ property: PropertyDeclaration, of type: TypeSpelling) -> Diagnostic? {
    if let counterpart = type.counterpart {
      return property.collectionDiagnostic(for: type, counterpart, isUnstorable: true)
    }
    let message = ModelDiagnostic.notPersistable(
      name: property.schemaName, type: type.wrapped.trimmedDescription,
      isTooLarge: type.plainName.map(TypeSpelling.tooLarge.contains) == true)
    return Diagnostic(node: type.syntax, message: message, fixIts: [property.markTransient])
  }
}

/// `@_Persisted(index, in: "Class", elements: Type.self)` where the type cannot be an element.
enum UnstorableElementMacro: UnstorableMacro {
  static func problem(_ property: PropertyDeclaration, of type: TypeSpelling) -> Diagnostic? {
    guard let collection = type.collection, let element = type.elementType else { return nil }
    let spelling = TypeSpelling(element)
    let message = ModelDiagnostic.elementNotPersistable(
      name: property.schemaName, collection: collection, type: spelling.source,
      isOptional: spelling.isOptional)
    return Diagnostic(node: element, message: message, fixIts: [property.markTransient])
  }
}

/// `@_Persisted(index, in: "Class", Type.self)` where the type is a model: links are optional.
enum RequiredLinkMacro: UnstorableMacro {
  static func problem(_ property: PropertyDeclaration, of type: TypeSpelling) -> Diagnostic? {
    let message = ModelDiagnostic.requiredLink(name: property.schemaName, type: type.source)
    return Diagnostic(
      node: type.syntax, message: message,
      fixIts: [.useType(type.singleOptionalSource, for: type.syntax)])
  }
}

/// `@_Unstored`: the accessors of a property of a model with errors, of which the model tells.
enum UnstoredMacro: UnstorableMacro {
  static func problem(_ property: PropertyDeclaration, of type: TypeSpelling) -> Diagnostic? { nil }
}
