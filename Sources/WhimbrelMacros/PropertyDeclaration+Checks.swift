import SwiftDiagnostics
import SwiftSyntax

extension PropertyDeclaration {
  /// Returns the problems of this property, regardless of the other properties
  /// of the class.
  func diagnostics(inClass className: String) -> [Diagnostic] {
    if let attribute = attribute(.inverse) {
      return inverseDiagnostics(attribute, inClass: className)
    }
    var result = markerDiagnostics()
    guard isPersisted else { return result + transientDiagnostics() }
    let shape = shapeDiagnostics()
    // The other checks require a declaration of one name.
    guard shape.isEmpty else { return result + shape }
    result += storageDiagnostics()
    // The type of an inverse is checked after the attribute has been replaced.
    if isForeignInverse { return result }
    result += nameDiagnostics()
    result += typeDiagnostics(inClass: className)
    result += defaultValueDiagnostics()
    result += collectionDiagnostics()
    return result
  }

  /// The fix-it that inserts `@Transient` before the declaration.
  var markTransient: FixIt {
    .text(.markTransient, inserting: "@Transient ", before: syntax)
  }

  /// Returns errors for markers on a property that is not stored.
  private func markerDiagnostics() -> [Diagnostic] {
    guard !isPersisted else { return [] }
    return markers.filter { $0.marker != .transient }.map { marker, attribute in
      let message: ModelDiagnostic =
        switch kind {
        case .computed: .markerOnComputed(marker: marker, name: declaredName)
        case .typeLevel: .markerOnTypeLevel(marker: marker, name: declaredName)
        case .stored, .observed: .markerOnTransient(marker: marker, name: declaredName)
        }
      return attribute.diagnostic(message, fixIts: [.removing(marker, attribute)])
    }
  }

  /// Returns errors for transient properties without a default value. An object
  /// that is read from a store would start without a value for them.
  private func transientDiagnostics() -> [Diagnostic] {
    // A property wrapper may provide a value.
    guard kind == .stored || kind == .observed,
      syntax.attributes.plainAttributes.allSatisfy({ $0.marker != nil })
    else { return [] }
    let isVariable = syntax.bindingSpecifier.tokenKind == .keyword(.var)
    return Array(syntax.bindings).filter { $0.initializer == nil }.compactMap { binding in
      // In `var a, b: Int` only the last name has the type.
      guard let type = binding.typeAnnotation?.type else { return nil }
      if isVariable, TypeSpelling(type).isOptional { return nil }
      let name = binding.pattern.trimmedDescription
      return binding.pattern.diagnostic(.transientWithoutDefault(name: name))
    }
  }

  /// Returns an error if the declaration does not declare exactly one name.
  func shapeDiagnostics() -> [Diagnostic] {
    if syntax.bindings.contains(where: { !$0.pattern.is(IdentifierPatternSyntax.self) }) {
      return [binding.pattern.diagnostic(.tuplePattern)]
    }
    guard syntax.bindings.count > 1 else { return [] }
    return [syntax.bindings.diagnostic(.severalNames, fixIts: [separated])]
  }

  /// The fix-it that declares each property with its own `var` and attributes.
  private var separated: FixIt {
    let indentation = syntax.leadingTrivia.reversed().prefix { !$0.isNewline }
    let lineBreak = "\n" + Trivia(pieces: indentation.reversed()).description
    let bindings = Array(syntax.bindings)
    let head = syntax.with(\.bindings, []).trimmedDescription
    let declarations = bindings.indices.map { index in
      var binding = bindings[index]
      binding.trailingComma = nil
      if binding.typeAnnotation == nil, binding.initializer == nil {
        binding.typeAnnotation = bindings[index...].lazy.compactMap(\.typeAnnotation).first?.trimmed
      }
      return "\(head) \(binding.trimmedDescription)"
    }
    return .text(
      .splitDeclaration, replacing: syntax, with: declarations.joined(separator: lineBreak))
  }

