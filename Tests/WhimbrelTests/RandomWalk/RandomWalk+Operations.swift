import Foundation
import Whimbrel
import WhimbrelTesting

extension RandomWalk {
  /// Does one thing to the store and to the oracle.
  func operate() throws {
    switch values.number(0..<1_000) {
    case 0..<120: try create()
    case 120..<270: try setProperty()
    case 270..<330: try deleteSome()
    case 330..<333: try removeAll()
    case 333..<510: try changeCollection()
    case 510..<630: try changeEmbedded()
    case 630..<680: try update()
    case 680..<770: try refuse()
    case 770: try growAndShrink()
    default: try operateTyped()
    }
  }

  /// The classes whose objects stand for themselves.
  private var topLevel: [ObjectOracle.Shape] {
    oracle.shapes.filter { !$0.schema.isEmbedded }
  }

  // MARK: Creating

  private func create() throws {
    let shape = values.pick(topLevel)
    guard oracle.count(shape.name) < Self.limit else { return try deleteSome() }
    try create(shape)
  }

  private func create(_ shape: ObjectOracle.Shape) throws {
    let key = shape.schema.primaryKey.map { ($0.name, freshKey($0)) }
    if let key, oracle.object(shape.name, withKey: key.1) != nil { return try refuse() }
    var given = try randomValues(shape, percent: 40)
    for (position, target) in shape.owned where values.happens(percent: 30) {
      given[shape.properties[position].name] = try newChildren(position, target, of: shape)
    }
    if let key { given[key.0] = key.1 }
    try enter(shape, given)
  }

  /// A primary key that may be one of an object.
  func freshKey(_ property: PropertySchema) -> PropertyValue {
    let key = values.scalar(property.type)
    guard case .string(let text) = key, values.happens(percent: 20) else { return key }
    // Beyond what an index keeps of a text.
    return .string(String(repeating: "k", count: 450) + text)
  }

  /// Values for some of the properties that own nothing and are no primary key.
  func randomValues(
    _ shape: ObjectOracle.Shape, percent: Int
  ) throws -> [String: PropertyValue] {
    let owned = Set(shape.owned.map(\.position))
    var given: [String: PropertyValue] = [:]
    for (position, property) in shape.properties.enumerated()
    where !owned.contains(position) && !property.isPrimaryKey
      && values.happens(percent: percent)
    {
      given[property.name] = values.value(of: property, oracle)
    }
    return given
  }

  /// Creates an object of values, and of defaults where there are none.
  @discardableResult
  func enter(
    _ shape: ObjectOracle.Shape, _ given: [String: PropertyValue]
  ) throws -> Reference {
    note("create \(shape.name) of \(given)")
    let object = try store.dynamicCreate(shape.name, given)
    let reference = Reference(className: shape.name, id: object.id)
    try require(!oracle.exists(reference), "\(reference) has the ID of another")
    let all = try shape.properties.map { property in
      if let value = given[property.name] { return value }
      switch property.defaultValue {
      case .value(let value): return value
      // Only the store knows what has been made.
      case .generated: return try object.value(property.name)
      case .none:
        if property.isOptional || property.type == .any { return PropertyValue.null }
        if case .map = property.type { return .map([:]) }
        return .list([])
      }
    }
    oracle.insert(reference, all)
    return reference
  }

  // MARK: Properties

  private func setProperty() throws {
    guard let reference = somebody() else { return try create() }
    let shape = oracle.shape(reference.className)
    let owned = Set(shape.owned.map(\.position))
    let free = shape.properties.enumerated().filter {
      !owned.contains($0) && !$1.isPrimaryKey
    }.map(\.element)
    let property = values.pick(free)
    let value =
      property.isOptional && values.happens(percent: 15)
      ? .null : values.value(of: property, oracle)
    note("set '\(property.name)' of \(reference) to \(value)")
    try object(reference).set(property.name, to: value)
    oracle.set(reference, property.name, to: value)
  }

  /// An object of any class, embedded or not.
  func somebody() -> Reference? { values.existing(oracle, values.pick(oracle.shapes).name) }

  // MARK: Deleting

  private func deleteSome() throws {
    // An embedded object may be deleted too: then it leaves its owner.
    guard let reference = somebody() else { return }
    note("delete \(reference)")
    let object = try object(reference)
    try store.delete(object)
    oracle.remove(reference)
  }

  private func removeAll() throws {
    let shape = values.pick(oracle.shapes)
    note("delete all of \(shape.name)")
    switch shape.name {
    case "Scalars": try store.delete(store.objects(Walk.Scalars.self))
    case "Hub": try store.delete(store.objects(Walk.Hub.self))
    case "Named": try store.delete(store.objects(Walk.Named.self))
    case "Numbered": try store.delete(store.objects(Walk.Numbered.self))
    case "Tagged": try store.delete(store.objects(Walk.Tagged.self))
    case "Marked": try store.delete(store.objects(Walk.Marked.self))
    case "Bag": try store.delete(store.objects(Walk.Bag.self))
    case "Part": try store.delete(store.objects(Walk.Part.self))
    default: try store.delete(store.objects(Walk.Leaf.self))
    }
    oracle.removeAll(shape.name)
  }

  // MARK: Updating

  /// Creates an object with a key that may be there.
  private func update() throws {
    let shape = values.pick(topLevel.filter { $0.schema.primaryKey != nil })
    guard let key = shape.schema.primaryKey,
      let reference = values.existing(oracle, shape.name)
    else { return try create() }
    var given = try randomValues(shape, percent: 50)
    for (position, target) in shape.owned where values.happens(percent: 30) {
      given[shape.properties[position].name] = try newChildren(position, target, of: shape)
    }
    given[key.name] = oracle.value(reference, key.name)
    note("update \(reference) by \(given)")
    let policy: UpdatePolicy = values.happens(percent: 50) ? .modified : .all
    let object = try store.dynamicCreate(shape.name, given, update: policy)
    try require(object.id == reference.id, "the update of \(reference) made \(object.id)")
    for property in shape.properties {
      if let value = given[property.name] { oracle.set(reference, property.name, to: value) }
    }
  }
}

extension ObjectOracle {
  /// The object with a primary key, or nil.
  func object(_ className: String, withKey key: PropertyValue) -> Reference? {
    let shape = shape(className)
    guard let property = shape.schema.primaryKey, let position = shape.positions[property.name]
    else { return nil }
    return objects[className]?.first { $0.value[position].isExactly(key) }
      .map { Reference(className: className, id: $0.key) }
  }
}
