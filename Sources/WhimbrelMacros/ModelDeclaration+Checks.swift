import SwiftDiagnostics
import SwiftSyntax

extension ModelDeclaration {
  /// Returns all errors and warnings of the model, grouped: the class, its properties, names,
  /// initializers.
  ///
  /// - Parameter lexicalContext: The declarations around the class, innermost first.
  func diagnostics(lexicalContext: [Syntax]) -> [Diagnostic] {
    var result = classDiagnostics(lexicalContext: lexicalContext)
    for variable in variables { result += variable.diagnostics(inClass: name) }
    result += ambiguousNameDiagnostics()
    result += repeatedNameDiagnostics()
    result += conditionalDiagnostics()
    result += primaryKeyDiagnostics()
    result += previousNameDiagnostics()
    result += indexDiagnostics()
    result += initializerDiagnostics()
    result += foreignFunctionDiagnostics()
    return result
  }

  /// Returns the problems of properties that have the same name in the store.
  private func repeatedNameDiagnostics() -> [Diagnostic] {
    var owners: [String: PropertyDeclaration] = [:]
    return properties.compactMap { property in
      let name = property.schemaName
      guard let first = owners.updateValue(property, forKey: name),
        // The compiler refuses two properties with the same name in the code.
        let syntax = property.givenName?.syntax ?? first.givenName?.syntax
      else { return nil }
      return syntax.diagnostic(
        .nameRepeated(
          name: property.declaredName, first: first.declaredName, schemaName: name))
    }
  }

  /// Returns the problems of the class itself and of its name.
  private func classDiagnostics(lexicalContext: [Syntax]) -> [Diagnostic] {
    var result: [Diagnostic] = []
    if !syntax.modifiers.contains(where: { $0.name.tokenKind == .keyword(.final) }) {
      result.append(syntax.name.diagnostic(.notFinal(name: name), fixIts: [addFinal]))
    }
    if hidesModule {
      let isOwnName = classNameArgument == nil
      result.append(
        syntax.name.diagnostic(.moduleName(name: plainName, isOwnName: isOwnName)))
    }
    if let parameters = syntax.genericParameterClause {
      result.append(parameters.diagnostic(.generic(name: name)))
    }
    result += contextDiagnostics(lexicalContext)
    result += superclassDiagnostics() + sendableDiagnostics()
    if let attribute = syntax.attributes.globalActor {
      let actor = attribute.attributeName.trimmedDescription
      result.append(
        attribute.diagnostic(
          .isolated(name: name, actor: actor), fixIts: [.removing(.removeActor(actor), attribute)]))
    }
    if let attribute = syntax.attributes.observable {
      result.append(
        attribute.diagnostic(
          .observable(name: name), fixIts: [.removing(.removeObservable, attribute)]))
    }
    result += classNameDiagnostics() + previousClassNameDiagnostics()
    result += kindDiagnostics()
    if let type = typeCalledID {
      result.append(type.diagnostic(.typeCalledID(name: name)))
    }
    return result
  }

  /// The fix-it that inserts `final` before `class`, or replaces `open` with `public final`.
  private var addFinal: FixIt {
    let open = syntax.modifiers.first { $0.name.tokenKind == .keyword(.open) }
    if let open { return .text(.addFinal, replacing: open, with: "public final") }
    return .text(.addFinal, inserting: "final ", before: syntax.classKeyword)
  }

  private func contextDiagnostics(_ lexicalContext: [Syntax]) -> [Diagnostic] {
    if let modifier = syntax.modifiers.first(where: { $0.name.tokenKind == .keyword(.private) }),
      let outer = lexicalContext.first?.asProtocol((any DeclGroupSyntax).self)
    {
      let outerName =
        outer.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
        ?? outer.asProtocol((any NamedDeclSyntax).self)?.name.text ?? ""
      return [
        modifier.diagnostic(
          .privateInType(name: name, outer: outerName),
          fixIts: [.text(.useFilePrivate, replacing: modifier, with: "fileprivate")])
      ]
    }
    for context in lexicalContext {
      if let type = context.asProtocol((any WithGenericParametersSyntax).self),
        type.genericParameterClause != nil,
        let outer = context.asProtocol((any NamedDeclSyntax).self)
      {
        return [syntax.name.diagnostic(.inGenericType(name: name, outer: outer.name.text))]
      }
      // The macro cannot see whether the type of a plain extension is generic.
      if let outer = context.as(ExtensionDeclSyntax.self), outer.isOfGenericType {
        return [
          syntax.name.diagnostic(
            .inGenericType(name: name, outer: outer.extendedType.trimmedDescription))
        ]
      }
      if context.asProtocol((any WithOptionalCodeBlockSyntax).self) != nil
        || context.is(ClosureExprSyntax.self)
      {
        return [syntax.name.diagnostic(.inFunction(name: name))]
      }
    }
    return []
  }