  /// Returns an error for `let`, a modifier, an actor or observers that a
  /// stored property cannot have.
  private func storageDiagnostics() -> [Diagnostic] {
    let keyword = syntax.bindingSpecifier
    if let attribute = syntax.attributes.globalActor {
      let actor = attribute.attributeName.trimmedDescription
      return [
        attribute.diagnostic(
          .propertyIsolated(name: schemaName, actor: actor),
          fixIts: [.removing(.removeActor(actor), attribute)])
      ]
    }
    if let (attribute, counterpart) = foreignAttribute {
      let name = attribute.attributeName.trimmedDescription
      let fixIt =
        counterpart.map { FixIt.text(.useMarker($0), replacing: attribute, with: $0) }
        ?? .removing(.removeWrapper(name), attribute)
      return [
        attribute.diagnostic(
          .foreign(
            name: schemaName, attribute: name, counterpart: counterpart,
            cascades: attribute.cascades), fixIts: [fixIt])
      ]
    }
    if let attribute = syntax.attributes.knownWrapper {
      let wrapper = attribute.attributeName.trimmedDescription
      return [
        attribute.diagnostic(
          .wrapped(name: schemaName, wrapper: wrapper),
          fixIts: [.removing(.removeWrapper(wrapper), attribute)])
      ]
    }
    if let attribute = syntax.attributes.observationIgnored {
      return [
        attribute.diagnostic(
          .unobserved(name: schemaName), fixIts: [.removing(.removeObservationIgnored, attribute)])
      ]
    }
    if let modifier = modifier(.lazy, .weak, .unowned) {
      return [
        modifier.diagnostic(
          .unsupportedModifier(name: schemaName, modifier: modifier.name.text),
          fixIts: [markTransient])
      ]
    }
    if let attribute = unavailability {
      return [attribute.diagnostic(.unavailable(name: schemaName))]
    }
    if keyword.tokenKind == .keyword(.let) {
      return [
        keyword.diagnostic(
          .constant(name: schemaName), fixIts: [.text(.useVar, replacing: keyword, with: "var")])
      ]
    }
    if kind == .observed, let block = binding.accessorBlock {
      return [block.diagnostic(.observers(name: schemaName), fixIts: [markTransient])]
    }
    return []
  }

  /// Returns an error for a name that is not a literal, empty, reserved or too
  /// long, or has control characters.
  func nameDiagnostics() -> [Diagnostic] {
    let message: ModelDiagnostic
    let byteCount = schemaName.utf8.count
    if let attribute = attribute(.named), givenName?.value == nil {
      return [attribute.diagnostic(.nameNotLiteral(name: declaredName))]
    } else if schemaName.isEmpty {
      message = .nameEmpty(name: declaredName)
    } else if schemaName.hasControlCharacter {
      message = .nameControl(name: declaredName)
    } else if schemaName.hasPrefix("_$") {
      message = .reservedName(name: schemaName)
    } else if byteCount > ModelDiagnostic.maximumPropertyNameByteCount {
      message = .nameTooLong(name: schemaName, byteCount: byteCount)
    } else {
      return []
    }
    let node = givenName.map { Syntax($0.syntax) } ?? Syntax(binding.pattern)
    return [node.diagnostic(message)]
  }

  /// Returns an error for a type that is missing or cannot be stored.
  private func typeDiagnostics(inClass className: String) -> [Diagnostic] {
    guard let type else {
      let fixIts = defaultValue?.evidentType.map {
        [FixIt.text(.addType($0), inserting: ": \($0)", after: binding.pattern)]
      }
      return [binding.pattern.diagnostic(.missingType(name: schemaName), fixIts: fixIts ?? [])]
    }
    if let flaw = type.flaw { return [diagnostic(for: flaw, in: type, inClass: className)] }
    guard let counterpart = type.counterpart else { return [] }
    // A type with the module 'RealmSwift' is certainly Realm's. A plain name
    // may be a type of the app.
    let isRealm = type.wrapped.is(MemberTypeSyntax.self)
    return [collectionDiagnostic(for: type, counterpart, isUnstorable: isRealm)]
  }

