internal import WhimbrelEngine

/// A check whether a dump fits into the classes of a store.
struct SchemaFit {
  /// The problems, without full stops. Empty if the dump fits.
  let problems: [String]

  /// - Parameter unknown: The treatment of classes and properties that the store lacks.
  init(
    _ header: DumpHeader, _ tables: [String: ClassTable], _ unknown: StoreMerge.UnknownNames
  ) {
    var problems: [String] = []
    let empty = Set(header.objectIDs.filter { $0.objects == 0 }.map(\.className))
    for entry in header.schema.classes where !empty.contains(entry.name) {
      guard let table = tables[entry.name] else {
        if unknown == .refused {
          problems.append("the store has no class \(PlainText.quoted(entry.name))")
        }
        continue
      }
      for property in entry.properties {
        let name = PlainText.quoted("\(entry.name).\(property.name)")
        guard let position = table.resolved.position(of: property.name) else {
          if unknown == .refused { problems.append("the store has no property \(name)") }
          continue
        }
        // Other types are checked value by value. IDs of another class would pass that check, but
        // would link to the wrong objects.
        let stored = table.resolved.properties[position].type
        if stored.linkedClass != property.type.linkedClass {
          problems.append("\(name) is '\(property.type)' in the dump and '\(stored)' in the store")
        }
      }
    }
    self.problems = problems
  }
}