  /// Returns an error for a superclass that is known by name.
  ///
  /// ``SuperclassMacro`` reports any other superclass.
  private func superclassDiagnostics() -> [Diagnostic] {
    guard let clause = syntax.inheritanceClause, let first = clause.inheritedTypes.first
    else { return [] }
    let superclass = first.type.trimmedDescription
    let known = ["NSObject", "NSManagedObject", "Object", "EmbeddedObject"]
    let plainName = superclass.split(separator: ".").last.map(String.init) ?? superclass
    guard known.contains(plainName) else { return [] }
    let message = ModelDiagnostic.superclass(name: name, superclass: superclass)
    let fixIt = removal(of: first, from: clause, .removeSuperclass(superclass))
    return [first.type.diagnostic(message, fixIts: [fixIt])]
  }

  /// Returns an error for a conformance to `Sendable`, unless the class says that it is unchecked.
  private func sendableDiagnostics() -> [Diagnostic] {
    guard let clause = syntax.inheritanceClause else { return [] }
    return clause.inheritedTypes.compactMap { inherited in
      let name = inherited.type.trimmedDescription
      guard name == "Sendable" || name == "Swift.Sendable" else { return nil }
      return inherited.type.diagnostic(
        .sendable(name: self.name), fixIts: [removal(of: inherited, from: clause, .removeSendable)])
    }
  }

  /// Returns errors for functions that describe the schema to Realm. They would compile, and have no
  /// effect.
  private func foreignFunctionDiagnostics() -> [Diagnostic] {
    let markers: [String: PropertyMarker] = [
      "primaryKey": .primaryKey, "indexedProperties": .indexed, "ignoredProperties": .transient,
      "propertiesMapping": .named,
    ]
    return syntax.memberBlock.members.compactMap { member in
      guard let function = member.decl.as(FunctionDeclSyntax.self), function.modifiers.isTypeLevel,
        function.signature.parameterClause.parameters.isEmpty,
        let type = function.signature.returnClause?.type.trimmedDescription,
        ["String", "String?", "[String]", "[String: String]"].contains(type),
        let marker = markers[function.name.text]
      else { return nil }
      return function.name.diagnostic(.foreignFunction(name: function.name.text, marker: marker))
    }
  }

  /// Returns the fix-it that removes a type from an inheritance clause, with its comma and the space
  /// beside it, or the whole clause if it has nothing else.
  private func removal(
    of inherited: InheritedTypeSyntax, from clause: InheritanceClauseSyntax, _ message: ModelFixIt
  ) -> FixIt {
    let types = Array(clause.inheritedTypes)
    let position = types.firstIndex(of: inherited) ?? 0
    var start = inherited.positionAfterSkippingLeadingTrivia
    var end = inherited.endPositionBeforeTrailingTrivia
    if position + 1 < types.count {
      end = types[position + 1].positionAfterSkippingLeadingTrivia
    } else if position > 0 {
      start = types[position - 1].type.endPositionBeforeTrailingTrivia
    } else {
      start = clause.positionAfterSkippingLeadingTrivia
    }
    return FixIt(message, start..<end, in: clause, with: "")
  }

  /// Returns the problems of the name that the class has in the schema.
  private func classNameDiagnostics() -> [Diagnostic] {
    let node = classNameArgument.map(Syntax.init) ?? Syntax(syntax.name)
    guard let className else {
      // A single argument that is not a literal may be a name or a kind.
      let isName = kindArgument != nil || node.is(StringLiteralExprSyntax.self)
      let message: ModelDiagnostic = isName ? .classNameNotLiteral : .argumentNotLiteral
      return [node.diagnostic(message)]
    }
    if className.isEmpty {
      return [node.diagnostic(.classNameEmpty)]
    }
    if className.hasControlCharacter {
      return [node.diagnostic(.classNameControl)]
    }
    let byteCount = className.utf8.count
    guard byteCount > ModelDiagnostic.maximumClassNameByteCount else { return [] }
    return [node.diagnostic(.classNameTooLong(name: className, byteCount: byteCount))]
  }

