import WhimbrelEngine
import WhimbrelTestSupport

/// What a migration must make of objects, in plain Swift: the oracle of the tests of
/// random migrations.
///
/// An object is known by its `tag`, which every class has in every version; links in
/// values are the tags of their targets.
struct MigrationOracle {
  typealias Object = StoreContents.Object
  /// By class, by tag, by property.
  typealias Objects = [String: [Int64: Object]]

  /// A class on its way from what is in the store to what is declared.
  struct Class {
    var name: String
    var isEmbedded = false
    var properties: [Property]
    /// The name in the store, or nil when it is new.
    var oldName: String?
    var wasEmbedded = false
    /// Which indexes it has.
    var indexSeed: UInt64 = 0

    var schema: ClassSchema {
      let properties = properties.map(\.schema)
      var generator = SeededGenerator(seed: indexSeed)
      // Copies of shared embedded objects have the same values.
      let indexes = MigrationModel.indexes(of: properties, using: &generator)
        .filter { $0.kind != .unique || !isEmbedded }
      return ClassSchema(
        name: name, isEmbedded: isEmbedded, properties: properties, indexes: indexes)
    }
  }

  /// A property on the same way.
  struct Property {
    var schema: PropertySchema
    /// The property in the store, or nil when it is new.
    var old: PropertySchema?

    var isTag: Bool { schema.name == "tag" }
    /// Whether every object has a value of its own.
    var isKey: Bool { isTag || schema.name.hasPrefix("key") }
  }

  var classes: [Class]
  /// The names in the store of classes that are no longer declared.
  var removed: [String] = []

  var schema: [ClassSchema] { classes.map(\.schema) }

  /// Takes what is declared for what is in the store.
  mutating func adoptDeclaredSchema() {
    removed = []
    for index in classes.indices {
      classes[index].oldName = classes[index].name
      classes[index].wasEmbedded = classes[index].isEmbedded
      for position in classes[index].properties.indices {
        classes[index].properties[position].old = classes[index].properties[position].schema
      }
    }
  }
}

// MARK: - Values

extension MigrationOracle {
  /// What becomes of one value.
  enum Outcome: Equatable {
    case value(PropertyValue)
    /// It was nil, and may be no longer.
    case missing
    /// The new type does not hold it.
    case lost
    /// Only code can say.
    case code
  }

  static func outcome(_ property: Property, _ object: Object) -> Outcome {
    let new = property.schema
    guard let old = property.old else {
      return fallback(new).map(Outcome.value) ?? .code
    }
    let value = object[old.name] ?? .null
    guard converts(old.type, new.type) else {
      let isEmpty = value == .null || value == .list([]) || value == .map([:])
      guard isEmpty, let empty = new.isOptional ? .null : empty(new.type) else { return .code }
      return .value(empty)
    }
    let converted = value == .null ? .null : convert(value, old.type, new.type)
    guard let converted else { return .lost }
    if converted != .null { return .value(converted) }
    if new.isOptional || new.type == .any { return .value(.null) }
    // Whatever the default, nothing becomes a collection of nothing.
    if let empty = empty(new.type) { return .value(empty) }
    return fallback(new).map(Outcome.value) ?? .missing
  }

  /// What a new property has, or nil when it must be said.
  private static func fallback(_ property: PropertySchema) -> PropertyValue? {
    guard case .value(let value) = property.defaultValue else {
      return property.isOptional ? .null : empty(property.type)
    }
    if case .set = property.type, case .list(let values) = value {
      return .list(values.sortedAsSet())
    }
    return value
  }

  private static func empty(_ type: PropertyType) -> PropertyValue? {
    switch type {
    case .any: .null
    case .list, .set: .list([])
    case .map: .map([:])
    default: .none
    }
  }
}

// MARK: - Objects

extension MigrationOracle {
  /// The objects after the migration, as far as values go; what code must say, it says as
  /// ``computed(_:_:)`` does.
  func migrated(_ objects: Objects) -> Objects {
    var result: Objects = [:]
    for entry in classes {
      guard let oldName = entry.oldName else { continue }
      result[entry.name] = (objects[oldName] ?? [:]).reduce(into: [:]) { result, item in
        var object: Object = [:]
        for property in entry.properties {
          if case .value(let value) = Self.outcome(property, item.value) {
            object[property.schema.name] = value
          } else {
            object[property.schema.name] = Self.computed(property, item.key)
          }
        }
        result[item.key] = object
      }
    }
    return result
  }

  /// The objects that are left when no code runs, as far as values go: classes that are no longer
  /// declared keep their objects, and what belongs to these.
  ///
  /// - Parameter old: what is in the store.
  func left(of objects: Objects, in old: MigrationOracle) -> Objects {
    var all = self
    for var entry in old.classes where removed.contains(entry.name) {
      for position in entry.properties.indices {
        for renamed in classes {
          guard let oldName = renamed.oldName else { continue }
          entry.properties[position].schema.renameLinks(oldName, renamed.name)
        }
      }
      all.classes.append(entry)
    }
    var result = migrated(objects)
    for name in removed { result[name] = objects[name] }
    all.removeOrphans(&result)
    return result
  }

  /// Whether code has to set links to embedded objects, which may lead to the same ones again.
  func leavesLinksToCode(_ objects: Objects) -> Bool {
    classes.contains { entry in
      let links = entry.properties.filter { property in
        let linked = property.schema.type.linkedClass
        return property.old?.type.linkedClass == linked
          && classes.contains { $0.isEmbedded && $0.name == linked }
      }
      return (entry.oldName.flatMap { objects[$0] } ?? [:]).values.contains { object in
        links.contains { [.lost, .code].contains(Self.outcome($0, object)) }
      }
    }
  }

