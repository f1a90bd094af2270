package import WhimbrelLMDB

/// The names of a class's tables. Each starts with `c`*class*`.g`*generation*. The suffix is `.x`
/// for overflow, `.k`*property* for the primary key, `.i`*property* for the index of a property or
/// of the objects that it links to, and `.n`*index* for a compound, unique or full-text index.
package enum TableNames {
  /// Returns the name of the class table: object ID → record.
  package static func objects(_ id: ClassID, _ generation: Generation) -> TableName {
    TableName(base(id, generation), keys: .integers)
  }

  /// Returns the name of the overflow table: see ``Overflow``.
  package static func overflow(_ id: ClassID, _ generation: Generation) -> TableName {
    TableName("\(base(id, generation)).x", keys: .bytes)
  }

  /// Returns the name of the primary key's table: value → object ID.
  package static func key(
    _ id: ClassID, _ generation: Generation, _ property: PropertyID
  ) -> TableName {
    TableName("\(base(id, generation)).k\(property.rawValue)", keys: .bytes)
  }

  /// Returns the name of a property's index: value, object ID → nothing. If an object links to
  /// another several times, the entry contains the number of links.
  package static func index(
    _ id: ClassID, _ generation: Generation, _ property: PropertyID
  ) -> TableName {
    TableName("\(base(id, generation)).i\(property.rawValue)", keys: .bytes)
  }

  /// Returns the name of a compound, unique or full-text index: values or a word, object ID →
  /// nothing.
  static func index(
    _ id: ClassID, _ generation: Generation, _ index: IndexID
  ) -> TableName {
    TableName("\(base(id, generation)).n\(index.rawValue)", keys: .bytes)
  }

  /// Returns the name of a migration's temporary index of a property.
  package static func lookup(
    _ id: ClassID, _ generation: Generation, _ property: PropertyID
  ) -> TableName {
    TableName("\(base(id, generation)).lookup\(property.rawValue)", keys: .bytes)
  }

  /// Returns the name of a table in which a migration notes which embedded objects have owners:
  /// object ID → state.
  static func owned(_ id: ClassID, _ generation: Generation) -> TableName {
    TableName("\(base(id, generation)).owned", keys: .bytes)
  }

  /// Returns the name of a table in which a migration notes the embedded objects that lost their
  /// owners: object ID → nothing.
  static func released(_ id: ClassID, _ generation: Generation) -> TableName {
    TableName("\(base(id, generation)).released", keys: .bytes)
  }

  private static func base(_ id: ClassID, _ generation: Generation) -> String {
    "c\(id.rawValue).g\(generation.rawValue)"
  }
}

extension CatalogClass {
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
