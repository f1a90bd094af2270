/// The classes of an old schema and of a new one that match, by name.
///
/// Classes with the same name match. A class that the old schema does not have matches one of its
/// previous names: the first that the old schema has, that the new one does not have, and that no
/// other class has taken.
extension StoreSchema {
  /// Returns the new names by the old names, of the classes that are renamed in this schema.
  ///
  /// - Parameter before: The names of the old classes.
  package func classRenames(from before: Set<String>) -> [String: String] {
    let after = Set(classes.map(\.name))
    var newNames: [String: String] = [:]
    for declared in classes where !before.contains(declared.name) {
      let source = declared.previousNames.first {
        before.contains($0) && !after.contains($0) && newNames[$0] == nil
      }
      if let source { newNames[source] = declared.name }
    }
    return newNames
  }

  /// Returns the schema with renamed classes, in links too.
  func renamingClasses(_ newNames: [String: String]) -> StoreSchema {
    newNames.isEmpty
      ? self : StoreSchema(classes: classes.map { $0.renaming(to: newNames[$0.name], newNames) })
  }
}

extension ClassSchema {
  /// Returns the class with a new name, if it has one, and with the new names in its links.
  fileprivate func renaming(to name: String?, _ newNames: [String: String]) -> ClassSchema {
    ClassSchema(
      name: name ?? self.name, isEmbedded: isEmbedded,
      properties: properties.map { property in
        var property = property
        property.type = property.type.renamingLinks(newNames)
        return property
      }, indexes: indexes, previousNames: previousNames)
  }
}
