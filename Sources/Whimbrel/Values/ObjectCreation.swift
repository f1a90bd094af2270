internal import WhimbrelEngine

/// The conversion of values to new objects and to changes of existing objects.
///
/// Converting values does not write anything, so a value that cannot be converted leaves no trace.
/// ``apply()`` writes everything at the end. If it fails after a change was made, the whole write
/// fails.
final class ObjectCreation {
  /// A new value for a property of an object in the store.
  struct Change {
    let object: any Model
    let property: ModelProperty
    let value: any ModelValue
  }

  /// The store that the objects are for; nil for unmanaged objects.
  let session: Session?
  let policy: UpdatePolicy
  /// Whether objects of other stores are copied. If not, they cause an error.
  let copiesOthers: Bool
  // Safe, here and below: as in ``ObjectAdder``.
  @safe @exclusivity(unchecked) private var newObjects: [any Model] = []
  @safe @exclusivity(unchecked) private var changes: [Change] = []
  /// The new objects by class and encoded primary key. Texts that are only canonically equivalent
  /// are different keys, which `PropertyValue` does not tell apart.
  @safe @exclusivity(unchecked) private var newByKey: [String: [[UInt8]: any Model]] = [:]
  private var copies: [CopySource: any Model] = [:]
  @safe @exclusivity(unchecked) private var unfilled: [(source: any Model, copy: any Model)] = []
  /// Whether ``finish()`` has filled the copies. Nothing would fill a later one.
  @safe @exclusivity(unchecked) private var isFinished = false
  let unknownKeys: UnknownKeys
  /// The path to the value that is being converted.
  @safe @exclusivity(unchecked) private var path: [ValueStep] = []

  init(
    for session: Session? = nil, _ policy: UpdatePolicy = .error, copiesOthers: Bool = true,
    unknownKeys: UnknownKeys = .error
  ) {
    self.session = session
    self.policy = policy
    self.copiesOthers = copiesOthers
    self.unknownKeys = unknownKeys
  }
}

// MARK: - Paths

extension ObjectCreation {
  /// Runs `body`, and adds the path of the value to its errors.
  func at<Result>(_ step: ValueStep, _ body: () throws -> Result) throws -> Result {
    path.append(step)
    defer { path.removeLast() }
    do {
      return try body()
    } catch let error as StoreError
      where path.count > 1 || !path[0].isKey || error.isAboutTarget
    {
      throw error.at(valuePath: path.text)
    }
  }
}

/// The identity of an object that is copied.
private enum CopySource: Hashable {
  case unmanaged(ObjectIdentifier)
  case managed(ObjectIdentifier, String, ObjectID)

  init(_ object: any Model) {
    if let session = object._$row.session {
      let name = type(of: object)._$schema.name
      self = .managed(ObjectIdentifier(session), name, object._$row.id)
    } else {
      self = .unmanaged(ObjectIdentifier(object))
    }
  }
}

// MARK: - Values to objects

extension ObjectCreation {
  /// Returns the object that a value represents or describes, or nil if it does neither.
  func object<Target: Model>(
    _ type: Target.Type, _ value: Any, isCopying: Bool = false
  ) throws -> Target? {
    switch try content(type, value, isCopying: isCopying) {
    case .object(let object): object
    case .values(let values): try made(type, values)
    case .other: nil
    }
  }

  /// The object that a value represents, or the values that describe it.
  private enum Content<Target> {
    case object(Target), values([String: Any]), other

    init(_ object: Target?) { self = object.map(Content.object) ?? .other }
  }

  /// A function of its own, here and below: its temporary values would take stack at each level of
  /// nested objects.
  @inline(never)
  private func content<Target: Model>(
    _ type: Target.Type, _ value: Any, isCopying: Bool
  ) throws -> Content<Target> {
    if isClass(value) {
      if let object = value as? Target { return .object(try used(object, isCopying: isCopying)) }
      if let object = value as? any Model { return Content(try successor(type, of: object)) }
    }
    if let values = try values(value, type._$schema) { return .values(values) }
    switch value {
    case let object as DynamicObject: return Content(try linked(type, object))
    case AnyValue.object(let object):
      return Content(try (object as? Target).map { try used($0, isCopying: isCopying) })
    case PropertyValue.link(let id): return Content(try linked(type, id))
    default: return .other
    }
  }