  /// Returns an error for a default value that names its place in the source. The generated code
  /// repeats the value in several places.
  private func defaultValueDiagnostics() -> [Diagnostic] {
    guard let defaultValue else { return [] }
    let literals = ["line", "column", "file", "fileID", "filePath", "function"]
    let token = defaultValue.tokens(viewMode: .sourceAccurate).first { token in
      literals.contains(token.text) && token.parent?.is(MacroExpansionExprSyntax.self) == true
    }
    guard let token, let literal = token.parent else { return [] }
    return [literal.diagnostic(.sourceLocation(name: schemaName, literal: "#\(token.text)"))]
  }

  private func diagnostic(
    for flaw: TypeSpelling.Flaw, in type: TypeSpelling, inClass className: String
  ) -> Diagnostic {
    let name = schemaName
    let message: ModelDiagnostic
    var fixIts: [FixIt] = []
    switch flaw {
    case .implicitlyUnwrapped, .nestedOptional:
      message =
        flaw == .nestedOptional ? .nestedOptional(name: name) : .implicitlyUnwrapped(name: name)
      fixIts = [.useType(type.singleOptionalSource, for: type.syntax)]
    case .covariantSelf:
      message = .covariantSelf(name: name)
      fixIts = [.useType(type.isOptional ? "\(className)?" : className, for: type.syntax)]
    case .optionalCollection(let collection):
      message = .optionalCollection(name: name, collection: collection)
      fixIts = [removeOptional(from: type)]
    case .linkingObjects:
      message = .missingInverse(name: name)
    case .unsupported(let kind):
      message = .unsupportedType(name: name, type: type.source, kind: kind)
      fixIts = [type.storedCollection.map { changeType(of: type, to: $0) } ?? markTransient]
    }
    return type.syntax.diagnostic(message, fixIts: fixIts)
  }
}

extension PropertyDeclaration {
  /// Whether the default value is `ObjectId()`. The compiler already reports
  /// it.
  var hasEmptyObjectId: Bool {
    guard let call = defaultValue?.as(FunctionCallExprSyntax.self), call.arguments.isEmpty,
      call.trailingClosure == nil
    else { return false }
    let called = call.calledExpression.trimmedDescription
    return called == "ObjectId" || called == "Whimbrel.ObjectId"
      || called == ".init" && type?.plainName == "ObjectId"
  }
}

extension ExprSyntax {
  /// The type that the compiler infers, if the expression is a literal or an initializer without
  /// arguments: `Int` for `0`, `Date` for `Date()`.
  ///
  /// A wrong guess, for an initializer that returns an optional, does not compile.
  var inferredType: TypeSyntax? {
    if let call = self.as(FunctionCallExprSyntax.self) {
      // An initializer with arguments returns an optional more often.
      guard call.arguments.isEmpty, call.trailingClosure == nil else { return nil }
    } else if self.is(MemberAccessExprSyntax.self) {
      // The member may have any type.
      return nil
    }
    return evidentType.map { "\(raw: $0)" }
  }

  /// The type that the expression probably has, or nil: the type of a literal, `Date` for
  /// `Date(timeIntervalSince1970: 0)`, `Area` for `Area.africa`.
  fileprivate var evidentType: String? {
    switch kind {
    case .integerLiteralExpr: return "Int"
    case .floatLiteralExpr: return "Double"
    case .booleanLiteralExpr: return "Bool"
    case .stringLiteralExpr: return "String"
    case .prefixOperatorExpr:
      let prefix = cast(PrefixOperatorExprSyntax.self)
      return prefix.operator.text == "-" ? prefix.expression.evidentType : nil
    case .functionCallExpr:
      let called = cast(FunctionCallExprSyntax.self).calledExpression
      if let generic = called.as(GenericSpecializationExprSyntax.self) {
        return generic.expression.namedType == nil ? nil : generic.trimmedDescription
      }
      return called.namedType
    case .memberAccessExpr:
      return cast(MemberAccessExprSyntax.self).base?.namedType
    default:
      return nil
    }
  }

  /// The name, if it starts with a capital as the names of types do, or nil.
  private var namedType: String? {
    guard let name = self.as(DeclReferenceExprSyntax.self)?.baseName.text,
      name.first?.isUppercase == true
    else { return nil }
    return name
  }
}
