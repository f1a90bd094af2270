internal import WhimbrelEngine

/// Whether a store has a place for what a dump has.
struct SchemaFit {
  /// What does not fit, each without a full stop; empty when all does.
  let problems: [String]

  /// - Parameter unknown: whether classes and properties may be missing.
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
        // Other types are seen to value by value; IDs of another class would fit, and be wrong.
        let stored = table.resolved.properties[position].type
        if stored.linkedClass != property.type.linkedClass {
          problems.append("\(name) is '\(property.type)' in the dump and '\(stored)' in the store")
        }
      }
    }
    self.problems = problems
  }
}