  /// Returns the values by property name that a dictionary or an array describes an object with, or
  /// nil for other values.
  private func values(_ value: Any, _ schema: ModelSchema) throws -> [String: Any]? {
    switch value {
    case let values as [String: Any]: return values
    case let values as [Any]: return try schema.named(values)
    case AnyValue.map(let values): return values
    case AnyValue.list(let values): return try schema.named(values)
    case PropertyValue.map(let values): return values
    case PropertyValue.list(let values): return try schema.named(values)
    default: return nil
    }
  }

  /// Returns the new object that an old object of a migration has become, or nil if it is not an
  /// old object.
  private func successor<Target: Model>(
    _ type: Target.Type, of object: any Model
  ) throws -> Target? {
    guard let session, session.isNewSide(of: object._$row.session),
      try object._$row.table?.resolved.id == session.table(type._$schema.name).resolved.id
    else { return nil }
    return try linked(type, object._$row.id)
  }

  private func linked<Target: Model>(
    _ type: Target.Type, _ object: DynamicObject
  ) throws -> Target? {
    guard let session else { return nil }
    try requireLinkable(object, in: session)
    let table = try session.table(type._$schema.name)
    return table.resolved.id == object.classID ? try linked(type, object.id) : nil
  }

  private func requireLinkable(_ object: DynamicObject, in session: Session) throws {
    if object.isLinkable(in: session) { return }
    throw StoreError.objectOfOtherStore(class: object.className, objectID: object.id)
  }

  /// Returns a link to the object that a dynamic object represents, as a value of any type. Returns
  /// nil for unmanaged objects, and for an object of a class that the store lacks.
  func link(to object: DynamicObject) throws -> AnyValue? {
    guard let session else { return nil }
    try requireLinkable(object, in: session)
    guard let table = session.find(object.classID) else { return nil }
    guard try table.contains(object.id) else { throw table.resolved.deleted(object.id) }
    return AnyValue(.object(ObjectReference(classID: object.classID, id: object.id)), in: session)
  }

  /// Returns whether a value is an old object of a migration whose new object was deleted. A link
  /// to it becomes nil.
  func isGone(_ value: Any) -> Bool {
    guard let session, session.showsNewObjects else { return false }
    let place: (className: ClassID?, id: ObjectID)
    if let object = modelObject(value), session.isNewSide(of: object._$row.session) {
      place = (object._$row.table?.resolved.id, object._$row.id)
    } else if let object = value as? DynamicObject, object.isLinkable(in: session) {
      place = (object.classID, object.id)
    } else {
      return false
    }
    let table = session.classes.first { $0.resolved.id == place.className }
    return (try? table?.record(place.id)) == nil
  }

  private func linked<Target: Model>(_ type: Target.Type, _ id: ObjectID) throws -> Target? {
    guard let session else { return nil }
    let table = try session.table(type._$schema.name)
    guard try table.contains(id) else {
      throw table.resolved.deleted(id)
    }
    return Target(_$row: ModelRow(session, table, id))
  }

  /// Returns the object itself, or a copy if it cannot be linked to.
  func used<Target: Model>(_ object: Target, isCopying: Bool) throws -> Target {
    let isEmbedded = Target._$schema.isEmbedded
    guard object.isManaged else {
      if isCopying, isEmbedded { return copy(of: object) }
      if !isEmbedded { newObjects.append(object) }
      return object
    }
    try object.requireUsable()
    // A managed embedded object already has an owner.
    if isEmbedded { return isFinished ? object : copy(of: object) }
    guard let session, object._$row.session !== session else { return object }
    if let new = try successor(Target.self, of: object) { return new }
    guard copiesOthers else {
      throw StoreError.objectOfOtherStore(
        class: Target._$schema.name, objectID: object._$row.id,
        primaryKey: object._$row.knownKey)
    }
    return copy(of: object)
  }

