import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A macro for a property that cannot be stored. Its accessors do nothing, so that the compiler
/// does not report further errors for the property.
protocol UnstorableMacro: AccessorMacro {
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

/// The body of generated code in a program for which the macro reports an error. Such a program does
/// not compile, so the code never runs. It names nothing that a property could hide.
let neverRuns = "while true {}"

/// The macro `@_Persisted(index, in: "Class", Type.self)` for a type that cannot be stored. The
/// compiler chooses it by the type.
enum UnstorableTypeMacro: UnstorableMacro {
  static func problem(_ property: PropertyDeclaration, of type: TypeSpelling) -> Diagnostic? {
    if let counterpart = type.counterpart {
      return property.collectionDiagnostic(for: type, counterpart, isUnstorable: true)
    }
    if type.isOptional, type.plainName == "AnyValue" {
      return type.syntax.diagnostic(
        .optionalAnyValue(name: property.schemaName),
        fixIts: [property.removeOptional(from: type)])
    }
    return type.syntax.diagnostic(
      .notPersistable(
        name: property.schemaName, type: type.wrapped.trimmedDescription,
        isTooLarge: type.plainName.map(TypeSpelling.tooLarge.contains) == true),
      fixIts: [property.markTransient])
  }
}

/// The macro `@_Persisted(index, in: "Class", elements: Type.self)` for a type that cannot be an
/// element.
enum UnstorableElementMacro: UnstorableMacro {
  static func problem(_ property: PropertyDeclaration, of type: TypeSpelling) -> Diagnostic? {
    guard let collection = type.collection, let element = type.elementType else { return nil }
    let spelling = TypeSpelling(element)
    return element.diagnostic(
      .elementNotPersistable(
        name: property.schemaName, collection: collection, type: spelling.source,
        isOptional: spelling.isOptional), fixIts: [property.markTransient])
  }
}

/// The macro `@_Persisted(index, in: "Class", Type.self)` for a model, because a link must be
/// optional.
enum RequiredLinkMacro: UnstorableMacro {
  static func problem(_ property: PropertyDeclaration, of type: TypeSpelling) -> Diagnostic? {
    return type.syntax.diagnostic(
      .requiredLink(name: property.schemaName, type: type.source),
      fixIts: [.useType(type.singleOptionalSource, for: type.syntax)])
  }
}

/// The macro `@_Persisted(index, in: "Class", Type.self)` for a collection that the property spells
/// as a type alias. The compiler chooses it by the type.
///
/// ``ModelMacro`` knows a collection by its spelling, and gives it a copying setter and an empty
/// collection to start with.
enum AliasedCollectionMacro: UnstorableMacro {
  static func problem(_ property: PropertyDeclaration, of type: TypeSpelling) -> Diagnostic? {
    return type.syntax.diagnostic(.aliasedCollection(name: property.schemaName, type: type.source))
  }
}

/// The macro `@_Unstored`. It makes the accessors of a property of a model with errors, for which
/// `@Model` reports the errors.
enum UnstoredMacro: UnstorableMacro {
  static func problem(_ property: PropertyDeclaration, of type: TypeSpelling) -> Diagnostic? { nil }
}
