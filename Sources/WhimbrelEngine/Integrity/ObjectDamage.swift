internal import WhimbrelLMDB

/// An unreadable object of a store, or a class whose objects cannot all be found.
///
/// See `Store.damage`.
public struct ObjectDamage: Hashable, Sendable {
  /// The name of the class.
  public let className: String
  /// The ID of the object, or nil if the damage concerns the class as a whole.
  public let objectID: ObjectID?
  /// The primary key of the object as text, or nil if it is unknown or the class has none.
  public let primaryKey: String?
  /// The names of the properties that cannot be read. Empty when no value of the object is certain.
  public let properties: [String]
  /// The fault, in words.
  public let problem: String
}

extension ObjectDamage: CustomStringConvertible {
  /// The object, and what is wrong with it.
  public var description: String {
    guard let objectID else { return "class '\(className)': \(problem)" }
    let name = primaryKey.map { "object '\($0)'" } ?? "object \(objectID)"
    return "\(name) of class '\(className)': \(problem)"
  }
}

extension Session {
  /// Returns what of the objects cannot be read. It verifies every record and every value, whatever
  /// the store verifies on reads, and does not stop at the first fault.
  ///
  /// - Complexity: O(*n*), in memory for the result.
  package func damage() throws -> [ObjectDamage] {
    var found: [ObjectDamage] = []
    for table in classes {
      do {
        try table.addDamage(to: &found)
      } catch let error as LMDBError {
        // A page of the table is damaged. The other classes may be sound.
        found.append(
          ObjectDamage(
            className: table.name, objectID: nil, primaryKey: nil, properties: [],
            problem: "not all of its objects can be found: \(error)"))
      }
    }
    return found
  }
}

extension ClassTable {
  fileprivate func addDamage(to found: inout [ObjectDamage]) throws {
    var met = 0
    try forEachRecord { id, record in
      met += 1
      if let damage = damage(of: id, record) { found.append(damage) }
    }
    let expected = try session.view.count(objects)
    if met != expected {
      found.append(
        ObjectDamage(
          className: name, objectID: nil, primaryKey: nil, properties: [],
          problem: "its table records \(Sentence.count(expected, "object")), but has \(met)"))
    }
  }

  /// Returns the damage of one object, or nil if every value of it can be read.
  func damage(of id: ObjectID, _ record: PageBytes) -> ObjectDamage? {
    guard let layout = resolved.layout(of: record), resolved.hasChecksum(record, id) else {
      let problem =
        resolved.layout(of: record) == nil
        ? "its layout is unknown" : ResolvedClass.wrongChecksum
      return ObjectDamage(
        className: name, objectID: id, primaryKey: knownKey(of: id, record), properties: [],
        problem: problem)
    }
    let values = Overflow(session.view, overflowTable, id, seed: resolved.checksumSeed(id))
    var properties: [String] = []
    var problem = ""
    for position in resolved.properties.indices {
      do {
        _ = try layout.value(position, of: record, values)
      } catch {
        properties.append(resolved.properties[position].name)
        if problem.isEmpty { problem = (error as? DamagedRecord)?.detail ?? "\(error)" }
      }
    }
    guard !properties.isEmpty else { return nil }
    return ObjectDamage(
      className: name, objectID: id, primaryKey: knownKey(of: id, record), properties: properties,
      problem: problem)
  }

  /// Returns the primary key of a damaged object if it is certain: the key index leads from it to
  /// the object.
  private func knownKey(of id: ObjectID, _ record: PageBytes) -> String? {
    guard let position = resolved.primaryKeyIndex else { return nil }
    if resolved.isClustered { return "\(id.clusteredKey)" }
    guard let layout = resolved.layout(of: record),
      let key = try? layout.value(position, of: record, overflow(of: id)), !key.isNull,
      let other = try? find(key), other == id
    else { return nil }
    return Sentence.plainKey(key)
  }
}