  /// Returns a new object that will get the values of another. `finish` copies the values later, so
  /// that long chains and cycles do not deepen the stack.
  func copy<Target: Model>(of object: Target) -> Target {
    let source = CopySource(object)
    if let known = copies[source] as? Target { return known }
    let copy = Target(_$row: ModelRow())
    copies[source] = copy
    unfilled.append((object, copy))
    if !Target._$schema.isEmbedded { newObjects.append(copy) }
    return copy
  }

  private func made<Target: Model>(
    _ type: Target.Type, _ values: [String: Any]
  ) throws -> Target {
    let schema = type._$schema
    try requireDepth(schema)
    let (object, origin) = try described(type, values)
    switch origin {
    case .created:
      if try !set(values, of: object, schema) { try requireComplete(object, values) }
    case .known: _ = try set(values, of: object, schema)
    case .stored: try change(object, values, schema)
    }
    return object
  }

  /// The origin of an object that values describe.
  private enum Origin {
    /// The object is new.
    case created
    /// Earlier values have described the new object.
    case known
    /// The object is in the store.
    case stored
  }

  /// Returns the object that values describe, before they are set.
  @inline(never)
  private func described<Target: Model>(
    _ type: Target.Type, _ values: [String: Any]
  ) throws -> (Target, Origin) {
    let schema = type._$schema
    // Without an update policy, each dictionary is a new object.
    let key =
      policy == .error
      ? nil : try preferringUnknownKeys(of: values, schema) { try primaryKey(schema, values) }
    let encoded = key.map { KeyEncoding.encoding(of: $0, isOptional: false) }
    if let encoded, let known = newByKey[schema.name]?[encoded] as? Target {
      return (known, .known)
    }
    if let key, let session, let id = try session.table(schema.name).find(key) {
      let table = try session.table(schema.name)
      return (Target(_$row: ModelRow(session, table, id)), .stored)
    }
    let object = Target(_$row: ModelRow())
    if !schema.isEmbedded { newObjects.append(object) }
    if let encoded { newByKey[schema.name, default: [:]][encoded] = object }
    return (object, .created)
  }

  /// Throws if an object is nested too deep in the values: each level takes stack space.
  private func requireDepth(_ schema: ModelSchema) throws {
    guard path.count > CodingPath.limit, path.count(where: \.isKey) > CodingPath.limit else {
      return
    }
    // The whole path would be too long to read.
    throw StoreError.nestedTooDeep(class: schema.name, limit: CodingPath.limit)
      .at(valuePath: Array(path.prefix(4)).text + "…")
  }

  /// Throws if a required property has no value. The path leads to the object, whose class may occur
  /// in several places.
  private func requireComplete<Target: Model>(_ object: Target, _ values: [String: Any]) throws {
    do {
      try object.requireComplete()
    } catch let error as StoreError where !path.isEmpty {
      throw (try duplicate(of: object, values) ?? error).at(valuePath: path.text)
    }
  }

  /// Returns the error for the primary key of a new object that another object has, or nil. Values
  /// that have only the key are meant as a link to that object.
  private func duplicate<Target: Model>(
    of object: Target, _ values: [String: Any]
  ) throws -> StoreError? {
    let schema = Target._$schema
    guard policy == .error, let key = try primaryKey(schema, values),
      let name = schema.classSchema.primaryKey?.name, let property = schema.property(name)
    else { return nil }
    func hasKey(_ other: any Model) -> Bool {
      other !== object && other is Target
        && (property.value(other) as? any ModelValue)?.propertyValue == key
    }
    let isStored = try session?.table(schema.name).find(key) != nil
    guard isStored || newObjects.contains(where: hasKey) else { return nil }
    return StoreError.duplicatePrimaryKey(class: schema.name, property: name, key: key)
  }

  /// Returns the primary key among values, or nil.
  private func primaryKey(
    _ schema: ModelSchema, _ values: [String: Any]
  ) throws -> PropertyValue? {
    guard let name = schema.classSchema.primaryKey?.name, let value = values[name],
      let property = schema.property(name)
    else { return nil }
    let conversion = ValueConversion(class: schema.name, property: property, in: self)
    return try at(.key(name)) {
      try property.valueType._$converted(value, conversion).propertyValue
    }
  }

