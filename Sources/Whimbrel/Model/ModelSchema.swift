internal import Synchronization
public import WhimbrelEngine

/// The schema of a class as its model declares it. `@Model` makes it.
@_documentation(visibility: internal)
public struct ModelSchema: Sendable {
  private let storage: Storage

  /// The name of the class in the schema.
  public var name: String { storage.name }
  package var type: any Model.Type { storage.type }
  package var generators: [String: @Sendable () -> PropertyValue] { storage.generators }
  /// The properties, in the order of declaration.
  package var properties: [ModelProperty] { storage.properties }
  /// The inverses, which are not stored.
  package var inverses: [ModelInverse] { storage.inverses }

  /// The schema of the class and its properties.
  public var classSchema: ClassSchema { storage.resolved.classSchema }

  /// Whether objects belong to the one object that links to them.
  var isEmbedded: Bool { storage.isEmbedded }
  var hasPrimaryKey: Bool { storage.hasPrimaryKey }

  /// The text that the fingerprint of the schema is made from. It is computed once.
  package var fingerprintText: String { storage.resolved.fingerprintText }

  /// Returns the stored name of the property that a key path leads to, or nil if the property is
  /// not stored.
  package func name(of keyPath: AnyKeyPath) -> String? { storage.names.name(of: keyPath) }

  /// Returns the stored name of a property by its name in the code.
  func name(ofDeclared declaredName: String) -> String {
    storage.names.byDeclaredName[declaredName] ?? declaredName
  }

  /// Makes a schema from its properties, in the order of declaration.
  public init(
    _ name: String, of type: any Model.Type, isEmbedded: Bool = false,
    _ properties: [ModelProperty], inverses: [ModelInverse] = [], indexes: [IndexSchema] = [],
    previousNames: [String] = []
  ) {
    storage = Storage(name, type, isEmbedded, properties, inverses, indexes, previousNames)
  }
}

/// The storage of a schema, which its copies share.
private final class Storage: Sendable {
  let name: String
  let type: any Model.Type
  let isEmbedded: Bool
  let hasPrimaryKey: Bool
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
    hasPrimaryKey = properties.contains(where: \.isPrimaryKey)
    self.properties = properties
    self.inverses = inverses
    self.indexes = indexes
    names = PropertyNames(properties)
    generators = Dictionary(
      keepingFirst: properties.compactMap { property in
        property.generator.map { (property.name, $0) }
      })
  }

  /// The part of a schema that is computed on first use.
  ///
  /// A link needs the name of its target, which is in the target's schema. Models may link to
  /// themselves and in cycles. Reading a model's schema while that schema is being made would
  /// deadlock, so the links are resolved later.
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
/// Comparing two key paths takes half as long as a lookup in a table. Key paths that were looked up
/// before are therefore recognized by their object identity.
private final class PropertyNames: Sendable {
  // Safe: the key path is kept only so that no other object gets its identity; nothing reads it.
  private struct Known: @unchecked Sendable {
    let keyPath: AnyKeyPath
    let name: String
  }

  /// The limit of the cache: generic code may make new key paths for each call.
  private static let most = 256

  private let properties: [ModelProperty]
  /// The stored names of properties whose name in the code differs, by that name.
  let byDeclaredName: [String: String]
  private let known = Mutex<[ObjectIdentifier: Known]>([:])

  init(_ properties: [ModelProperty]) {
    self.properties = properties
    byDeclaredName = Dictionary(
      keepingFirst: properties.filter { $0.declaredName != $0.name }.map {
        ($0.declaredName, $0.name)
      })
  }

  func name(of keyPath: AnyKeyPath) -> String? {
    let identity = ObjectIdentifier(keyPath)
    if let name = known.withLock({ $0[identity]?.name }) { return name }
    // By index: copying a property is expensive.
    guard
      let position = properties.indices.first(where: {
        unsafe properties[$0].keyPath == keyPath
      })
    else { return nil }
    let found = Known(keyPath: keyPath, name: properties[position].name)
    known.withLock { known in
      if known.count < Self.most { known[identity] = found }
    }
    return found.name
  }
}

