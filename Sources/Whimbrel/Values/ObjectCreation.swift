internal import WhimbrelEngine

/// Makes objects of values, and what is to be changed in objects that are there.
///
/// While values are converted nothing is written: what cannot be converted leaves no
/// trace. ``apply()`` writes then. If it fails after something was changed, the write
/// as a whole fails.
final class ObjectCreation {
  /// A property of an object of the store that gets a value.
  struct Change {
    let object: any Model
    let property: ModelProperty
    let value: Any
  }

  /// The store that the objects are for, or nil.
  let session: Session?
  let policy: UpdatePolicy
  /// Whether objects of other stores are copied; they are errors else.
  let copiesOthers: Bool
  private var newObjects: [any Model] = []
  private var changes: [Change] = []
  /// The new objects by class and primary key.
  private var newByKey: [String: [PropertyValue: any Model]] = [:]
  private var copies: [CopySource: any Model] = [:]
  private var unfilled: [(source: any Model, copy: any Model)] = []

  init(for session: Session? = nil, _ policy: UpdatePolicy = .error, copiesOthers: Bool = true) {
    self.session = session
    self.policy = policy
    self.copiesOthers = copiesOthers
  }
}

/// What an object is known by of which a copy is made.
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
  /// The object that a value stands for, or is made of; nil when it is no such value.
  func object<Target: Model>(
    _ type: Target.Type, _ value: Any, isCopying: Bool = false
  ) throws -> Target? {
    switch value {
    case let object as Target: return try used(object, isCopying: isCopying)
    case is any Model: return nil
    case let value as AnyValue:
      switch value {
      case .object(let object):
        return try (object as? Target).map { try used($0, isCopying: isCopying) }
      case .map(let values): return try object(type, values)
      case .list(let values): return try object(type, values)
      default: return nil
      }
    case let value as PropertyValue:
      switch value {
      case .link(let id): return try linked(type, id)
      case .map(let values): return try made(type, values)
      case .list(let values): return try made(type, type._$schema.named(values))
      default: return nil
      }
    case let values as [String: Any]: return try made(type, values)
    case let values as [Any]: return try made(type, type._$schema.named(values))
    default: return nil
    }
  }

  private func linked<Target: Model>(_ type: Target.Type, _ id: ObjectID) throws -> Target? {
    guard let session else { return nil }
    let table = try session.table(type._$schema.name)
    guard try table.record(id) != nil else {
      throw StoreError.objectDeleted(class: table.name, objectID: id)
    }
    return Target(_$row: ModelRow(session, table, id))
  }

  /// The object itself, or a copy where it cannot be linked to.
  func used<Target: Model>(_ object: Target, isCopying: Bool) throws -> Target {
    let isEmbedded = Target._$schema.classSchema.isEmbedded
    guard object.isManaged else {
      if isCopying, isEmbedded { return copy(of: object) }
      if !isEmbedded { newObjects.append(object) }
      return object
    }
    try object.requireUsable()
    // An embedded object belongs to another already.
    if isEmbedded { return copy(of: object) }
    guard let session, object._$row.session !== session else { return object }
    guard copiesOthers else {
      throw StoreError.objectOfOtherStore(
        class: Target._$schema.name, objectID: object._$row.id)
    }
    return copy(of: object)
  }

  /// A new object with the values of another. They are filled in later, so that
  /// neither long chains nor circles matter.
  func copy<Target: Model>(of object: Target) -> Target {
    let source = CopySource(object)
    if let known = copies[source] as? Target { return known }
    let copy = Target(_$row: ModelRow())
    copies[source] = copy
    unfilled.append((object, copy))
    if !Target._$schema.classSchema.isEmbedded { newObjects.append(copy) }
    return copy
  }

  private func made<Target: Model>(
    _ type: Target.Type, _ values: [String: Any]
  ) throws -> Target {
    let schema = type._$schema
    try schema.requireProperties(values.keys)
    let key = try primaryKey(schema, values)
    if let key, let known = newByKey[schema.name]?[key] as? Target {
      try set(values, of: known, schema)
      return known
    }
    if let key, let session, let id = try session.table(schema.name).find(key) {
      let table = try session.table(schema.name)
      let object = Target(_$row: ModelRow(session, table, id))
      try change(object, values, schema)
      return object
    }
    let object = Target(_$row: ModelRow())
    if !schema.classSchema.isEmbedded { newObjects.append(object) }
    if let key { newByKey[schema.name, default: [:]][key] = object }
    try set(values, of: object, schema)
    try object.requireComplete()
    return object
  }

  /// The primary key among values, if an object with it would be updated.
  private func primaryKey(
    _ schema: ModelSchema, _ values: [String: Any]
  ) throws -> PropertyValue? {
    guard policy != .error, let name = schema.classSchema.primaryKey?.name,
      let value = values[name], let property = schema.property(name)
    else { return nil }
    let conversion = ValueConversion(class: schema.name, property: name, in: self)
    return try property.valueType._$converted(value, conversion).propertyValue
  }

  /// Sets properties of a new object.
  private func set(
    _ values: [String: Any], of object: any Model, _ schema: ModelSchema
  ) throws {
    for property in schema.properties {
      guard let value = values[property.name] else { continue }
      let conversion = ValueConversion(class: schema.name, property: property.name, in: self)
      try object.set(property, value, conversion)
    }
  }
}

