public import WhimbrelEngine

/// A class as its model declares it; `@Model` makes it.
public struct ModelSchema: Sendable {
  /// The name of the class in stores.
  public let name: String
  /// The class and its properties.
  public let classSchema: ClassSchema
  package let type: any Model.Type
  package let generators: [String: @Sendable () -> PropertyValue]
  /// What tells this class from others; worked out once.
  package let fingerprintText: String

  /// Makes a schema of its properties, in the order declared.
  public init(_ name: String, of type: any Model.Type, _ properties: [ModelProperty]) {
    self.name = name
    self.type = type
    classSchema = ClassSchema(name: name, properties: properties.map(\.schema))
    generators = Dictionary(
      properties.compactMap { property in
        property.generator.map { (property.schema.name, $0) }
      }, uniquingKeysWith: { first, _ in first })
    fingerprintText = classSchema.fingerprintText
  }
}

/// A property as its model declares it; `@Model` makes it.
public struct ModelProperty: Sendable {
  package let schema: PropertySchema
  package let generator: (@Sendable () -> PropertyValue)?

  /// Makes a property.
  ///
  /// A default is evaluated twice: one that differs, as `UUID()` does, is made
  /// anew for each object.
  public init<Value: Persistable>(
    _ name: String, _ type: Value.Type, isPrimaryKey: Bool = false, isIndexed: Bool = false,
    previousNames: [String] = [], default makeDefault: (@Sendable () -> Value)? = nil
  ) {
    var defaultValue = PropertyDefault.none
    var generator: (@Sendable () -> PropertyValue)?
    if let makeDefault {
      let make: @Sendable () -> PropertyValue = { makeDefault().propertyValue }
      let (first, second) = (make(), make())
      if first.isSame(as: second) {
        defaultValue = Value.isOptionalProperty && first.isNull ? .none : .value(first)
      } else {
        defaultValue = .generated
        generator = make
      }
    }
    schema = PropertySchema(
      name: name, type: Value.propertyType, isOptional: Value.isOptionalProperty,
      isPrimaryKey: isPrimaryKey, isIndexed: isIndexed, defaultValue: defaultValue,
      cases: Value.propertyCases, previousNames: previousNames)
    self.generator = generator
  }
}

extension PropertyValue {
  /// Whether both are equal, not-a-number included.
  fileprivate func isSame(as other: PropertyValue) -> Bool {
    switch (self, other) {
    case (.double(let first), .double(let second)): first.bitPattern == second.bitPattern
    case (.float(let first), .float(let second)): first.bitPattern == second.bitPattern
    default: self == other
    }
  }
}
