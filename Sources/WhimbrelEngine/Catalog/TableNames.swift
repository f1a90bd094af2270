package import WhimbrelLMDB

/// The names of a class's tables. Each starts with `c`*class*`.g`*generation*. The suffix is `.x`
/// for overflow, `.key`*property* for the primary key, `.index`*property* for the index of a
/// property or of the objects that it links to, and `.values`*index* for a compound, unique or
/// full-text index. Indexes whose entries have no checksums end with `.k`, `.i` and `.n`.
package enum TableNames {
  /// Returns the name of the class table: object ID → record.
  package static func objects(_ entry: CatalogClass) -> TableName {
    TableName(base(entry), keys: .integers, guarding: .count)
  }

  /// Returns the name of the overflow table: see ``Overflow``.
  package static func overflow(_ entry: CatalogClass) -> TableName {
    TableName("\(base(entry)).x", keys: .bytes)
  }

  /// Returns the name of the primary key's table: value → object ID.
  package static func key(_ entry: CatalogClass, _ property: PropertyID) -> TableName {
    index(entry, entry.guardsIndexes ? "key" : "k", property.rawValue)
  }

  /// Returns the name of a property's index: value, object ID → nothing. If an object links to
  /// another several times, the entry contains the number of links.
  package static func index(_ entry: CatalogClass, _ property: PropertyID) -> TableName {
    index(entry, entry.guardsIndexes ? "index" : "i", property.rawValue)
  }

  /// Returns the name of a compound, unique or full-text index: values or a word, object ID →
  /// nothing.
  static func index(_ entry: CatalogClass, _ index: IndexID) -> TableName {
    self.index(entry, entry.guardsIndexes ? "values" : "n", index.rawValue)
  }

  private static func index(
    _ entry: CatalogClass, _ kind: String, _ number: UInt32
  ) -> TableName {
    TableName(
      "\(base(entry)).\(kind)\(number)", keys: .bytes,
      guarding: entry.guardsIndexes ? .entries(salt: entry.salt.seed) : .nothing)
  }

  /// Returns the name of a table that no catalog names, so that it can be removed.
  static func leftover(_ name: String) -> TableName {
    // Only class tables have integer keys. The checks of a leftover table do not matter any more.
    name.split(separator: ".").count == 2
      ? TableName(name, keys: .integers, guarding: .count) : TableName(name, keys: .bytes)
  }

  /// Returns the name of a migration's temporary index of a property.
  static func lookup(_ entry: CatalogClass, _ property: PropertyID) -> TableName {
    TableName("\(base(entry)).lookup\(property.rawValue)", keys: .bytes)
  }

  /// Returns the name of a table in which a migration notes which embedded objects have owners:
  /// object ID → state.
  static func owned(_ entry: CatalogClass) -> TableName {
    TableName("\(base(entry)).owned", keys: .bytes)
  }

  /// Returns the name of a table in which a migration notes the embedded objects that lost their
  /// owners: object ID → nothing.
  static func released(_ entry: CatalogClass) -> TableName {
    TableName("\(base(entry)).released", keys: .bytes)
  }

  private static func base(_ entry: CatalogClass) -> String {
    "c\(entry.id.rawValue).g\(entry.generation.rawValue)"
  }
}

extension CatalogClass {
  package var tableNames: [TableName] {
    var names = [TableNames.objects(self), TableNames.overflow(self)]
    for property in properties {
      if property.isPrimaryKey, !isClustered {
        names.append(TableNames.key(self, property.id))
      }
      if property.hasIndex { names.append(TableNames.index(self, property.id)) }
    }
    return names + indexes.map { TableNames.index(self, $0.id) }
  }

  /// The tables of the indexes that lack the objects which are not yet converted.
  var buildingTableNames: [TableName] {
    guard let transition else { return [] }
    return transition.buildingProperties.map { TableNames.index(self, $0) }
      + transition.buildingIndexes.map { TableNames.index(self, $0) }
  }
}

extension Catalog {
  /// The tables of all classes.
  package var tableNames: [TableName] { classes.flatMap(\.tableNames) }
}
