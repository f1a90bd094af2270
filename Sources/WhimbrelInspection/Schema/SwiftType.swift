internal import WhimbrelEngine

/// A translation of the types of a schema to Swift types.
struct SwiftType {
  /// The names of the model classes by the names in the schema.
  let classNames: [String: String]

  /// Returns the type of a value, or nil for links and collections.
  static func scalar(_ type: PropertyType) -> String? {
    type == .any ? "AnyValue" : type.swiftName
  }

  /// Returns the type of a property.
  ///
  /// - Parameter values: The enum of the values, or nil.
  func name(of property: PropertySchema, values: SwiftEnum?) -> String {
    let type = property.type
    switch type {
    case .link(let target): return className(target) + "?"
    case .list(let element): return "StoredList<\(name(of: element, values))>"
    case .set(let element): return "StoredSet<\(name(of: element, values))>"
    case .map(let element): return "StoredMap<String, \(name(of: element, values))>"
    default:
      let name = values?.name ?? Self.scalar(type) ?? ""
      return property.isOptional && type != .any ? name + "?" : name
    }
  }

  /// Returns the names in the type of a property: `StoredMap`, `String` and `Zone` for a map of
  /// zones.
  func names(in property: PropertySchema) -> [String] {
    name(of: property, values: nil).split { "<>?, ".contains($0) }.map { String($0) }
  }

  private func name(of element: ElementType, _ values: SwiftEnum?) -> String {
    if let target = element.type.linkTarget { return className(target) }
    let name = values?.name ?? Self.scalar(element.type) ?? "AnyValue"
    return element.isOptional && element.type != .any ? name + "?" : name
  }

  private func className(_ name: String) -> String {
    classNames[name] ?? SwiftName.type(name, suffix: "Model")
  }
}
