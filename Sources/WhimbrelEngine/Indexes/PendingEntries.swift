internal import WhimbrelLMDB

/// The entries of new objects that are not yet in the indexes of their class.
///
/// A write holds them back until something other than an object itself is read, something is
/// changed, or the write ends: see ``Session/view``. The entries are then put in order, so that a
/// tree is changed page by page and not all over, and the pages of a new tree are full. Primary
/// keys and unique values are never held back: an object that repeats one is refused at once.
final class PendingEntries {
  /// The positions of these indexes among all indexes of the class.
  let places: Set<Int>
  private let resolved: ResolvedClass
  /// The path beside which temporary files are created.
  private let path: String
  private let builders: [IndexBuilder]
  // Safe: all calls come one after another on one thread.
  @safe @exclusivity(unchecked) private(set) var isEmpty = true

  /// - Returns: Nil if the class does not have an index whose entries can be held back.
  init?(_ indexes: [TableIndex], of resolved: ResolvedClass, beside path: String) {
    places = Set(indexes.indices.filter { !indexes[$0].isOfKey && !indexes[$0].isUnique })
    guard !places.isEmpty else { return nil }
    let count = places.count
    builders = places.sorted().map { IndexBuilder(indexes[$0], share: count) }
    self.resolved = resolved
    self.path = path
  }

  /// Adds the entries of a new object.
  ///
  /// - Throws: ``DamagedRecord``, which does not name the object.
  func add(_ record: PageBytes, _ id: ObjectID, _ overflow: Overflow) throws {
    isEmpty = false
    for builder in builders {
      try builder.add(record, resolved.written, id, overflow, in: resolved, spillingBeside: path)
    }
  }

  /// Puts all entries into their tables.
  ///
  /// - Complexity: O(*n* log *n*), in constant memory.
  func put(in view: WriteView) throws {
    isEmpty = true
    for builder in builders { try builder.put(in: view, of: resolved, spillingBeside: path) }
  }

  /// Removes all entries, at the end of the write that they belong to.
  func removeAll() {
    isEmpty = true
    for builder in builders { builder.removeAll() }
  }
}
