internal import WhimbrelLMDB

/// A counter of the links to the objects of an embedded class.
final class OwnerCounter {
  /// Cursors over the indexes of all properties that link to the class.
  private let cursors: [(cursor: Cursor, table: Table)]

  /// Opens the cursors. Returns nil if an index is unreadable.
  init?(_ table: ScannedClass, _ classes: [ScannedClass], _ view: ReadView) throws {
    var cursors: [(Cursor, Table)] = []
    for source in classes {
      for position in source.resolved.links
      where source.resolved.properties[position].type.linkedClass == table.name {
        guard let index = source.indexes.ofProperty(position) else { return nil }
        cursors.append((try view.cursor(index.table.unchecked), index.table))
      }
    }
    self.cursors = cursors
  }

  /// Returns the number of links to an object.
  func count(of id: ObjectID) throws -> Int {
    var total = 0
    // The keys begin with the ID of the linked object.
    var prefix = id.rawValue.bigEndian
    for (cursor, table) in cursors {
      var isInside = try PageBytes.with(&prefix) { try cursor.seek(atLeast: $0) }
      while isInside, cursor.key.count >= 8, cursor.key.loadBigEndian(at: 0) == id.rawValue {
        // The check of the index reports damaged entries.
        if cursor.key.count == 16, let content = table.value(in: cursor.value, of: cursor.key) {
          total += IndexEntry.count(content)
        }
        isInside = try cursor.move(to: .next)
      }
    }
    return total
  }
}
