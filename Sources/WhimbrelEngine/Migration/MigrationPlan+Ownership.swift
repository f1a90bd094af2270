internal import WhimbrelLMDB

/// What becomes of objects whose class becomes embedded, as the data is now.
extension MigrationPlan {
  /// Counts the objects to which no link leads, and the links behind the first to each
  /// other: by the indexes of links, whose keys begin with what they lead to.
  static func ownership(
    of entry: CatalogClass, _ objects: Int, _ drafts: [ClassDraft], _ handles: [String: Table],
    _ view: ReadView
  ) throws -> Ownership {
    var cursors: [Cursor] = []
    for table in drafts.flatMap({ $0.keptIndexes(ofLinksTo: entry.name) }).compactMap({
      handles[$0]
    }) {
      let cursor = try view.cursor(table)
      if try cursor.move(to: .first) { cursors.append(cursor) }
    }
    var ownership = Ownership()
    var owned = 0
    while let target = cursors.map(\.target).min() {
      var links = 0
      for index in cursors.indices.reversed() {
        var isInside = true
        while isInside, cursors[index].target == target {
          links += IndexEntry.count(cursors[index].value)
          isInside = try cursors[index].move(to: .next)
        }
        if !isInside { cursors.remove(at: index) }
      }
      owned += 1
      ownership.copies += links - 1
    }
    ownership.orphans = max(0, objects - owned)
    return ownership
  }
}

extension Cursor {
  /// What a link leads to, by its entry in an index.
  fileprivate var target: UInt64 { key.count == 16 ? key.loadBigEndian(at: 0) : .max }
}

extension ClassDraft {
  /// The names of the indexes of links to a class that stay.
  fileprivate func keptIndexes(ofLinksTo target: String) -> [String] {
    guard let old else { return [] }
    return old.properties.filter { property in
      property.type.linkedClass == target
        && properties.contains { $0.old?.id == property.id && $0.origin != .code }
    }.map { TableNames.index(old.id, old.generation, $0.id).name }
  }
}

extension Ownership {
  /// What becomes of the objects, in a sentence, or nil when all stay as they are.
  var note: String? {
    var parts: [String] = []
    if orphans > 0 { parts.append("Objects deleted, as no link leads to them: \(orphans).") }
    if copies > 0 { parts.append("Copies made of shared objects: \(copies).") }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}
