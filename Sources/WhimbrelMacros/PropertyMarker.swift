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
  /// The marker that says what an attribute of Realm or SwiftData says, or nil.
  var counterpart: String? {
    func value(of label: String) -> String? {
      labeledArguments.first { $0.label?.text == label }?.expression.trimmedDescription
    }
    switch plainName {
    case "Persisted":
      if value(of: "primaryKey") == "true" { return "@PrimaryKey" }
      return value(of: "indexed") == "true" ? "@Indexed" : nil
    case "Attribute":
      if let name = value(of: "originalName") { return "@Renamed(from: \(name))" }
      let options = argumentExpressions.map(\.trimmedDescription)
      if options.contains(".unique") { return "@Indexed(.unique)" }
      return options.contains(".ephemeral") ? "@Transient" : nil
    default: return nil
    }
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

  /// An attribute of Realm or SwiftData that says what a marker of Whimbrel says, or an attribute of
  /// SwiftData, or nil.
  var foreignAttribute: AttributeSyntax? {
    plainAttributes.first {
      ["Attribute", "Relationship"].contains($0.plainName) || $0.counterpart != nil
    }
  }

  /// The attribute `@ObservationIgnored`, or nil. Like a wrapper, it does not allow accessors.
  var observationIgnored: AttributeSyntax? {
    plainAttributes.first { $0.plainName == "ObservationIgnored" }
  }

  /// The attribute `@Observable`, or nil.
  var observable: AttributeSyntax? { plainAttributes.first { $0.plainName == "Observable" } }

  var containsModel: Bool { plainAttributes.contains { $0.plainName == "Model" } }
}
