internal import WhimbrelLMDB

/// Counts the links that lead to the objects of an embedded class.
final class OwnerCounter {
  /// Places in the indexes of all properties that lead to the class.
  private let cursors: [Cursor]

  /// Makes one, or nil when not all links can be read.
  init?(_ table: ScannedClass, _ classes: [ScannedClass], _ view: ReadView) throws {
    var cursors: [Cursor] = []
    for source in classes {
      for position in source.resolved.links
      where source.resolved.properties[position].type.linkedClass == table.name {
        guard let index = source.indexes.ofProperty(position) else { return nil }
        cursors.append(try view.cursor(index.table))
      }
    }
    self.cursors = cursors
  }

  /// How many links lead to an object.
  func count(of id: ObjectID) throws -> Int {
    var total = 0
    // The keys begin with what is linked to.
    var prefix = id.rawValue.bigEndian
    for cursor in cursors {
      var isInside = try PageBytes.with(&prefix) { try cursor.seek(atLeast: $0) }
      while isInside, cursor.key.count >= 8, cursor.key.loadBigEndian(at: 0) == id.rawValue {
        if cursor.key.count == 16 { total += IndexEntry.count(cursor.value) }
        isInside = try cursor.move(to: .next)
      }
    }
    return total
  }
}
