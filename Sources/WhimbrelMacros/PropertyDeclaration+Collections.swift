import SwiftDiagnostics
import SwiftSyntax

/// A type of collection that a property may have.
enum CollectionType: String {
  case list = "StoredList"
  case set = "StoredSet"
  case map = "StoredMap"
}

extension TypeSpelling {
  /// The replacement for a collection of Realm, or nil: `StoredList<Zone>` for `List<Zone>` or
  /// `RealmSwift.List<Zone>`.
  ///
  /// The spelling alone does not tell whether the type is Realm's or the app's.
  var counterpart: String? {
    guard let (name, arguments) = Self.name(of: wrapped, in: "RealmSwift"), let arguments else {
      return nil
    }
    let collection: CollectionType
    switch (name, arguments.arguments.count) {
    case ("List", 1): collection = .list
    case ("MutableSet", 1): collection = .set
    case ("Map", 2): collection = .map
    default: return nil
    }
    return "\(collection.rawValue)\(arguments.trimmedDescription)"
  }

  /// The collection of a store with the elements of an array or a set, or with the values of a
  /// dictionary with texts as keys. Nil for other types, and if the elements cannot be stored either.
  var storedCollection: String? {
    let (collection, elements): (CollectionType, [TypeSyntax])
    if let array = wrapped.as(ArrayTypeSyntax.self) {
      (collection, elements) = (.list, [array.element])
    } else if let dictionary = wrapped.as(DictionaryTypeSyntax.self) {
      (collection, elements) = (.map, [dictionary.key, dictionary.value])
    } else if let (name, arguments) = Self.name(of: wrapped, in: "Swift"), let arguments {
      switch name {
      case "Array": collection = .list
      case "Set": collection = .set
      case "Dictionary": collection = .map
      default: return nil
      }
      elements = arguments.arguments.compactMap { $0.argument.as(TypeSyntax.self) }
    } else {
      return nil
    }
    guard elements.count == (collection == .map ? 2 : 1),
      collection != .map || elements[0].trimmedDescription == "String",
      elements.allSatisfy({ Self.unsupportedKind(of: $0) == nil })
    else { return nil }
    return "\(collection.rawValue)<\(elements.map(\.trimmedDescription).joined(separator: ", "))>"
  }
}

extension PropertyDeclaration {
  /// Returns errors for markers that a collection cannot have.
  func collectionDiagnostics() -> [Diagnostic] {
    guard let collection = type?.collection else { return [] }
    return markers.filter { $0.marker == .primaryKey || $0.marker == .indexed }.map {
      $0.attribute.diagnostic(
        .markerOnCollection(marker: $0.marker, name: schemaName, collection: collection),
        fixIts: [.removing($0.marker, $0.attribute)])
    }
  }

  /// Returns the diagnostic for a collection that is spelled as in Realm or in the standard
  /// library.
  ///
  /// - Parameter isUnstorable: Whether the type certainly cannot be stored, which is an error. If
  ///   not, the compiler decides later, and the diagnostic is a warning.
  func collectionDiagnostic(
    for type: TypeSpelling, _ counterpart: String, isUnstorable: Bool
  ) -> Diagnostic {
    let message: ModelDiagnostic =
      isUnstorable
      ? .notPersistableCollection(name: schemaName, type: type.source, counterpart: counterpart)
      : .otherCollection(type: type.source, counterpart: counterpart)
    return type.syntax.diagnostic(message, fixIts: [.useType(counterpart, for: type.syntax)])
  }

  /// Returns a fix-it that removes the optional from a type, and an initial value of nil.
  func removeOptional(from type: TypeSpelling) -> FixIt {
    changeType(of: type, to: type.wrapped.trimmedDescription)
  }

  /// Returns a fix-it that writes a type that is not optional, and removes an initial value of nil.
  func changeType(of type: TypeSpelling, to name: String) -> FixIt {
    let start = type.syntax.positionAfterSkippingLeadingTrivia
    var end = type.syntax.endPositionBeforeTrailingTrivia
    if let initializer = binding.initializer, initializer.value.is(NilLiteralExprSyntax.self) {
      end = initializer.endPositionBeforeTrailingTrivia
    }
    return FixIt(.useType(name), start..<end, in: binding, with: name)
  }
}

extension ExprSyntax {
  /// Whether the expression makes an empty collection: `[]`, `[:]`, `.init()`, `StoredList()` or
  /// `StoredList<Zone>()`.
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
