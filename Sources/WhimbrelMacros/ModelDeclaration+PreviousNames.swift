import SwiftDiagnostics
import SwiftSyntax

extension ModelDeclaration {
  /// Returns the problems of the names in `@Renamed`.
  ///
  /// A previous name must lead to exactly one property: it cannot be in use,
  /// and two properties cannot share it.
  func previousNameDiagnostics() -> [Diagnostic] {
    let inUse = Set(properties.map(\.schemaName))
    var owners: [String: String] = [:]
    var result: [Diagnostic] = []
    for property in properties {
      if let attribute = property.attribute(.renamed), property.previousNames.isEmpty {
        result.append(attribute.diagnostic(.noPreviousName(name: property.schemaName)))
      }
      for previousName in property.previousNames {
        if let problem = problem(with: previousName, of: property, inUse: inUse, owners: owners) {
          result.append(previousName.syntax.diagnostic(problem))
        } else if let value = previousName.value {
          owners[value] = property.schemaName
        }
      }
    }
    return result
  }

  /// Returns the problems of the names in `renamedFrom:`.
  func previousClassNameDiagnostics() -> [Diagnostic] {
    previousNames.compactMap { previousName in
      let problem: ModelDiagnostic? =
        switch previousName.value {
        case nil: .previousNameNotLiteral(name: name)
        case ""?: .previousNameEmpty(name: name)
        case className?: .previousClassNameIsOwn(name: name)
        default: nil
        }
      return problem.map { previousName.syntax.diagnostic($0) }
    }
  }

  /// Returns the problem of one previous name, or nil.
  private func problem(
    with previousName: PropertyDeclaration.NameArgument, of property: PropertyDeclaration,
    inUse: Set<String>, owners: [String: String]
  ) -> ModelDiagnostic? {
    let name = property.schemaName
    guard let value = previousName.value else { return .previousNameNotLiteral(name: name) }
    if value.isEmpty { return .previousNameEmpty(name: name) }
    if value == name { return .previousNameIsOwn(name: name) }
    if inUse.contains(value) { return .previousNameInUse(previousName: value, name: name) }
    if let first = owners[value] {
      return .previousNameRepeated(previousName: value, first: first)
    }
    let byteCount = value.utf8.count
    guard byteCount > ModelDiagnostic.maximumPropertyNameByteCount else { return nil }
    return .previousNameTooLong(previousName: value, byteCount: byteCount)
  }
}

extension String {
  /// Whether the text contains a character that a name in a schema cannot have.
  var hasControlCharacter: Bool {
    unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }
}