/// An inverse as its model declares it. `@Model` makes it.
@_documentation(visibility: internal)
public struct ModelInverse: Sendable {
  let name: String
  let source: any Model.Type
  private let declaredProperty: String

  /// The stored name of the property whose links are followed.
  var property: String { source._$schema.name(ofDeclared: declaredProperty) }

  /// Makes an inverse from its name, and from the model and the property that it follows.
  public init(_ name: String, of source: any Model.Type, _ property: String) {
    self.name = name
    self.source = source
    declaredProperty = property
  }
}

/// A property as its model declares it. `@Model` makes it.
@_documentation(visibility: internal)
public final class ModelProperty: Sendable {
  package let name: String
  /// The name in the code. It differs from `name` if `@StoredName` gives one.
  let declaredName: String
  // Safe: `@Model` gives the key path of a property, which captures nothing. In the Swift 5 language
  // mode, the compiler does not infer that it is `Sendable`.
  nonisolated(unsafe) let keyPath: AnyKeyPath
  let valueType: any ModelValue.Type
  /// A closure that reads the property of a managed or unmanaged object.
  let value: @Sendable (any Model) -> Any?
  /// A closure that sets the property to a value of its type, or to a value that can be converted
  /// to it.
  let setValue: @Sendable (any Model, Any?, ValueConversion) throws -> Void
  /// A closure that decodes a value of a common type and sets the property to it. It returns false,
  /// and does nothing, if the type of the property is another.
  let decodeCommon:
    @Sendable (any Model, KeyedDecodingContainer<PropertyKey>, PropertyKey) throws -> Bool
  /// A closure that makes the schema of the property. It reads the names of other models, so it
  /// runs only after all schemas are made: see `Storage.resolved`.
  let makeSchema: @Sendable () -> PropertySchema
  package let generator: (@Sendable () -> PropertyValue)?
  let hasDefault: Bool
  let isPrimaryKey: Bool

  /// Makes a property.
  ///
  /// Setting a property by its key path would also read it, so `set` sets it.
  ///
  /// The default is evaluated several times. If the results differ, as with `UUID()`, the default
  /// is generated for each object.
  public init<Root: Model, Value: ModelValue>(
    _ name: String, declaredAs declaredName: String? = nil, _ type: Value.Type,
    _ keyPath: ReferenceWritableKeyPath<Root, Value>,
    set: @escaping @Sendable (Root, Value) -> Void, isPrimaryKey: Bool = false,
    isIndexed: Bool = false, previousNames: [String] = [],
    default makeDefault: (@Sendable () -> Value)? = nil
  ) {
    // Safe: as the property.
    nonisolated(unsafe) let keyPath = keyPath
    unsafe self.keyPath = keyPath
    hasDefault = makeDefault != nil
    self.isPrimaryKey = isPrimaryKey
    valueType = type
    value = { object in (object as? Root)?[keyPath: unsafe keyPath] }
    setValue = { object, value, conversion in
      guard let object = object as? Root else { return }
      set(object, try Value._$converted(value, conversion))
    }
    decodeCommon = { object, container, key in
      guard let object = object as? Root,
        let value = try Value.decodedCommon(from: container, key)
      else { return false }
      set(object, value)
      return true
    }
    var defaultValue = PropertyDefault.none
    var generator: (@Sendable () -> PropertyValue)?
    if let makeDefault {
      let make: @Sendable () -> PropertyValue = { makeDefault().propertyValue }
      let first = make()
      if first.isConstant(made: make) {
        // An optional or `AnyValue` property starts as nil anyway.
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
  /// Returns whether a default value is the same on each evaluation.
  fileprivate func isConstant(made make: () -> PropertyValue) -> Bool {
    // `Bool.random()` or a random case often gives the same value twice in a row.
    for _ in 0..<32 where !make().isIdentical(to: self) { return false }
    guard case .date = self else { return true }
    // The current time may also repeat: a date near today has a resolution of 119 ns.
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .microseconds(2) {}
    return make().isIdentical(to: self)
  }
}
