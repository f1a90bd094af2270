internal import Synchronization
public import WhimbrelEngine

/// A class as its model declares it; `@Model` makes it.
public struct ModelSchema: Sendable {
  /// The name of the class in stores.
  public let name: String
  package let type: any Model.Type
  package let generators: [String: @Sendable () -> PropertyValue]
  /// The properties, in the order declared.
  package let properties: [ModelProperty]
  /// The inverses, which are not stored.
  package let inverses: [ModelInverse]
  private let resolution: Resolution

  /// The class and its properties.
  public var classSchema: ClassSchema { resolution.value.classSchema }

  /// What tells this class from others; worked out once.
  package var fingerprintText: String { resolution.value.fingerprintText }

  /// The name of the property that a key path leads to, or nil when it is not one that
  /// is stored.
  package func name(of keyPath: AnyKeyPath) -> String? {
    // By their positions: a property is large to copy.
    properties.indices.first { properties[$0].keyPath == keyPath }.map { properties[$0].name }
  }

  /// Makes a schema of its properties, in the order declared.
  public init(
    _ name: String, of type: any Model.Type, isEmbedded: Bool = false,
    _ properties: [ModelProperty], inverses: [ModelInverse] = [], indexes: [IndexSchema] = []
  ) {
    self.name = name
    self.type = type
    self.properties = properties
    self.inverses = inverses
    generators = Dictionary(
      properties.compactMap { property in
        property.generator.map { (property.name, $0) }
      }, uniquingKeysWith: { first, _ in first })
    resolution = Resolution(name, isEmbedded, properties, indexes)
  }
}

/// The part of a schema that is worked out when it is first asked for.
///
/// A link needs the name of its model, which that model's schema has: while the
/// schema of a model is being made, asking for it again waits for ever, and
/// models may link to themselves and in circles.
private final class Resolution: Sendable {
  struct Value {
    let classSchema: ClassSchema
    let fingerprintText: String
  }

  private let name: String
  private let isEmbedded: Bool
  private let properties: [ModelProperty]
  private let indexes: [IndexSchema]
  private let stored = Mutex<Value?>(nil)

  init(
    _ name: String, _ isEmbedded: Bool, _ properties: [ModelProperty], _ indexes: [IndexSchema]
  ) {
    self.name = name
    self.isEmbedded = isEmbedded
    self.properties = properties
    self.indexes = indexes
  }

  var value: Value {
    if let value = stored.withLock({ $0 }) { return value }
    let schema = ClassSchema(
      name: name, isEmbedded: isEmbedded, properties: properties.map { $0.makeSchema() },
      indexes: indexes)
    let value = Value(classSchema: schema, fingerprintText: schema.fingerprintText)
    stored.withLock { $0 = value }
    return value
  }
}

/// An inverse as its model declares it; `@Model` makes it.
public struct ModelInverse: Sendable {
  let name: String
  let source: any Model.Type
  let property: String

  /// Makes an inverse.
  public init(_ name: String, of source: any Model.Type, _ property: String) {
    self.name = name
    self.source = source
    self.property = property
  }
}

/// A property as its model declares it; `@Model` makes it.
public struct ModelProperty: Sendable {
  package let name: String
  let keyPath: any AnyKeyPath & Sendable
  /// The Swift type.
  let valueType: any ModelValue.Type
  /// Reads the property of an object, managed or not.
  let value: @Sendable (any Model) -> Any?
  /// Sets the property of an object to a value of this type or of one that it can be
  /// made of.
  let setValue: @Sendable (any Model, Any?, ValueConversion) throws -> Void
  /// Asks for the names of other models: see ``ModelSchema``.
  let makeSchema: @Sendable () -> PropertySchema
  package let generator: (@Sendable () -> PropertyValue)?

  /// Makes a property.
  ///
  /// A default is evaluated several times: one that differs, as `UUID()` does, is
  /// made anew for each object.
  public init<Root: Model, Value: ModelValue>(
    _ name: String, _ type: Value.Type,
    _ keyPath: any ReferenceWritableKeyPath<Root, Value> & Sendable, isPrimaryKey: Bool = false,
    isIndexed: Bool = false, previousNames: [String] = [],
    default makeDefault: (@Sendable () -> Value)? = nil
  ) {
    self.keyPath = keyPath
    valueType = type
    value = { object in (object as? Root)?[keyPath: keyPath] }
    setValue = { object, value, conversion in
      guard let object = object as? Root else { return }
      object[keyPath: keyPath] = try Value._$converted(value, conversion)
    }
    var defaultValue = PropertyDefault.none
    var generator: (@Sendable () -> PropertyValue)?
    if let makeDefault {
      let make: @Sendable () -> PropertyValue = { makeDefault().propertyValue }
      let first = make()
      if first.isConstant(made: make) {
        // Nil is what an optional and a value of any type start with anyway.
        defaultValue = first.isNull ? .none : .value(first)
      } else {
        defaultValue = .generated
        generator = make
      }
    }
    self.name = name
    self.generator = generator
    makeSchema = { [defaultValue] in
      PropertySchema(
        name: name, type: Value.propertyType, isOptional: Value.isOptionalProperty,
        isPrimaryKey: isPrimaryKey, isIndexed: isIndexed, defaultValue: defaultValue,
        cases: Value.propertyCases, previousNames: previousNames)
    }
  }
}

extension PropertyValue {
  /// Whether a default that was this once is always.
  fileprivate func isConstant(made make: () -> PropertyValue) -> Bool {
    // A random case, or `Bool.random()`, is often the same twice in a row.
    for _ in 0..<32 where !make().isIdentical(to: self) { return false }
    guard case .date = self else { return true }
    // So is the time: a date near today has steps of 119 ns.
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .microseconds(2) {}
    return make().isIdentical(to: self)
  }
}
