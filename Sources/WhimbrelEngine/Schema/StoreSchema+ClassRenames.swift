/// Which class of an old schema is which of a new one, by names.
///
/// A class is the one of the same name. One that the old schema does not have is the one that has
/// the first of its previous names, if that is gone and no other has taken it over.
extension StoreSchema {
  /// The new names by the old ones, of the classes that have another name in this schema.
  ///
  /// - Parameter before: the names of the old classes.
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

  /// The schema with other names of classes, in links too.
  func renamingClasses(_ newNames: [String: String]) -> StoreSchema {
    newNames.isEmpty
      ? self : StoreSchema(classes: classes.map { $0.renaming(to: newNames[$0.name], newNames) })
  }
}

extension ClassSchema {
  /// The class with another name, if it gets one, and with links to classes of other names.
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