  /// Returns an error for a kind of model that is not a literal.
  private func kindDiagnostics() -> [Diagnostic] {
    guard let kindArgument, kindArgument.modelKind == nil else { return [] }
    return [kindArgument.diagnostic(.kindNotLiteral)]
  }

  /// Returns errors for properties that hide what the generated code names: the class, the modules
  /// and the types of properties. A stored property also cannot have a name that has a meaning of
  /// its own after a type or as a parameter.
  private func ambiguousNameDiagnostics() -> [Diagnostic] {
    var names = Set((properties + inverses).flatMap(\.typeNames))
    names.formUnion([plainName, "Swift", "Whimbrel"])
    return (variables + conditionalVariables).filter {
      names.contains($0.declaredName)
        || $0.isPersisted && ["Protocol", "Type", "self"].contains($0.declaredName)
    }.map { property in
      property.binding.pattern.diagnostic(
        .ambiguousName(
          name: property.declaredName, schemaName: property.isPersisted ? property.schemaName : nil)
      )
    }
  }

  /// Returns errors for stored properties and inverses inside of `#if`.
  private func conditionalDiagnostics() -> [Diagnostic] {
    conditionalVariables.compactMap { property in
      let name = property.schemaName
      let node = property.binding.pattern
      if property.isInverse {
        return node.diagnostic(.inverseConditional(name: name))
      }
      guard property.isPersisted else { return nil }
      return node.diagnostic(.conditional(name: name), fixIts: [property.markTransient])
    }
  }

  /// Returns errors for a primary key of an embedded model, for a second primary key and for an
  /// optional one.
  private func primaryKeyDiagnostics() -> [Diagnostic] {
    let keys = properties.filter(\.isPrimaryKey)
    if isEmbedded {
      return keys.compactMap { $0.attribute(.primaryKey) }.map { attribute in
        attribute.diagnostic(
          .embeddedPrimaryKey(name: name), fixIts: [.removing(.primaryKey, attribute)])
      }
    }
    var result = keys.dropFirst().map { key in
      key.binding.pattern.diagnostic(
        .severalPrimaryKeys(name: key.schemaName, first: keys[0].schemaName),
        fixIts: key.attribute(.primaryKey).map { [.removing(.primaryKey, $0)] } ?? [])
    }
    for key in keys {
      guard let type = key.type, type.flaw == nil else { continue }
      if let name = type.plainName, TypeSpelling.neverKeys.contains(name) {
        result.append(
          type.syntax.diagnostic(.primaryKeyType(name: key.schemaName, type: type.source)))
        continue
      }
      guard type.isOptional else { continue }
      let required = type.wrapped.trimmedDescription
      result.append(
        type.syntax.diagnostic(
          .optionalPrimaryKey(name: key.schemaName),
          fixIts: [.text(.useType(required), replacing: type.syntax, with: required)]))
    }
    return result
  }

  /// Returns errors for hidden properties that make it impossible to create an object, and warnings
  /// for initializers that do not set a required property.
  private func initializerDiagnostics() -> [Diagnostic] {
    let required = properties.filter(\.isRequired)
    if initializers.isEmpty {
      return required.compactMap { property in
        let access = property.access(in: self.access)
        guard access <= .fileprivate, access < self.access else { return nil }
        return property.binding.pattern.diagnostic(
          .hiddenWithoutDefault(name: property.schemaName, access: access, className: name))
      }
    }
    return initializers.flatMap { initializer -> [Diagnostic] in
      guard let syntax = initializer.body else { return [] }
      let body = InitializerBody(syntax, variables: variables + conditionalVariables)
      return required.filter { !body.maySet($0) }.map {
        initializer.initKeyword.diagnostic(.neverSet(name: $0.schemaName))
      }
    }
  }
}

extension ExtensionDeclSyntax {
  /// Whether the extension itself tells that its type is generic.
  fileprivate var isOfGenericType: Bool {
    genericWhereClause != nil
      || extendedType.tokens(viewMode: .sourceAccurate).contains {
        [.leftAngle, .leftSquare, .postfixQuestionMark].contains($0.tokenKind)
      }
  }
}
