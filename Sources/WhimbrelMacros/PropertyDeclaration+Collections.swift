import SwiftDiagnostics
import SwiftSyntax

/// The types of collections that a property may have.
enum CollectionType: String {
  case list = "StoredList"
  case set = "StoredSet"
  case map = "StoredMap"
}

extension PropertyDeclaration {
  /// Finds markers that a collection cannot have.
  func collectionDiagnostics() -> [Diagnostic] {
    guard let collection = type?.collection else { return [] }
    return markers.filter { $0.marker == .primaryKey || $0.marker == .indexed }.map {
      Diagnostic(
        node: $0.attribute,
        message: ModelDiagnostic.markerOnCollection(
          marker: $0.marker, name: schemaName, collection: collection),
        fixIts: [.removing($0.marker, $0.attribute)])
    }
  }

  /// The type without its optional, and without an initial value of nil.
  func removeOptional(from type: TypeSpelling) -> FixIt {
    let name = type.wrapped.trimmedDescription
    let start = type.syntax.positionAfterSkippingLeadingTrivia
    var end = type.syntax.endPositionBeforeTrailingTrivia
    if let initializer = binding.initializer, initializer.value.is(NilLiteralExprSyntax.self) {
      end = initializer.endPositionBeforeTrailingTrivia
    }
    return FixIt(
      message: ModelFixIt.useType(name),
      changes: [.replaceText(range: start..<end, with: name, in: Syntax(binding))])
  }
}

extension ExprSyntax {
  /// Whether the expression, given to a collection, makes it empty: `[]`, `[:]`,
  /// `.init()`, `StoredList()` or `StoredList<Zone>()`.
  var isEmptyCollection: Bool {
    if let array = self.as(ArrayExprSyntax.self) { return array.elements.isEmpty }
    if let dictionary = self.as(DictionaryExprSyntax.self) {
      return dictionary.content.is(TokenSyntax.self)
    }
    guard let call = self.as(FunctionCallExprSyntax.self), call.arguments.isEmpty,
      call.trailingClosure == nil
    else { return false }
    let generic = call.calledExpression.as(GenericSpecializationExprSyntax.self)
    let called = (generic?.expression ?? call.calledExpression).trimmedDescription
    let name = called.hasPrefix("Whimbrel.") ? String(called.dropFirst(9)) : called
    return called == ".init" || CollectionType(rawValue: name) != nil
  }
}
