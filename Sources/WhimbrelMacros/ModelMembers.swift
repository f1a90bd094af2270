import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that `@Model` adds to a class without errors.
struct ModelMembers {
  let model: ModelDeclaration
  let className: String
  let properties: [PropertyDeclaration]

  init(model: ModelDeclaration, className: String) {
    self.model = model
    self.className = className
    properties = model.properties
  }

  var declarations: [DeclSyntax] { texts.map { DeclSyntax(text: $0) } }

  private var texts: [String] {
    var result = [row, values, valuesClass, unmanaged]
    if let primaryKeyType { result.append(primaryKeyType) }
    if model.hidesIdentity { result += identity }
    if model.declaresEquality { result.append(equality) }
    if let keys = model.codingKeys { result.append(codingNames(keys)) }
    if model.initializers.isEmpty {
      let initializer = MemberwiseInitializer(model: model)
      if let defaults = initializer.defaults { result.append(defaults) }
      result.append(initializer.declaration)
    }
    return result + [rowInitializer, schema, encode, discardValues]
  }

  private var access: String { model.access.keyword }

  /// The row of a managed object. Every property is read through it, and would otherwise pay for an
  /// exclusivity check each time.
  ///
  /// Safe: code that receives the row does not reach the object that the row belongs to, so two
  /// accesses cannot overlap.
  private var row: String {
    """
    @safe @exclusivity(unchecked) \(access) var _$row: Whimbrel.ModelRow = Whimbrel.ModelRow()
    """
  }

  /// The values of an unmanaged object. A managed object has none.
  ///
  /// Safe: the reference is only read and replaced.
  private var values: String {
    "@safe @exclusivity(unchecked) private var _$values: _$Values? = nil"
  }

  /// The class of the box that holds the values. It is private, because only then may a property
  /// have a private type.
  private var valuesClass: String {
    let lines = properties.map { property in
      let name = property.name
      guard let type = property.type else { return "" }
      let typeName = type.syntax.namingClass(model.name)
      if property.isRequired { return "var \(name): Swift.Optional<\(typeName)> = nil" }
      let value = property.defaultValue?.namingClass(model.name) ?? property.impliedDefault ?? ""
      return "var \(name): \(typeName) = \(value)"
    }
    return """
      private final class _$Values {
      \((lines + ["init() {}"]).joined(separator: "\n").indented)
      }
      """
  }

  /// The property that returns the box of values, and makes the box on first use.
  private var unmanaged: String {
    """
    private var _$unmanaged: _$Values {
      if let values = _$values {
        return values
      }
      let values = _$Values()
      _$values = values
      return values
    }
    """
  }

  /// The initializer for objects of a store. The call in it fails to compile in a class that has a
  /// superclass.
  private var rowInitializer: String {
    """
    \(access) required init(_$row: Whimbrel.ModelRow) {
      self._$row = _$row
      self._$modelsCannotHaveASuperclass()
    }
    """
  }

  /// The members that make the class `Identifiable` if its property `id` has a lower access level.
  private var identity: [String] {
    [
      """
      @_implements(Swift.Identifiable, ID) \(access) typealias _$Identity = \
      Whimbrel.ObjectIdentity
      """,
      """
      @_implements(Swift.Identifiable, id) \(access) var _$identity: \
      Whimbrel.ObjectIdentity {
        objectIdentity
      }
      """,
    ]
  }

  /// The member that makes the class's own `==` the one of `Equatable`. The compiler finds that
  /// operator twice for a conformance that a macro declares, and calls it ambiguous.
  private var equality: String {
    """
    @_implements(Swift.Equatable, ==(_:_:)) \(access) static func _$equals(\
    _ lhs: \(model.name), _ rhs: \(model.name)) -> Swift.Bool {
      lhs == rhs
    }
    """
  }

  /// The keys that the class declares for `Codable`.
  private func codingNames(_ keys: Set<String>) -> String {
    let names = properties.map { property in
      keys.contains(property.declaredName) ? "CodingKeys.\(property.name).stringValue" : "nil"
    }
    return """
      \(access) static let _$codingNames: [Swift.String?]? = [\(names.joined(separator: ", "))]
      """
  }

