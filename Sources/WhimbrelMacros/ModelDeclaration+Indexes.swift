import SwiftDiagnostics
import SwiftSyntax

extension ModelDeclaration {
  static let maximumIndexPropertyCount = 8

  func indexDiagnostics() -> [Diagnostic] {
    properties.flatMap(indexMarkerDiagnostics) + indexes.flatMap(diagnostics)
  }

  /// Returns the problems of the kinds in `@Indexed`.
  private func indexMarkerDiagnostics(of property: PropertyDeclaration) -> [Diagnostic] {
    var seen: Set<IndexKindArgument> = []
    return property.indexMarkers.compactMap { attribute, kind in
      let name = property.schemaName
      guard let kind else {
        let node = attribute.argumentExpressions.first.map(Syntax.init) ?? Syntax(attribute)
        return node.diagnostic(.indexKindNotLiteral(name: name))
      }
      if let problem = indexTypeProblem(property, kind) {
        return attribute.diagnostic(problem)
      }
      if seen.insert(kind).inserted { return nil }
      return attribute.diagnostic(
        .indexKindRepeated(name: name, kind: kind), fixIts: [.removing(.indexed, attribute)])
    }
  }

  /// Returns the problem of an index of a property whose spelled type cannot have it, or nil.
  private func indexTypeProblem(
    _ property: PropertyDeclaration, _ kind: IndexKindArgument
  ) -> ModelDiagnostic? {
    guard let type = property.type, let name = type.plainName else { return nil }
    if kind == .fullText, TypeSpelling.neverText.contains(name) {
      return .indexTextType(name: property.schemaName, type: type.source)
    }
    guard TypeSpelling.neverIndexed.contains(name) else { return nil }
    return .indexType(name: property.schemaName, type: type.source)
  }

  private func diagnostics(of index: IndexDeclaration) -> [Diagnostic] {
    let arguments = index.attribute.argumentExpressions
    guard let properties = index.properties, !properties.isEmpty else {
      let node = arguments.first.map(Syntax.init) ?? Syntax(index.attribute)
      return [node.diagnostic(.indexNotLiteral)]
    }
    var result: [Diagnostic] = []
    var seen: Set<String> = []
    for (syntax, name) in properties {
      if let diagnostic = diagnostic(of: name, syntax, &seen) { result.append(diagnostic) }
    }
    let message: ModelDiagnostic
    switch index.kind {
    case nil: message = .indexKindNotLiteral(name: name)
    case .fullText: message = .indexFullText
    case .ordered where properties.count == 1 && result.isEmpty:
      message = .indexOfOne(name: index.names[0])
    case _ where properties.count > Self.maximumIndexPropertyCount:
      message = .indexTooLong(count: properties.count)
    default: return result
    }
    let node = index.kind == .fullText || index.kind == nil ? arguments.last : arguments.first
    return result + [(node.map(Syntax.init) ?? Syntax(index.attribute)).diagnostic(message)]
  }

  /// Returns the problem of one property of an index, or nil.
  private func diagnostic(
    of name: String?, _ syntax: ExprSyntax, _ seen: inout Set<String>
  ) -> Diagnostic? {
    guard let name else {
      return syntax.diagnostic(.indexNotLiteral)
    }
    guard seen.insert(name).inserted else {
      return syntax.diagnostic(.indexPropertyRepeated(name: name))
    }
    guard let property = properties.first(where: { $0.declaredName == name }) else {
      let suggestion = properties.map(\.declaredName).filter { $0.isSimilar(to: name) }.first
      let message = ModelDiagnostic.indexPropertyUnknown(
        name: name, className: self.name, suggestion: suggestion)
      let keyPath = suggestion.map { "\\.\($0)" }
      return syntax.diagnostic(
        message, fixIts: keyPath.map { [.text(.useKeyPath($0), replacing: syntax, with: $0)] } ?? []
      )
    }
    guard let collection = property.type?.collection else { return nil }
    return syntax.diagnostic(.indexPropertyCollection(name: name, collection: collection))
  }
}

extension ModelDiagnostic {
  var indexMessage: String? {
    switch self {
    case .indexType(let name, let type):
      "The property '\(name)' cannot be indexed: an index cannot hold values of type '\(type)'."
    case .indexTextType(let name, let type):
      "The property '\(name)' cannot have a full-text index: that needs a 'String', and its type "
        + "is '\(type)'."
    case .indexKindNotLiteral(let name):
      "The kind of an index of '\(name)' must be written out: '.ordered', '.unique' or '.fullText'."
    case .indexKindRepeated(let name, let kind):
      "The property '\(name)' has two indexes of the kind '.\(kind.rawValue)'."
    case .indexOutsideModel:
      "'@Index' can be used only before a class marked '@Model'."
    case .indexNotLiteral:
      "'@Index' needs the key paths of properties, written out like '[\\.country, \\.name]'."
    case .indexPropertyUnknown(let name, let className, let suggestion):
      "'@Index' names '\(name)', which is not a stored property of '\(className)'."
        + (suggestion.map { " Did you mean '\($0)'?" } ?? "")
    case .indexPropertyRepeated(let name):
      "'@Index' names '\(name)' twice."
    case .indexPropertyCollection(let name, let collection):
      "The '\(collection.rawValue)' '\(name)' cannot be indexed: an index holds single values."
    case .indexOfOne(let name):
      "'@Index' is for several properties: put '@Indexed' before '\(name)' instead."
    case .indexTooLong(let count):
      "'@Index' names \(count) properties, and at most "
        + "\(ModelDeclaration.maximumIndexPropertyCount) are allowed."
    case .indexFullText:
      "A full-text index has one property: put '@Indexed(.fullText)' before it instead."
    default: nil
    }
  }
}

extension String {
  /// Returns whether the edit distance is at most a third of the other name's length, rounded up.
  /// Case is ignored.
  fileprivate func isSimilar(to other: String) -> Bool {
    let (left, right) = (Array(lowercased()), Array(other.lowercased()))
    var distances = Array(0...right.count)
    for (row, character) in left.enumerated() {
      var diagonal = distances[0]
      distances[0] = row + 1
      for (column, wanted) in right.enumerated() {
        let replaced = diagonal + (character == wanted ? 0 : 1)
        diagonal = distances[column + 1]
        distances[column + 1] = Swift.min(replaced, diagonal + 1, distances[column] + 1)
      }
    }
    return distances[right.count] <= (right.count + 2) / 3
  }
}
