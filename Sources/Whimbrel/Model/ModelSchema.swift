internal import Synchronization
public import WhimbrelEngine

/// A class as its model declares it; `@Model` makes it.
@_documentation(visibility: internal)
public struct ModelSchema: Sendable {
  private let storage: Storage

  /// The name of the class in stores.
  public var name: String { storage.name }
  package var type: any Model.Type { storage.type }
  package var generators: [String: @Sendable () -> PropertyValue] { storage.generators }
  /// The properties, in the order declared.
  package var properties: [ModelProperty] { storage.properties }
  /// The inverses, which are not stored.
  package var inverses: [ModelInverse] { storage.inverses }

  /// The class and its properties.
  public var classSchema: ClassSchema { storage.resolved.classSchema }

  /// What tells this class from others; worked out once.
  package var fingerprintText: String { storage.resolved.fingerprintText }

  /// The name of the property that a key path leads to, or nil when it is not one that
  /// is stored.
  package func name(of keyPath: AnyKeyPath) -> String? { storage.names.name(of: keyPath) }

  /// The name that a property has in the store which has this one in code.
  func name(ofDeclared declaredName: String) -> String {
    storage.names.byDeclaredName[declaredName] ?? declaredName
  }

  /// Makes a schema of its properties, in the order declared.
  public init(
    _ name: String, of type: any Model.Type, isEmbedded: Bool = false,
    _ properties: [ModelProperty], inverses: [ModelInverse] = [], indexes: [IndexSchema] = [],
    previousNames: [String] = []
  ) {
    storage = Storage(name, type, isEmbedded, properties, inverses, indexes, previousNames)
  }
}

/// What a schema is, in one place: copies of a schema share it.
private final class Storage: Sendable {
  let name: String
  let type: any Model.Type
  let isEmbedded: Bool
  let generators: [String: @Sendable () -> PropertyValue]
  let properties: [ModelProperty]
  let inverses: [ModelInverse]
  let indexes: [IndexSchema]
  let previousNames: [String]
  let names: PropertyNames
  private let stored = Mutex<Resolved?>(nil)

  init(
    _ name: String, _ type: any Model.Type, _ isEmbedded: Bool, _ properties: [ModelProperty],
    _ inverses: [ModelInverse], _ indexes: [IndexSchema], _ previousNames: [String]
  ) {
    self.previousNames = previousNames
    self.name = name
    self.type = type
    self.isEmbedded = isEmbedded
    self.properties = properties
    self.inverses = inverses
    self.indexes = indexes
    names = PropertyNames(properties)
    generators = Dictionary(
      properties.compactMap { property in
        property.generator.map { (property.name, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The part of a schema that is worked out when it is first asked for.
  ///
  /// A link needs the name of its model, which that model's schema has: while the
  /// schema of a model is being made, asking for it again waits for ever, and
  /// models may link to themselves and in circles.
  var resolved: Resolved {
    if let value = stored.withLock({ $0 }) { return value }
    let schema = ClassSchema(
      name: name, isEmbedded: isEmbedded, properties: properties.map { $0.makeSchema() },
      indexes: indexes, previousNames: previousNames)
    let value = Resolved(classSchema: schema, fingerprintText: schema.fingerprintText)
    stored.withLock { $0 = value }
    return value
  }

  struct Resolved {
    let classSchema: ClassSchema
    let fingerprintText: String
  }
}

/// The names of the properties that key paths lead to.
///
/// To compare two key paths takes as long as half a look-up in a table: those that were
/// asked for are known again by being the same objects.
private final class PropertyNames: Sendable {
  // Safe: it is kept so that no other gets its identity, and used for nothing else.
  private struct Known: @unchecked Sendable {
    let keyPath: AnyKeyPath
    let name: String
  }

  /// Key paths that generic code makes anew each time must not fill the memory.
  private static let most = 256

  private let properties: [ModelProperty]
  /// The names of properties that have another one in code, by that.
  let byDeclaredName: [String: String]
  private let known = Mutex<[ObjectIdentifier: Known]>([:])

  init(_ properties: [ModelProperty]) {
    self.properties = properties
    byDeclaredName = Dictionary(
      properties.filter { $0.declaredName != $0.name }.map { ($0.declaredName, $0.name) },
      uniquingKeysWith: { first, _ in first })
  }

  func name(of keyPath: AnyKeyPath) -> String? {
    let identity = ObjectIdentifier(keyPath)
    if let name = known.withLock({ $0[identity]?.name }) { return name }
    // By their positions: a property is large to copy.
    guard let position = properties.indices.first(where: { properties[$0].keyPath == keyPath })
    else { return nil }
    let found = Known(keyPath: keyPath, name: properties[position].name)
    known.withLock { known in
      if known.count < Self.most { known[identity] = found }
    }
    return found.name
  }
}

/// An inverse as its model declares it; `@Model` makes it.
@_documentation(visibility: internal)
public struct ModelInverse: Sendable {
  let name: String
  let source: any Model.Type
  private let declaredProperty: String

  /// The name of the property in the store.
  var property: String { source._$schema.name(ofDeclared: declaredProperty) }

  /// Makes an inverse.
  public init(_ name: String, of source: any Model.Type, _ property: String) {
    self.name = name
    self.source = source
    declaredProperty = property
  }
}

/// A property as its model declares it; `@Model` makes it.
@_documentation(visibility: internal)
public struct ModelProperty: Sendable {
  package let name: String
  /// The name in code, which is another where `@StoredName` gives one.
  let declaredName: String
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
  /// Whether a default value was declared.
  let hasDefault: Bool

  /// Makes a property.
  ///
  /// A default is evaluated several times: one that differs, as `UUID()` does, is
  /// made anew for each object.
  public init<Root: Model, Value: ModelValue>(
    _ name: String, declaredAs declaredName: String? = nil, _ type: Value.Type,
    _ keyPath: any ReferenceWritableKeyPath<Root, Value> & Sendable, isPrimaryKey: Bool = false,
    isIndexed: Bool = false, previousNames: [String] = [],
    default makeDefault: (@Sendable () -> Value)? = nil
  ) {
    self.keyPath = keyPath
    hasDefault = makeDefault != nil
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
    self.declaredName = declaredName ?? name
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
