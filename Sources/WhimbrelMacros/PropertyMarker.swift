import SwiftSyntax

/// The attributes that say something about a property.
enum PropertyMarker: String, CaseIterable {
  case primaryKey = "PrimaryKey"
  case indexed = "Indexed"
  case transient = "Transient"
  case named = "StoredName"
  case renamed = "Renamed"
  case inverse = "Inverse"
}

extension AttributeSyntax {
  /// The name of the attribute, without the module before it.
  var plainName: String {
    attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
  }

  /// Which marker this is, or nil when it is another attribute.
  var marker: PropertyMarker? {
    if let module = attributeName.as(MemberTypeSyntax.self)?.baseType,
      module.trimmedDescription != "Whimbrel"
    {
      return nil
    }
    return PropertyMarker(rawValue: plainName)
  }

  /// The expressions given to the attribute.
  var argumentExpressions: [ExprSyntax] { labeledArguments.map(\.expression) }

  /// What is given to the attribute, with labels.
  var labeledArguments: [LabeledExprSyntax] {
    guard case .argumentList(let list)? = arguments else { return [] }
    return Array(list)
  }
}

extension AttributeListSyntax {
  /// The attributes themselves; those within `#if` are left out.
  var plainAttributes: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }

  /// The attribute that names a global actor, or nil: `@MainActor`, or one that is called so.
  var globalActor: AttributeSyntax? { plainAttributes.first { $0.plainName.hasSuffix("Actor") } }

  /// Whether `@Model` is among the attributes.
  var containsModel: Bool { plainAttributes.contains { $0.plainName == "Model" } }
}