  /// The type of the primary key, or nil if there is none. A type with a lower access level than
  /// the class cannot be named here.
  private var primaryKeyType: String? {
    guard let property = properties.first(where: \.isPrimaryKey), let type = property.type else {
      return nil
    }
    let isVisible = type.isPlainKey || property.access(in: .public) >= model.access
    let name = isVisible ? type.syntax.namingClass(model.name) : "Whimbrel.HiddenPrimaryKey"
    return "\(access) typealias _$Key = \(name)"
  }

  private var schema: String {
    let name = className.swiftLiteral
    let kind = model.isEmbedded ? "isEmbedded: true, " : ""
    let lines = properties.map { "  \(schemaLine(for: $0)),\n" }.joined()
    var inverses = model.inverses.map { "  \(inverseLine(for: $0)),\n" }.joined()
    if !inverses.isEmpty { inverses = ", inverses: [\n\(inverses)]" }
    var indexes = model.indexLines.map { "  \($0),\n" }.joined()
    if !indexes.isEmpty { indexes = ", indexes: [\n\(indexes)]" }
    var previous = model.previousNames.compactMap(\.value?.swiftLiteral).joined(separator: ", ")
    if !previous.isEmpty { previous = ", previousNames: [\(previous)]" }
    // A deprecated declaration may use the deprecated properties without a warning.
    let isDeprecated = properties.contains(where: \.isDeprecated)
    let availability = isDeprecated ? "@available(*, deprecated)\n" : ""
    return """
      \(availability)\(access) static let _$schema: Whimbrel.ModelSchema = \
      Whimbrel.ModelSchema(\(name), of: \(model.name).self, \(kind)[
      \(lines)]\(inverses)\(indexes)\(previous))
      """
  }

  private func inverseLine(for property: PropertyDeclaration) -> String {
    let source = property.inverseSource?.trimmedDescription ?? ""
    let name = property.inverseKeyPath?.propertyName ?? ""
    return "Whimbrel.ModelInverse(\(property.schemaName.swiftLiteral), of: \(source).self, "
      + "\(name.swiftLiteral))"
  }

  private func schemaLine(for property: PropertyDeclaration) -> String {
    let type = property.type?.syntax.namingClass(model.name) ?? ""
    var arguments = [property.schemaName.swiftLiteral]
    if property.givenName != nil {
      arguments.append("declaredAs: \(property.declaredName.swiftLiteral)")
    }
    arguments += [
      "\(type).self", keyPath(to: property, type), "set: { $0.\(property.name) = $1 }",
    ]
    if property.isPrimaryKey { arguments.append("isPrimaryKey: true") }
    if property.isIndexed { arguments.append("isIndexed: true") }
    let previousNames = property.previousNames.compactMap(\.value?.swiftLiteral)
    if !previousNames.isEmpty {
      arguments.append("previousNames: [\(previousNames.joined(separator: ", "))]")
    }
    if let value = property.significantDefault {
      arguments.append("default: { \(value.namingClass(model.name)) }")
    }
    return "Whimbrel.ModelProperty(\(arguments.joined(separator: ", ")))"
  }

  /// Returns the key path to a property. After the class, `ID` would be the type of `Identifiable`.
  private func keyPath(to property: PropertyDeclaration, _ type: String) -> String {
    if property.declaredName != "ID" { return "\\\(model.name).\(property.name)" }
    return "\\.ID as Swift.ReferenceWritableKeyPath<\(model.name), \(type)>"
  }

  private var encode: String {
    let head = "\(access) func _$encode(into encoder: inout Whimbrel.ObjectEncoder) throws"
    guard !properties.isEmpty else { return "\(head) {}" }
    let lines = properties.enumerated().map { index, property in
      let label = property.isRequired ? "required: " : ""
      return "try encoder.encode(\(label)values.\(property.name), at: \(index))"
    }
    return """
      \(head) {
        let values = _$unmanaged
      \(lines.joined(separator: "\n").indented)
      }
      """
  }

  private var discardValues: String {
    """
    \(access) func _$discardValues() {
      _$values = nil
    }
    """
  }
}

extension String {
  var swiftLiteral: String { StringLiteralExprSyntax(content: self).description }
}