// MARK: - Changes

extension ObjectCreation {
  /// Notes what changes in an object of the store: what values say and nothing else.
  func change(_ object: any Model, _ values: [String: Any], _ schema: ModelSchema) throws {
    try schema.requireProperties(values.keys)
    let key = schema.classSchema.primaryKey?.name
    for property in schema.properties where property.name != key {
      guard let value = values[property.name] else { continue }
      if try changeEmbedded(object, property, value) { continue }
      let conversion = ValueConversion(class: schema.name, property: property.name, in: self)
      let converted = try property.valueType._$converted(value, conversion)
      if policy == .modified, property.isSame(converted, in: object) { continue }
      changes.append(Change(object: object, property: property, value: converted))
    }
  }

  /// Values for an embedded object that is there change it; it is not replaced.
  private func changeEmbedded(
    _ object: any Model, _ property: ModelProperty, _ value: Any
  ) throws -> Bool {
    guard let current = property.value(object).flatMap(flattened) as? any Model,
      let value = flattened(value)
    else { return false }
    let schema = type(of: current)._$schema
    guard schema.classSchema.isEmbedded else { return false }
    if let values = value as? [String: Any] {
      try change(current, values, schema)
      return true
    }
    guard let values = value as? [Any] else { return false }
    try change(current, schema.named(values), schema)
    return true
  }

  /// Fills the copies. Nothing is written yet.
  func finish() throws {
    var position = 0
    while position < unfilled.count {
      let (source, copy) = unfilled[position]
      let schema = type(of: source)._$schema
      for (index, value) in try source.propertyValues() {
        let property = schema.properties[index]
        let conversion = ValueConversion(
          class: schema.name, property: property.name, in: self, isCopying: true)
        try copy.set(property, value, conversion)
      }
      try copy.requireComplete()
      position += 1
    }
    unfilled.removeAll()
  }

  /// Adds what is new to the store, and makes the changes.
  func apply() throws {
    guard let session else { return }
    try ObjectAdder(session, policy).add(all: newObjects.filter { !$0.isManaged })
    if changes.isEmpty { return }
    try session.throwingNoted {
      for change in changes {
        let conversion = ValueConversion(
          class: type(of: change.object)._$schema.name, property: change.property.name)
        do {
          try change.object.set(change.property, change.value, conversion)
        } catch {
          session.note(error)
          throw error
        }
      }
    }
  }
}

extension ModelProperty {
  /// Whether an object has a value already, as far as that can be told.
  fileprivate func isSame(_ value: any ModelValue, in object: any Model) -> Bool {
    guard let current = self.value(object) as? any ModelValue else { return false }
    let type = type(of: value).propertyType
    // Objects that are in no store have no value to compare.
    if type == .any || type.linkedClass != nil && !value.propertyValue.isWhole { return false }
    if type.elementType?.type == .any { return false }
    return current.propertyValue.isIdentical(to: value.propertyValue)
      && !(value.propertyValue.isNull && flattened(value) != nil)
  }
}

extension PropertyValue {
  /// Whether no element of a collection of links is an object that is in no store.
  fileprivate var isWhole: Bool {
    switch self {
    case .list(let values): !values.contains(.null)
    case .map(let values): !values.values.contains(.null)
    default: true
    }
  }
}
