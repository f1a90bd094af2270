import SwiftSyntax

/// A kind of index.
enum IndexKindArgument: String {
  case ordered
  case unique
  case fullText
}

extension ExprSyntax {
  /// The kind of index that the expression spells as `.name` or `IndexKind.name`, or nil.
  var indexKind: IndexKindArgument? {
    guard let access = self.as(MemberAccessExprSyntax.self) else { return nil }
    let bases = ["IndexKind", "Whimbrel.IndexKind"]
    if let base = access.base, !bases.contains(base.trimmedDescription) { return nil }
    return IndexKindArgument(rawValue: access.declName.trimmedDescription)
  }
}

extension AttributeSyntax {
  /// Whether this is the attribute `@Index`.
  var isIndex: Bool {
    libraryName == "Index"
  }
}

/// An index of several properties, from an attribute `@Index`.
struct IndexDeclaration {
  let attribute: AttributeSyntax
  /// The key paths with the names in them. A name is nil if the expression is not a key path to one
  /// property. The array is nil if the argument is not an array literal.
  let properties: [(syntax: ExprSyntax, name: String?)]?
  /// The kind, or nil if it is not a literal.
  let kind: IndexKindArgument?

  init(_ attribute: AttributeSyntax) {
    self.attribute = attribute
    let arguments = attribute.argumentExpressions
    let list = arguments.first?.as(ArrayExprSyntax.self)?.elements.map(\.expression)
    properties = list.map { expressions in
      expressions.map { ($0, Self.name(in: $0)) }
    }
    kind = arguments.count > 1 ? arguments[1].indexKind : .ordered
  }

  /// Returns the name of `\.name`, or nil for any other expression.
  private static func name(in expression: ExprSyntax) -> String? {
    guard let keyPath = expression.as(KeyPathExprSyntax.self), keyPath.root == nil,
      keyPath.components.count == 1,
      let property = keyPath.components.first?.component.as(KeyPathPropertyComponentSyntax.self),
      property.genericArgumentClause == nil, property.declName.argumentNames == nil
    else { return nil }
    let name = property.declName.baseName
    return name.identifier?.name ?? name.text
  }

  var names: [String] { properties?.compactMap(\.name) ?? [] }
}

extension PropertyDeclaration {
  /// The attributes `@Indexed` with their kinds. A kind is nil if it is not a literal.
  var indexMarkers: [(attribute: AttributeSyntax, kind: IndexKindArgument?)] {
    markers.filter { $0.marker == .indexed }.map { _, attribute in
      let argument = attribute.argumentExpressions.first
      return (attribute, argument.map(\.indexKind) ?? .ordered)
    }
  }

  var indexKinds: [IndexKindArgument] { indexMarkers.compactMap(\.kind) }
}

extension ModelDeclaration {
  /// The source text of the indexes in the schema, except the ordered indexes of single properties.
  var indexLines: [String] {
    let ofProperties = properties.flatMap { property in
      property.indexKinds.filter { $0 != .ordered }.map { ([property.schemaName], $0) }
    }
    // `@Index` uses the names in the code.
    let schemaNames = Dictionary(
      properties.map { ($0.declaredName, $0.schemaName) }, uniquingKeysWith: { first, _ in first })
    let all =
      ofProperties
      + indexes.map { ($0.names.map { schemaNames[$0] ?? $0 }, $0.kind ?? .ordered) }
    return all.map { names, kind in
      let list = names.map(\.swiftLiteral).joined(separator: ", ")
      let argument = kind == .ordered ? "" : ", .\(kind.rawValue)"
      return "Whimbrel.IndexSchema([\(list)]\(argument))"
    }
  }
}
