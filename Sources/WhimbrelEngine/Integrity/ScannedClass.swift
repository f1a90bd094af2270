internal import WhimbrelLMDB

/// A class as the check sees it: those of its tables that are there and can be read.
struct ScannedClass: Sendable {
  let resolved: ResolvedClass
  /// The objects, or nil when their table cannot be read.
  let objects: Table?
  /// What does not fit into records, or nil when that cannot be read, or the format has none.
  let overflow: Table?
  /// Whether the overflow are there and cannot be read: what needs them is not checked.
  let lacksOverflow: Bool
  /// The primary key's index, those of properties in their order, then the others.
  let indexes: [TableIndex]

  var name: String { resolved.name }

  /// What of an object lies outside of its record.
  func overflow(_ view: ReadView, _ id: ObjectID) -> Overflow {
    overflow.map { Overflow(view, $0, id, seed: nil) } ?? .none
  }
}

extension ScannedClass {
  /// The class of a session.
  init(_ table: ClassTable) {
    resolved = table.resolved
    objects = table.objects
    overflow = table.overflowTable
    lacksOverflow = false
    indexes = table.records.indexes
  }

  /// - Parameters:
  ///   - lacksOverflow: whether the table of overflow is there and cannot be read.
  ///   - open: gives the table with a name, or nil when it cannot be read.
  init(_ resolved: ResolvedClass, lacksOverflow: Bool, _ open: (TableName) -> Table?) {
    let entry = resolved.entry
    self.resolved = resolved
    self.lacksOverflow = lacksOverflow
    objects = open(TableNames.objects(entry.id, entry.generation))
    overflow = open(TableNames.overflow(entry.id, entry.generation))
    indexes = resolved.openIndexes(open)
  }
}
