package import WhimbrelLMDB

/// The names of a class's tables: `c`*class*`.g`*generation*, and behind it
/// `.x` for what does not fit into records, `.k`*property* for the primary key,
/// `.i`*property* for an index or for the objects that a property links to, and
/// `.n`*index* for an index of several properties, a unique or a full-text one.
package enum TableNames {
  /// The table with the objects: object ID → record.
  package static func objects(_ id: ClassID, _ generation: Generation) -> TableName {
    TableName(base(id, generation), keys: .integers)
  }

  /// The table of what does not fit into records: see ``Overflow``.
  package static func overflow(_ id: ClassID, _ generation: Generation) -> TableName {
    TableName("\(base(id, generation)).x", keys: .bytes)
  }

  /// The table of the primary key: value → object ID.
  package static func key(
    _ id: ClassID, _ generation: Generation, _ property: PropertyID
  ) -> TableName {
    TableName("\(base(id, generation)).k\(property.rawValue)", keys: .bytes)
  }

  /// The table of an index: value, object ID → nothing. Where an object may link to
  /// another several times, the value is how often, if it is more than once.
  package static func index(
    _ id: ClassID, _ generation: Generation, _ property: PropertyID
  ) -> TableName {
    TableName("\(base(id, generation)).i\(property.rawValue)", keys: .bytes)
  }

  /// The table of an index that is not a property's: values or a word, object ID →
  /// nothing.
  static func index(
    _ id: ClassID, _ generation: Generation, _ index: IndexID
  ) -> TableName {
    TableName("\(base(id, generation)).n\(index.rawValue)", keys: .bytes)
  }

  /// A table in which a migration looks objects up by a property, as in its index.
  package static func lookup(
    _ id: ClassID, _ generation: Generation, _ property: PropertyID
  ) -> TableName {
    TableName("\(base(id, generation)).lookup\(property.rawValue)", keys: .bytes)
  }

  /// A table in which a migration notes which embedded objects have owners: object ID → state.
  static func owned(_ id: ClassID, _ generation: Generation) -> TableName {
    TableName("\(base(id, generation)).owned", keys: .bytes)
  }

  /// A table in which a migration notes the embedded objects that have lost their owners:
  /// object ID → nothing.
  static func released(_ id: ClassID, _ generation: Generation) -> TableName {
    TableName("\(base(id, generation)).released", keys: .bytes)
  }

  private static func base(_ id: ClassID, _ generation: Generation) -> String {
    "c\(id.rawValue).g\(generation.rawValue)"
  }
}

extension CatalogClass {
  /// The names of all tables that the class has.
  package var tableNames: [TableName] {
    var names = [TableNames.objects(id, generation), TableNames.overflow(id, generation)]
    for property in properties {
      if property.isPrimaryKey, !isClustered {
        names.append(TableNames.key(id, generation, property.id))
      }
      if property.hasIndex { names.append(TableNames.index(id, generation, property.id)) }
    }
    return names + indexes.map { TableNames.index(id, generation, $0.id) }
  }
}
