internal import WhimbrelLMDB

/// A class in a check, with those of its tables that are readable.
struct ScannedClass: Sendable {
  let resolved: ResolvedClass
  /// The class table, or nil if it is unreadable.
  let objects: Table?
  /// The overflow table, or nil if it is unreadable or the file's format has none.
  let overflow: Table?
  /// Whether the overflow table exists but is unreadable. Records with overflow are then damaged.
  let lacksOverflow: Bool
  /// The index of the primary key, then those of properties in their order, then the others.
  let indexes: [TableIndex]

  var name: String { resolved.name }

  func overflow(_ view: ReadView, _ id: ObjectID) -> Overflow {
    Overflow(view, overflow, id, seed: nil)
  }
}

extension ScannedClass {
  init(_ table: ClassTable) {
    resolved = table.resolved
    objects = table.objects
    overflow = table.overflowTable
    lacksOverflow = false
    indexes = table.records.indexes
  }

  /// Opens the tables of a class.
  ///
  /// - Parameters:
  ///   - resolved: The class.
  ///   - lacksOverflow: Whether the overflow table exists but is unreadable.
  ///   - open: A closure that opens a table, or returns nil if it is unreadable.
  init(_ resolved: ResolvedClass, lacksOverflow: Bool, _ open: (TableName) -> Table?) {
    let entry = resolved.entry
    self.resolved = resolved
    self.lacksOverflow = lacksOverflow
    objects = open(TableNames.objects(entry))
    overflow = open(TableNames.overflow(entry))
    indexes = resolved.openIndexes(open)
  }
}
