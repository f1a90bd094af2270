internal import WhimbrelLMDB

/// The open tables of a class: of its objects, its overflow and its indexes.
struct ClassHandles {
  let objects: Table
  /// The values that do not fit into records. Nil in a file of format 1, which can only be read.
  let overflow: Table?
  /// The index of the primary key, or nil if the object IDs are the keys.
  let keys: Table?
  /// The indexes that changes of objects update.
  let all: [TableIndex]
  /// The indexes of properties, by position, without those that a transition is still building.
  let ofProperties: [Int: Table]
  /// The indexes of several properties, and the unique and full-text ones.
  let ofClass: [TableIndex]
  let hasUniqueIndex: Bool

  private init(objects: Table, overflow: Table?, keys: Table?, all: [TableIndex]) {
    (self.objects, self.overflow, self.keys, self.all) = (objects, overflow, keys, all)
    var ofProperties: [Int: Table] = [:]
    for index in all where !index.isBuilding {
      if case .property(let position) = index.subject { ofProperties[position] = index.table }
    }
    self.ofProperties = ofProperties
    ofClass = all.filter { $0.values != nil }
    hasUniqueIndex = all.contains(where: \.isUnique)
  }

  /// The tables of a class whose objects are not in tables of their own.
  static let none = ClassHandles(objects: .main, overflow: nil, keys: nil, all: [])

  /// Finds the tables of a class among those of the file.
  ///
  /// - Throws: ``StoreError`` with `damaged` if a table is missing.
  init(_ resolved: ResolvedClass, in session: Session, _ handles: [String: Table]) throws {
    let entry = resolved.entry
    func handle(_ name: TableName) throws -> Table {
      if entry.isMissing { return .none }
      guard let table = handles[name.name] else {
        throw StoreError.damaged(
          path: session.file.path,
          detail: "the table '\(name.name)' of class '\(entry.name)' is missing")
      }
      return table
    }
    let overflow = TableNames.overflow(entry)
    let hasOverflow = session.loaded.header.formatVersion >= Header.formatWithOverflow
    let all = try resolved.openIndexes(handle)
    self.init(
      objects: try handle(TableNames.objects(entry)),
      overflow: hasOverflow ? try handle(overflow) : handles[overflow.name],
      keys: all.first(where: \.isOfKey)?.table, all: all)
  }

  /// The tables for reading objects in a past shape. The indexes have the values of the current one.
  var forPastShape: ClassHandles {
    ClassHandles(objects: objects, overflow: overflow, keys: keys, all: [])
  }
}
