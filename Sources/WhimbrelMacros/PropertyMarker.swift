import SwiftSyntax

/// An attribute that gives `@Model` information about a property.
enum PropertyMarker: String, CaseIterable {
  case primaryKey = "PrimaryKey"
  case indexed = "Indexed"
  case transient = "Transient"
  case named = "StoredName"
  case renamed = "Renamed"
  case inverse = "Inverse"
}

extension AttributeSyntax {
  /// The name of the attribute without its module.
  var plainName: String {
    attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
  }

  /// The marker that the attribute is, or nil for any other attribute.
  var marker: PropertyMarker? {
    libraryName.flatMap(PropertyMarker.init)
  }

  /// The name without the module, or nil if the module is another one.
  var libraryName: String? { TypeSpelling.name(of: attributeName, in: "Whimbrel")?.name }

  var argumentExpressions: [ExprSyntax] { labeledArguments.map(\.expression) }

  var labeledArguments: [LabeledExprSyntax] {
    guard case .argumentList(let list)? = arguments else { return [] }
    return Array(list)
  }
}

extension AttributeListSyntax {
  /// The attributes, without those inside of `#if`.
  var plainAttributes: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }

  /// The attribute of a global actor, or nil: `@MainActor`, or any attribute whose name ends in
  /// `Actor`.
  var globalActor: AttributeSyntax? { plainAttributes.first { $0.plainName.hasSuffix("Actor") } }

  /// The property wrapper of Realm or Combine, or nil. A macro cannot tell other wrappers from macros.
  var knownWrapper: AttributeSyntax? {
    plainAttributes.first { ["Persisted", "Published"].contains($0.plainName) }
  }

  /// The attribute `@ObservationIgnored`, or nil. Like a wrapper, it does not allow accessors.
  var observationIgnored: AttributeSyntax? {
    plainAttributes.first { $0.plainName == "ObservationIgnored" }
  }

  /// The attribute `@Observable`, or nil.
  var observable: AttributeSyntax? { plainAttributes.first { $0.plainName == "Observable" } }

  var containsModel: Bool { plainAttributes.contains { $0.plainName == "Model" } }
}
