import WhimbrelEngine

/// An object of the random scripts of deletions.
struct ScriptPlace: Hashable, Sendable, CustomStringConvertible {
  let className: String
  let id: ObjectID

  var description: String { "\(className) \(id)" }
}

/// One operation of a random script.
enum ScriptStep: Sendable, CustomStringConvertible {
  case delete(ScriptPlace)
  case deleteAll(String)
  case create(String, [String: PropertyValue])
  case set(ScriptPlace, String, PropertyValue)
  case append(ScriptPlace, String, PropertyValue)
  case insert(ScriptPlace, String, PropertyValue, Int)
  case replace(ScriptPlace, String, PropertyValue, Int)
  case move(ScriptPlace, String, Int, Int)
  case remove(ScriptPlace, String, Int)
  case removeAll(ScriptPlace, String)
  case setInsert(ScriptPlace, String, PropertyValue)
  case setRemove(ScriptPlace, String, PropertyValue)
  case mapSet(ScriptPlace, String, PropertyValue, String)
  case mapRemove(ScriptPlace, String, String)

  var description: String {
    switch self {
    case .delete(let place): "delete \(place)"
    case .deleteAll(let name): "delete all \(name)"
    case .create(let name, let values): "create \(name) \(values)"
    case .set(let place, let name, let value): "\(place).\(name) = \(value)"
    case .append(let place, let name, let value): "\(place).\(name) append \(value)"
    case .insert(let place, let name, let value, let at):
      "\(place).\(name) insert \(value) at \(at)"
    case .replace(let place, let name, let value, let at): "\(place).\(name)[\(at)] = \(value)"
    case .move(let place, let name, let from, let to): "\(place).\(name) move \(from) to \(to)"
    case .remove(let place, let name, let at): "\(place).\(name) remove at \(at)"
    case .removeAll(let place, let name): "\(place).\(name) remove all"
    case .setInsert(let place, let name, let value): "\(place).\(name) insert \(value)"
    case .setRemove(let place, let name, let value): "\(place).\(name) remove \(value)"
    case .mapSet(let place, let name, let value, let key): "\(place).\(name)[\(key)] = \(value)"
    case .mapRemove(let place, let name, let key): "\(place).\(name)[\(key)] = nil"
    }
  }
}

/// Where a script runs: in a write of a store, or in the block of a migration.
protocol ScriptWorld {
  /// The classes whose number is text.
  var textClasses: Set<String> { get }
  func object(_ place: ScriptPlace) throws -> DynamicObject
  func delete(_ object: DynamicObject) throws
  func deleteAll(_ className: String) throws
  mutating func create(_ className: String, _ values: [String: PropertyValue]) throws -> ObjectID
}

extension ScriptWorld {
  /// Carries out an operation, and returns the object that it created, if any.
  @discardableResult
  mutating func run(_ step: ScriptStep) throws -> ScriptPlace? {
    switch step {
    case .delete(let place): try delete(object(place))
    case .deleteAll(let name): try deleteAll(name)
    case .create(let name, let values):
      return ScriptPlace(className: name, id: try create(name, values))
    case .set(let place, let name, let value): try object(place).set(name, to: value)
    case .append(let place, let name, let value): try object(place).list(name).append(value)
    case .insert(let place, let name, let value, let position):
      try object(place).list(name).insert(value, at: position)
    case .replace(let place, let name, let value, let position):
      try object(place).list(name).replace(at: position, with: value)
    case .move(let place, let name, let from, let to):
      try object(place).list(name).move(from: from, to: to)
    case .remove(let place, let name, let position):
      try object(place).list(name).remove(at: position)
    case .removeAll(let place, let name): try object(place).list(name).removeAll()
    case .setInsert(let place, let name, let value): try object(place).set(name).insert(value)
    case .setRemove(let place, let name, let value): try object(place).set(name).remove(value)
    case .mapSet(let place, let name, let value, let key):
      try object(place).map(name).set(value, forKey: key)
    case .mapRemove(let place, let name, let key): try object(place).map(name).remove(forKey: key)
    }
    return nil
  }

  /// Everything that can be read of some objects, a line for each answer.
  func everything(_ places: [ScriptPlace]) -> [String] {
    places.flatMap { place -> [String] in
      do {
        let object = try object(place)
        var lines: [String] = []
        for property in object.classSchema.properties {
          let name = property.name
          lines.append("\(place).\(name): \(sorted(try object.value(name)))")
          switch property.type {
          case .list:
            let list = try object.list(name)
            lines.append("  \(try list.count()) \(sorted(.list(try list.values())))")
          case .set:
            let set = try object.set(name)
            lines.append("  \(try set.count()) \(sorted(.list(try set.values())))")
          case .map:
            let map = try object.map(name)
            lines.append("  \(try map.count()) \(try map.keys()) \(sorted(.map(try map.values())))")
          case .link: lines.append("  \(try object.object(name)?.value("number") ?? .null)")
          default: break
          }
        }
        for (source, property) in DeletionScript.sources(of: place.className) {
          let found = try object.linkingObjects(ofType: source, property: property)
          lines.append("\(place) from \(source).\(property): \(found.map(\.id))")
        }
        return lines
      } catch {
        return ["\(place): \((error as? StoreError).map { "\($0.code)" } ?? "\(error)")"]
      }
    }
  }

  private func sorted(_ value: PropertyValue) -> String {
    switch value {
    case .map(let values):
      "\(values.sorted { $0.key < $1.key }.map { "\($0.key): \(sorted($0.value))" })"
    case .list(let values): "\(values.map(sorted))"
    default: "\(value)"
    }
  }
}

/// A store in a write.
struct LiveWorld: ScriptWorld {
  let session: Session
  let textClasses: Set<String>

  func object(_ place: ScriptPlace) throws -> DynamicObject {
    try StoredObjects(session, place.className).object(place.id)
  }

  func delete(_ object: DynamicObject) throws {
    try session.table(object.className).remove(object.id)
  }

  func deleteAll(_ className: String) throws { try session.table(className).removeAll() }

  func create(_ className: String, _ values: [String: PropertyValue]) throws -> ObjectID {
    try session.create(className, values)
  }
}

/// The block of a migration.
struct MigrationWorld: ScriptWorld {
  let migration: Migration
  let textClasses: Set<String>
  /// The old objects, and those that were created.
  var known: [ScriptPlace: DynamicObject]

  func object(_ place: ScriptPlace) throws -> DynamicObject {
    guard let known = known[place], let new = try migration.newObject(for: known) else {
      throw StoreError.objectDeleted(class: place.className, objectID: place.id)
    }
    return new
  }

  func delete(_ object: DynamicObject) throws { try migration.delete(object) }

  func deleteAll(_ className: String) throws { try migration.deleteData(forType: className) }

  mutating func create(
    _ className: String, _ values: [String: PropertyValue]
  ) throws -> ObjectID {
    let object = try migration.create(className, values)
    known[ScriptPlace(className: className, id: object.id)] = object
    return object.id
  }
}