  /// Throws if a key is not a property, unless unknown keys are ignored.
  private func requireProperties(_ values: [String: Any], _ schema: ModelSchema) throws {
    guard unknownKeys == .error else { return }
    let unknown = values.keys.filter { schema.property($0) == nil }
    guard let first = unknown.min() else { return }
    try at(.key(first)) { throw schema.unknownProperty(first) }
  }

  /// Runs `body`. If it throws, a key that is not a property is the error: it may well be the cause.
  private func preferringUnknownKeys<Result>(
    of values: [String: Any], _ schema: ModelSchema, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch {
      try requireProperties(values, schema)
      throw error
    }
  }

  /// Sets properties, and returns whether each property was given a value.
  private func set(
    _ values: [String: Any], of object: any Model, _ schema: ModelSchema
  ) throws -> Bool {
    var count = 0
    try preferringUnknownKeys(of: values, schema) {
      for property in schema.properties {
        guard let value = values[property.name] else { continue }
        count += 1
        let conversion = ValueConversion(class: schema.name, property: property, in: self)
        try at(.key(property.name)) { try property.setValue(object, value, conversion) }
      }
    }
    if count < values.count { try requireProperties(values, schema) }
    return count == schema.properties.count
  }
}

// MARK: - Changes

extension ObjectCreation {
  /// Records the changes of an object in the store. Properties without a given value do not change.
  func change(_ object: any Model, _ values: [String: Any], _ schema: ModelSchema) throws {
    try requireProperties(values, schema)
    let key = schema.classSchema.primaryKey?.name
    for property in schema.properties where property.name != key {
      guard let value = values[property.name] else { continue }
      try at(.key(property.name)) { try change(object, property, value, schema) }
    }
  }

  private func change(
    _ object: any Model, _ property: ModelProperty, _ value: Any, _ schema: ModelSchema
  ) throws {
    if try changeEmbedded(object, property, value) { return }
    let conversion = ValueConversion(class: schema.name, property: property, in: self)
    let converted = try property.valueType._$converted(value, conversion)
    if policy == .modified, property.isSame(converted, in: object) { return }
    changes.append(Change(object: object, property: property, value: converted))
  }

  /// Changes the existing embedded object if values for it are given, instead of replacing it.
  private func changeEmbedded(
    _ object: any Model, _ property: ModelProperty, _ value: Any
  ) throws -> Bool {
    guard let current = property.value(object).flatMap(flattened) as? any Model,
      let value = flattened(value)
    else { return false }
    let schema = type(of: current)._$schema
    guard schema.isEmbedded, let values = try values(value, schema) else { return false }
    try change(current, values, schema)
    return true
  }

  /// Fills the copies. Does not write to the store yet.
  func finish() throws {
    var position = 0
    while position < unfilled.count {
      let (source, copy) = unfilled[position]
      let schema = type(of: source)._$schema
      for (index, value) in try source.propertyValues() {
        let property = schema.properties[index]
        let conversion = ValueConversion(
          class: schema.name, property: property, in: self, isCopying: true)
        try property.setValue(copy, value, conversion)
      }
      try copy.requireComplete()
      position += 1
    }
    unfilled.removeAll()
    isFinished = true
  }

  /// Adds the new objects to the store, and applies the changes.
  func apply() throws {
    guard let session else { return }
    try ObjectAdder(session, policy).add(all: newObjects.filter { !$0.isManaged })
    if changes.isEmpty { return }
    try session.throwingDeferred {
      do {
        // An earlier change may have replaced an embedded object, which is then gone.
        for change in changes where !change.object.isInvalidated {
          let conversion = ValueConversion(
            class: type(of: change.object)._$schema.name, property: change.property, in: self)
          try change.property.setValue(change.object, change.value, conversion)
        }
      } catch {
        session.note(error)
        throw error
      }
    }
  }
}