  /// Removes embedded objects that belong to nobody, and links that lead nowhere.
  ///
  /// - Returns: whether an embedded object belongs to several.
  @discardableResult
  func removeOrphans(_ objects: inout Objects) -> Bool {
    removeDanglingLinks(&objects)
    var owned: [String: Set<Int64>] = [:]
    var isShared = false
    let embedded = Set(classes.filter(\.isEmbedded).map(\.name))
    var waiting = classes.filter { !$0.isEmbedded }.flatMap { entry in
      (objects[entry.name] ?? [:]).keys.map { (entry, $0) }
    }
    while let (entry, tag) = waiting.popLast() {
      for property in entry.properties {
        guard let target = property.schema.type.linkedClass, embedded.contains(target),
          let value = objects[entry.name]?[tag]?[property.schema.name],
          let targetClass = classes.first(where: { $0.name == target })
        else { continue }
        for child in Self.tags(value) {
          if owned[target, default: []].insert(child).inserted {
            waiting.append((targetClass, child))
          } else {
            isShared = true
          }
        }
      }
    }
    for name in embedded {
      objects[name] = objects[name]?.filter { owned[name]?.contains($0.key) == true }
    }
    removeDanglingLinks(&objects)
    return isShared
  }

  private func removeDanglingLinks(_ objects: inout Objects) {
    let found = objects.mapValues { Set($0.keys) }
    for entry in classes {
      for property in entry.properties where Self.holdsLinks(property.schema.type) {
        let target = property.schema.type.linkedClass ?? Self.linkedByAny
        for (tag, object) in objects[entry.name] ?? [:] {
          guard let value = object[property.schema.name] else { continue }
          let kept = Self.removing(from: value) { found[target]?.contains($0) != true }
          if kept != value { objects[entry.name]?[tag]?[property.schema.name] = kept }
        }
      }
    }
  }

  private static func holdsLinks(_ type: PropertyType) -> Bool {
    type.linkedClass != nil || type == .any || type.elementType?.type == .any
  }

  /// The tags that links in a value lead to.
  static func tags(_ value: PropertyValue) -> [Int64] {
    switch value {
    case .link(let id): [Int64(bitPattern: id.rawValue)]
    case .object(let reference): [Int64(bitPattern: reference.id.rawValue)]
    case .list(let values): values.flatMap(tags)
    case .map(let values): values.values.flatMap(tags)
    default: []
    }
  }

  /// Elements that are links go; what is of any type becomes nil.
  private static func removing(
    from value: PropertyValue, where isGone: (Int64) -> Bool
  ) -> PropertyValue {
    func isGoneLink(_ value: PropertyValue) -> Bool {
      if case .link(let id) = value { isGone(Int64(bitPattern: id.rawValue)) } else { false }
    }
    switch value {
    case .link, .object: return tags(value).contains(where: isGone) ? .null : value
    case .list(let values):
      return .list(
        values.filter { !isGoneLink($0) }.map { removing(from: $0, where: isGone) })
    case .map(let values):
      return .map(
        values.filter { !isGoneLink($0.value) }.mapValues { removing(from: $0, where: isGone) })
    default: return value
    }
  }
}

// MARK: - What a store holds

extension MigrationOracle {
  /// The tags of the objects by their IDs, for each class.
  static func tags(in contents: StoreContents) -> [String: [UInt64: Int64]] {
    contents.objects.mapValues { objects in
      objects.compactMapValues { if case .int(let tag)? = $0["tag"] { tag } else { nil } }
    }
  }

  /// What a store holds, in the words of the oracle.
  static func objects(in contents: StoreContents) -> Objects {
    let tags = tags(in: contents)
    var result: Objects = [:]
    for (name, objects) in contents.objects {
      let schema = contents.catalog[name]?.schema
      for (id, object) in objects {
        guard let tag = tags[name]?[id] else { continue }
        var translated = object
        for (property, value) in object {
          let type = schema?[property]?.type
          let target = type?.linkedClass ?? linkedByAny
          translated[property] = translate(value) { tags[target]?[$0] ?? -1 }
        }
        result[name, default: [:]][tag] = translated
      }
    }
    return result
  }

  /// A value whose links lead to others.
  static func translate(
    _ value: PropertyValue, classID: ClassID = ClassID(rawValue: 0), _ target: (UInt64) -> Int64
  ) -> PropertyValue {
    switch value {
    case .link(let id): link(target(id.rawValue))
    case .object(let reference):
      .object(
        ObjectReference(
          classID: classID,
          id: ObjectID(rawValue: UInt64(bitPattern: target(reference.id.rawValue)))
        ))
    case .list(let values): .list(values.map { translate($0, classID: classID, target) })
    case .map(let values): .map(values.mapValues { translate($0, classID: classID, target) })
    default: value
    }
  }

  static func link(_ tag: Int64) -> PropertyValue {
    .link(ObjectID(rawValue: UInt64(bitPattern: tag)))
  }

  /// What a value of any type has that leads to an object.
  static func reference(_ tag: Int64) -> PropertyValue {
    .object(
      ObjectReference(
        classID: ClassID(rawValue: 0), id: ObjectID(rawValue: UInt64(bitPattern: tag))))
  }
}
