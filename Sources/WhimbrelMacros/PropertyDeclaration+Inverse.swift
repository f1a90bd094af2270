import SwiftDiagnostics
import SwiftSyntax

extension PropertyDeclaration {
  /// The key path in `@Inverse`, or nil if it is not a key path to one
  /// property.
  var inverseKeyPath: InverseKeyPath? {
    attribute(.inverse)?.argumentExpressions.first.flatMap(InverseKeyPath.init)
  }

  /// The element type of `LinkingObjects`, or nil if the property has another
  /// type.
  var inverseSource: TypeSyntax? {
    guard let type, !type.isOptional,
      let (name, arguments) = TypeSpelling.name(of: type.syntax, in: "Whimbrel"),
      name == "LinkingObjects", let first = arguments?.arguments.first?.argument,
      case .type(let source) = first
    else { return nil }
    return source
  }

  /// Returns the problems of a property marked `@Inverse`.
  func inverseDiagnostics(
    _ attribute: AttributeSyntax, inClass className: String
  ) -> [Diagnostic] {
    if let misuse = misuse(of: attribute) { return [misuse] }
    let shape = shapeDiagnostics()
    guard shape.isEmpty else { return shape }
    var result = otherMarkerDiagnostics()
    let keyword = syntax.bindingSpecifier
    if keyword.tokenKind == .keyword(.let) {
      result.append(
        keyword.diagnostic(
          .inverseConstant(name: schemaName),
          fixIts: [.text(.useVar, replacing: keyword, with: "var")]))
    }
    result += nameDiagnostics()
    result += inverseKeyPathDiagnostics(attribute, inClass: className)
    result += inverseTypeDiagnostics(inClass: className)
    if let initializer = binding.initializer {
      result.append(
        initializer.diagnostic(
          .inverseWithValue(name: schemaName), fixIts: [removeInitialValue(initializer)]))
    }
    return result
  }

  /// Returns an error if the property cannot get a generated getter.
  private func misuse(of attribute: AttributeSyntax) -> Diagnostic? {
    let message: ModelDiagnostic
    switch kind {
    case .stored: return nil
    case .observed, .computed: message = .inverseWithAccessors(name: schemaName)
    case .typeLevel: message = .markerOnTypeLevel(marker: .inverse, name: schemaName)
    }
    return attribute.diagnostic(message, fixIts: [.removing(.inverse, attribute)])
  }

  /// Returns errors for other markers, which apply only to stored properties.
  private func otherMarkerDiagnostics() -> [Diagnostic] {
    markers.filter { $0.marker != .inverse }.map { marker, attribute in
      attribute.diagnostic(
        .inverseWithMarker(marker: marker, name: schemaName), fixIts: [.removing(marker, attribute)]
      )
    }
  }

  /// Returns an error if the key path does not name the class and its property.
  private func inverseKeyPathDiagnostics(
    _ attribute: AttributeSyntax, inClass className: String
  ) -> [Diagnostic] {
    let argument = attribute.argumentExpressions.first
    guard inverseKeyPath?.root == nil else { return [] }
    var fixIts: [FixIt] = []
    if let argument, let source = inverseSource, let inverseKeyPath {
      let keyPath = "\\\(source.namingClass(className)).\(inverseKeyPath.propertyName)"
      fixIts = [.text(.useKeyPath(keyPath), replacing: argument, with: keyPath)]
    }
    return [
      (argument.map(Syntax.init) ?? Syntax(attribute)).diagnostic(
        .inverseKeyPath(name: schemaName), fixIts: fixIts)
    ]
  }

  /// Returns an error if the type is not `LinkingObjects` of the class in the
  /// key path.
  private func inverseTypeDiagnostics(inClass className: String) -> [Diagnostic] {
    // In '\Self.country', 'Self' is the class.
    let root = inverseKeyPath?.root.map { $0 == "Self" ? className : $0 }
    let name = root.map { "LinkingObjects<\($0)>" }
    guard let type else {
      return [
        binding.pattern.diagnostic(
          .inverseType(name: schemaName, source: root),
          fixIts: name.map { [.text(.addType($0), inserting: ": \($0)", after: binding.pattern)] }
            ?? [])
      ]
    }
    let message: ModelDiagnostic
    if let source = inverseSource {
      guard let root, source.trimmedDescription != root else { return [] }
      message = .inverseMismatch(name: schemaName, root: root, type: type.source)
    } else {
      message = .inverseType(name: schemaName, source: root)
    }
    return [
      type.syntax.diagnostic(message, fixIts: name.map { [.useType($0, for: type.syntax)] } ?? [])
    ]
  }

  /// Returns a fix-it that removes `= value` and the spaces before it.
  private func removeInitialValue(_ initializer: InitializerClauseSyntax) -> FixIt {
    let previous = initializer.previousToken(viewMode: .sourceAccurate)
    let start =
      previous?.endPositionBeforeTrailingTrivia ?? initializer.positionAfterSkippingLeadingTrivia
    let range = start..<initializer.endPositionBeforeTrailingTrivia
    return FixIt(.removeInitialValue, range, in: binding, with: "")
  }
}
