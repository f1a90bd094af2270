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

extension AttributeSyntax {
  /// The expression of a labeled argument, or nil.
  private func argument(_ label: String) -> ExprSyntax? {
    labeledArguments.first { $0.label?.text == label }?.expression
  }

  /// The markers that say what an attribute of Realm or SwiftData says, or nil.
  fileprivate var counterpart: String? {
    switch plainName {
    case "Persisted":
      if argument("primaryKey")?.trimmedDescription == "true" { return "@PrimaryKey" }
      return argument("indexed")?.trimmedDescription == "true" ? "@Indexed" : nil
    case "Attribute":
      let options = argumentExpressions.map(\.trimmedDescription)
      if options.contains(".ephemeral") { return "@Transient" }
      let name = argument("originalName").map { "@Renamed(from: \($0.trimmedDescription))" }
      let markers = [options.contains(".unique") ? "@Indexed(.unique)" : nil, name]
        .compactMap(\.self)
      return markers.isEmpty ? nil : markers.joined(separator: " ")
    default: return nil
    }
  }

  /// The literal name of the property whose links `@Persisted(originProperty:)` follows, or nil.
  fileprivate var originProperty: String? {
    guard plainName == "Persisted" else { return nil }
    return argument("originProperty")?.as(StringLiteralExprSyntax.self)?.representedLiteralValue
  }

  /// The key path in `@Relationship(inverse:)`, or nil.
  fileprivate var inverse: String? {
    plainName == "Relationship" ? argument("inverse")?.trimmedDescription : nil
  }

  /// Whether the attribute says that linked objects are deleted with the object.
  var cascades: Bool {
    plainName == "Relationship" && argument("deleteRule")?.trimmedDescription == ".cascade"
  }
}

extension PropertyDeclaration {
  /// The first attribute of Realm or SwiftData that says what a marker says, or any attribute of
  /// SwiftData, and the markers that replace it; otherwise nil.
  var foreignAttribute: (attribute: AttributeSyntax, counterpart: String?)? {
    for attribute in syntax.attributes.plainAttributes {
      if let counterpart = attribute.counterpart ?? inverseMarker(for: attribute) {
        return (attribute, counterpart)
      }
      if ["Attribute", "Relationship"].contains(attribute.plainName) { return (attribute, nil) }
    }
    return nil
  }

  /// Whether an attribute of Realm or SwiftData says that the property is an inverse.
  var isForeignInverse: Bool {
    foreignAttribute.map { inverseMarker(for: $0.attribute) != nil } ?? false
  }

  /// The `@Inverse` that says what an attribute of Realm or SwiftData says, or nil. A link to one
  /// object stays a link: its inverse is the other property.
  private func inverseMarker(for attribute: AttributeSyntax) -> String? {
    if let name = attribute.originProperty, let source = inverseSource {
      return "@Inverse(of: \\\(source.trimmedDescription).\(name))"
    }
    guard let inverse = attribute.inverse, let type,
      type.flaw == .unsupported(.array) || type.collection != nil
    else { return nil }
    return "@Inverse(of: \(inverse))"
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
