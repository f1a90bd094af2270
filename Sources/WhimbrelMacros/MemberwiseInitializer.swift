import SwiftParser
import SwiftSyntax

/// The initializer that a model gets if it declares none.
///
/// A property with a lower access level than the class is left out if it does
/// not need a value. Otherwise the initializer gets the access level of the
/// property, as in a struct.
struct MemberwiseInitializer {
  let model: ModelDeclaration
  let properties: [PropertyDeclaration]
  let access: AccessLevel

  init(model: ModelDeclaration) {
    self.model = model
    properties = model.properties.filter {
      $0.isRequired || $0.access(in: model.access) >= model.access
    }
    access = properties.map { $0.access(in: model.access) }.reduce(model.access, min)
  }

  var declaration: String {
    let parameters = properties.map(parameter).joined(separator: ", ")
    let head = "\(access.keyword) init(\(parameters))"
    guard !properties.isEmpty else { return "\(head) {}" }
    // A use of the property itself would be warned of if the property is deprecated.
    let lines = properties.map { $0.assignment(of: $0.name) }.joined(separator: "\n")
    return """
      \(head) {
      \(lines.indented)
      }
      """
  }

  /// The default values that the initializer cannot contain, as functions.
  ///
  /// A default argument of an initializer that other modules see may only use
  /// names that those modules see. The default value of a property may use any
  /// name. It may also be an `if` or `switch` expression, which no default
  /// argument may be.
  var defaults: String? {
    let functions = properties.filter(needsFunction).map { property in
      let type = property.type?.syntax.namingClass(model.name) ?? ""
      let value = property.defaultValue?.namingClass(model.name) ?? ""
      return "\(access.keyword) static func \(property.name)() -> \(type) {\n\(value.indented)\n}"
    }
    guard !functions.isEmpty else { return nil }
    return """
      \(access.keyword) enum _$Defaults {
      \(functions.joined(separator: "\n").indented)
      }
      """
  }

  private func parameter(for property: PropertyDeclaration) -> String {
    let type = property.type?.source ?? ""
    let head = "\(property.name): \(type)"
    if needsFunction(property) { return "\(head) = _$Defaults.\(property.name)()" }
    // A default argument cannot contain `Self`, even in a final class.
    if let value = property.defaultValue { return "\(head) = \(value.namingClass(model.name))" }
    return property.impliedDefault.map { "\(head) = \($0)" } ?? head
  }

  private func needsFunction(_ property: PropertyDeclaration) -> Bool {
    guard let value = property.defaultValue else { return false }
    if value.is(IfExprSyntax.self) || value.is(SwitchExprSyntax.self) { return true }
    return access >= .package && !value.isPlainLiteral
  }
}

extension ExprSyntax {
  /// Whether the expression does not use a name: a number, a text, `true` or
  /// `nil`.
  fileprivate var isPlainLiteral: Bool {
    switch kind {
    case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr: true
    case .stringLiteralExpr: cast(StringLiteralExprSyntax.self).representedLiteralValue != nil
    case .prefixOperatorExpr: cast(PrefixOperatorExprSyntax.self).expression.isPlainLiteral
    default: false
    }
  }
}
