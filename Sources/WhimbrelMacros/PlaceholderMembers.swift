import SwiftSyntax
import SwiftSyntaxBuilder

/// The members of a class with errors. With them the rest of the program compiles, so that the
/// compiler reports only the errors of the class.
struct PlaceholderMembers {
  let model: ModelDeclaration

  var declarations: [DeclSyntax] {
    let access = model.access.keyword
    let row: DeclSyntax = """
      nonisolated \(raw: access) var _$row: Whimbrel.ModelRow {
        get { \(raw: neverRuns) }
        set {}
      }
      """
    let rowInitializer: DeclSyntax = """
      nonisolated \(raw: access) required init(_$row: Whimbrel.ModelRow) { \(raw: neverRuns) }
      """
    let schema: DeclSyntax = """
      nonisolated \(raw: access) static var _$schema: Whimbrel.ModelSchema { \(raw: neverRuns) }
      """
    let encode: DeclSyntax = """
      nonisolated \(raw: access) func _$encode(into encoder: inout Whimbrel.ObjectEncoder) throws {}
      """
    let discardValues: DeclSyntax = "nonisolated \(raw: access) func _$discardValues() {}"
    let members = [row, rowInitializer, schema, encode, discardValues]
    return model.initializers.isEmpty ? members + [initializer] : members
  }

  /// The initializer with the parameters that the class would have had.
  private var initializer: DeclSyntax {
    let parameters = model.placeholders.map { property in
      let head = "\(property.name): \(property.type?.source ?? "")"
      return property.isRequired ? head : "\(head) = { \(neverRuns) }()"
    }
    return """
      nonisolated \(raw: model.access.keyword) init(\(raw: parameters.joined(separator: ", "))) {
        \(raw: neverRuns)
      }
      """
  }
}

extension ModelDeclaration {
  /// The properties of a class with errors that get accessors: stored `var`s with one name and a
  /// type.
  var placeholders: [PropertyDeclaration] {
    properties.filter { property in
      property.kind == .stored && property.identifier != nil && property.type != nil
        && property.syntax.bindings.count == 1 && property.modifier(.lazy, .weak, .unowned) == nil
        && property.syntax.bindingSpecifier.tokenKind == .keyword(.var)
    }
  }
}
