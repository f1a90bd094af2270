import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The macro `@Model`, which makes a class a model.
///
/// The macro has three roles, and each role reads the class separately. Only the member role
/// reports problems, so that each is reported once. A model with errors gets the members that the
/// rest of the program needs to compile: see ``PlaceholderMembers``.
enum ModelMacro {
  static var formatMode: FormatMode { .disabled }

  /// The result of checking a class. It decides what each role generates.
  private enum Verdict {
    /// The class has no errors.
    case sound
    /// The class has errors, but other code can still use it as a model.
    case placeholder
    /// The class cannot be a model where it is declared.
    case hopeless
  }

  /// Returns the class and its verdict, or nil if the declaration is not a class.
  private static func judge(
    _ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax,
    in context: some MacroExpansionContext
  ) -> (model: ModelDeclaration, verdict: Verdict)? {
    guard let syntax = declaration.as(ClassDeclSyntax.self) else { return nil }
    let model = ModelDeclaration(syntax, attribute: attribute)
    // The lexical context of a member starts with the class itself.
    let isOfMember = context.lexicalContext.first?.as(ClassDeclSyntax.self)?.name.text == model.name
    let lexicalContext = context.lexicalContext.dropFirst(isOfMember ? 1 : 0)
    let diagnostics = model.diagnostics(lexicalContext: Array(lexicalContext))
    return (model, verdict(model, diagnostics))
  }

  private static func verdict(_ model: ModelDeclaration, _ diagnostics: [Diagnostic]) -> Verdict {
    let errors = diagnostics.filter { $0.diagMessage.severity == .error }
    let isHopeless = errors.contains { ($0.diagMessage as? ModelDiagnostic)?.isHopeless == true }
    if isHopeless { return .hopeless }
    let isSound = errors.isEmpty && !model.properties.contains(where: \.hasEmptyObjectId)
    return isSound && model.className != nil ? .sound : .placeholder
  }
}

extension ModelMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let syntax = declaration.as(ClassDeclSyntax.self) else {
      context.diagnose(notAClass(declaration, attribute: node))
      return []
    }
    let model = ModelDeclaration(syntax, attribute: node)
    let diagnostics = model.diagnostics(lexicalContext: context.lexicalContext)
    diagnostics.forEach(context.diagnose)
    switch verdict(model, diagnostics) {
    case .sound: return ModelMembers(model: model, className: model.className ?? "").declarations
    case .placeholder: return PlaceholderMembers(model: model).declarations
    case .hopeless: return []
    }
  }

  /// Returns the error for a declaration that is not one of a class.
  private static func notAClass(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax
  ) -> Diagnostic {
    if let type = declaration.as(ExtensionDeclSyntax.self)?.extendedType {
      return type.diagnostic(.onExtension(name: type.trimmedDescription))
    }
    let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name
    let kind =
      switch declaration.kind {
      case .structDecl: "a struct"
      case .enumDecl: "an enum"
      case .actorDecl: "an actor"
      case .protocolDecl: "a protocol"
      default: "not a class"
      }
    let keyword = declaration.as(StructDeclSyntax.self)?.structKeyword
    let fixIt = keyword.map { FixIt.text(.useFinalClass, replacing: $0, with: "final class") }
    return (name.map(Syntax.init) ?? Syntax(attribute)).diagnostic(
      .notAClass(kind: kind, name: name?.text ?? declaration.introducer.text),
      fixIts: fixIt.map { [$0] } ?? [])
  }
}

extension ModelMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) -> [AttributeSyntax] {
    guard let variable = member.as(VariableDeclSyntax.self),
      let property = PropertyDeclaration(variable), property.isPersisted || property.isInverse
    else { return [] }
    let texts = MemberAttributes.texts(of: Syntax(declaration), node, context.lexicalContext) {
      judge(declaration, node, in: context).map { attributes(of: $0.model, $0.verdict) } ?? [:]
    }
    return texts[property.declaredName, default: []].map { AttributeSyntax(text: $0) }
  }

  /// Returns the attributes that give properties their accessors, by the declared names of the
  /// properties. The first property also gets the attribute that checks the superclass.
  private static func attributes(
    of model: ModelDeclaration, _ verdict: Verdict
  ) -> [String: [String]] {
    var texts: [String: [String]] = [:]
    // The attribute itself could not be named.
    guard !model.hidesModule else { return [:] }
    guard verdict == .sound, let className = model.className else {
      for property in model.placeholders + model.inverses {
        // With accessors, the compiler would say that the wrapper is on a computed property.
        let attributes = property.syntax.attributes
        guard attributes.knownWrapper == nil, attributes.observationIgnored == nil else { continue }
        texts[property.declaredName] = ["Whimbrel._Unstored"]
      }
      return texts
    }
    for property in model.inverses {
      guard let name = property.inverseKeyPath?.propertyName else { continue }
      texts[property.declaredName] = ["Whimbrel._Inverse(\(name.swiftLiteral))"]
    }
    for (index, property) in model.properties.enumerated() {
      let type = property.type?.syntax.namingClass(model.name) ?? ""
      // A collection whose elements cannot be stored is not a valid type, so only its element type
      // is named.
      let element = property.type?.elementType?.namingClass(model.name)
      let argument = element.map { "elements: \($0).self" } ?? "\(type).self"
      texts[property.declaredName] = [
        "Whimbrel._Persisted(\(index), in: \(className.swiftLiteral), \(argument))"
      ]
    }
    for type in model.possibleSuperclasses {
      guard let first = model.properties.first else { break }
      // In a composition, `any` stands before a class as well as before a protocol.
      let source = type.trimmedDescription
      texts[first.declaredName, default: []].append(
        "Whimbrel._Superclass(\(source.swiftLiteral), (any \(source) & Swift.Sendable).self)")
    }
    return texts
  }
}

extension ModelMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    // `protocols` is empty if the class declares the conformance itself.
    guard !protocols.isEmpty, let (model, verdict) = judge(declaration, node, in: context),
      verdict != .hopeless
    else { return [] }
    let availability = model.syntax.attributes.plainAttributes
      .filter { $0.plainName == "available" }
      .map { "\($0.trimmedDescription)\n" }.joined()
    let ownProtocols = protocols.filter {
      // `@Observable`, which is an error, adds the conformance itself.
      model.syntax.attributes.observable == nil || $0.trimmedDescription != "Observable"
    }
    let conformances = conformances(to: ownProtocols).joined(separator: ", ")
    // In a module whose default isolation is the main actor, the extension would be isolated,
    // although the class is not.
    let header = "\(availability)nonisolated extension \(type.trimmed): \(conformances)"
    return [ExtensionDeclSyntax(header: header)]
  }

  /// Returns the protocols of the extension, with their modules, so that a type of the program
  /// cannot shadow them.
  ///
  /// The protocols that `Model` inherits are listed too. The compiler may need a conformance before
  /// it has expanded the model, for example for the type of a key path in an `@Inverse` of another
  /// model. At that time it knows the conformances that the macro declares, and not the inherited
  /// ones.
  private static func conformances(to protocols: [TypeSyntax]) -> [String] {
    protocols.map { type in
      let name = type.as(MemberTypeSyntax.self)?.name.text ?? type.trimmedDescription
      if name == "Observable" { return "Whimbrel._Observable" }
      return "\(standardProtocols.contains(name) ? "Swift" : "Whimbrel").\(name)"
    }
  }

  private static let standardProtocols: Set = ["Hashable", "Identifiable", "TextOutputStreamable"]
}
