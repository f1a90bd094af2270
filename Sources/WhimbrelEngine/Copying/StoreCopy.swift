internal import WhimbrelLMDB

/// A new store with objects of another: the same classes, object IDs and record layouts. Its
/// indexes are built from its records. A transition goes on in it: objects that are not yet
/// converted keep their past shapes.
///
/// ```swift
/// let copy = try StoreCopy(of: session, to: "small.whimbrel")
/// for id in kept { try copy.add(id, of: table) }
/// guard try copy.finish() else { throw InspectionError.fileExists("small.whimbrel", "prune into") }
/// ```
///
/// The file has a temporary name until ``finish(_:)`` succeeds. Otherwise no file is left. The same
/// objects, added in the same order, give the same bytes.
package final class StoreCopy {
  /// A new value for a property of a copied object.
  package struct Change {
    /// The position of the property in its class.
    package var position: Int
    package var value: PropertyValue

    package init(_ position: Int, _ value: PropertyValue) {
      self.position = position
      self.value = value
    }
  }

  private struct CopiedClass {
    let source: ClassTable
    let table: ClassTable
    private let rewriter: RecordRewriter
    private let pastRewriters: [LayoutID: RecordRewriter]

    init(_ source: ClassTable, _ table: ClassTable) {
      self.source = source
      self.table = table
      rewriter = RecordRewriter(from: source.resolved, to: table.resolved)
      pastRewriters = source.pastTables.mapValues {
        RecordRewriter(from: $0.resolved, to: $0.resolved)
      }
    }

    /// Returns what rewrites a record, which may have a past shape.
    func rewriter(of record: PageBytes) -> RecordRewriter {
      pastRewriters[record.layoutID] ?? rewriter
    }
  }

  private let builder: StoreBuilder
  private let source: Session
  private let session: Session
  private var classes: [ClassID: CopiedClass] = [:]
  private var buffer = EntryBuffer()

  /// Creates a copy without objects.
  ///
  /// - Parameter dropping: The properties to leave out, by class. Records of these classes get a
  ///   layout without them; records of all other classes keep their layouts.
  /// - Throws: ``StoreError`` for an unknown name, or when the remaining schema is not valid: a
  ///   class cannot lose its primary key.
  package init(
    of source: Session, to path: String, dropping: [String: Set<String>] = [:]
  ) throws {
    var catalog = source.loaded.catalog
    for (name, properties) in dropping.sorted(by: { $0.key < $1.key }) {
      let table = try source.table(name)
      for property in properties.sorted() { _ = try table.resolved.requiredPosition(of: property) }
      for index in catalog.classes.indices where catalog.classes[index].name == name {
        catalog.classes[index].drop(properties)
      }
    }
    try catalog.schema.validate()
    self.source = source
    var header = source.loaded.header
    header.catalogRevision = 1
    header.fingerprint = Declaration(catalog.schema).fingerprint
    header.lastWriter = Header.writerName
    builder = try StoreBuilder(path: path, catalog: catalog, header: header)
    session = try builder.session()
    for table in source.classes {
      classes[table.resolved.id] = CopiedClass(table, try session.table(table.name))
    }
  }

  /// Copies an object of the source. Add the objects of a class in the order of their IDs; the
  /// order of classes is free.
  ///
  /// Links are copied as they are. The caller must also add the objects that they lead to, or
  /// change the links to nil.
  ///
  /// - Parameter changes: The new values. With nil the record's bytes are copied, unless they
  ///   contain dropped properties. Otherwise the record is rewritten, so that it contains nothing
  ///   but its present values.
  /// - Throws: ``StoreError`` for a damaged object, or for a value that its property cannot have.
  package func add(
    _ id: ObjectID, of table: ClassTable, changing changes: [Change]? = nil
  ) throws {
    let view = table.session.view
    guard let copied = classes[table.resolved.id], let record = try table.storedRecord(id, in: view)
    else { throw table.resolved.deleted(id) }
    try table.verify(record, id)
    let reader: ClassTable = table.pastTables[record.layoutID] ?? table
    let layout = try reader.layout(of: record, id)
    let overflow = table.storedOverflow(of: id, in: view)
    let rewriter = copied.rewriter(of: record)
    // What an object in a past shape does not have need not change.
    let changes = changes?.compactMap { change in
      table.position(change.position, in: reader).map { Change($0, change.value) }
    }
    if changes == nil, !rewriter.isNeeded(for: layout) {
      buffer.append(copied.table.objects, id.rawValue, record)
      try table.explaining(id) {
        // Entries are appended in the order of their keys. Properties that were added later may be
        // declared before others.
        for property in layout.layout.propertiesWithOverflow(record).sorted() {
          for number in try overflow.numbers(of: property) {
            guard let overflowEntry = try overflow.entry(property, number) else { continue }
            append(Overflow.key(id, property, number), overflowEntry, ofOverflowOf: copied)
          }
        }
      }
    } else {
      let seed = copied.table.resolved.checksumSeed(id)
      try table.explaining(id) {
        try rewriter.rewrite(record, id, layout, overflow, changes ?? []) {
          record, pending in
          buffer.append(copied.table.objects, id.rawValue, record)
          try pending.forEach { property, number, overflowEntry in
            let signed = OverflowWriter.signed(overflowEntry.array, seed: seed, property, number)
            PageBytes.with(signed) {
              append(Overflow.key(id, property, number), $0, ofOverflowOf: copied)
            }
          }
        }
      }
    }
    if buffer.isFull { try buffer.flush(to: session, "copy objects") }
  }

  private func append(_ key: [UInt8], _ content: PageBytes, ofOverflowOf copied: CopiedClass) {
    guard let table = copied.table.overflowTable else { return }
    PageBytes.with(key) { buffer.append(table, $0, content) }
  }

  /// Builds the indexes, waits until the store is on the disk and gives it its name.
  ///
  /// - Parameter progress: A closure that receives the class being indexed and the number of
  ///   objects done.
  /// - Returns: Whether the store got its name; false means that another file already has it.
  /// - Throws: ``StoreError`` with `duplicatePrimaryKey` or `duplicateValues` when a unique value
  ///   is repeated.
  /// - Complexity: O(*n* log *n*), in constant memory.
  package func finish(
    _ progress: (_ className: String, _ completed: Int, _ total: Int) throws -> Void = { _, _, _ in
    }
  ) throws -> Bool {
    try buffer.flush(to: session, "copy objects")
    let sorted = classes.values.sorted { $0.table.name < $1.table.name }
    try withoutActuallyEscaping(progress) { progress in
      for table in sorted.map(\.table) {
        let indexes = AppendedObjects(of: table, for: .building) { completed, total in
          try progress(table.name, completed, total)
        }
        if let repetition = try indexes.run() { throw repetition.error }
      }
    }
    try session.write {
      for copied in classes.values {
        guard let next = try copied.source.nextObjectIDInFile() else { continue }
        try copied.table.setNextObjectID(next)
      }
      try transitionState()?.put(in: session.requireWriting("copy objects"))
    }
    return try builder.finish()
  }

  /// Returns the state of the transition in the copy, which begins with the first object again.
  private func transitionState() throws -> TransitionState? {
    let classes = source.loaded.catalog.classes.filter { $0.transition != nil }
    guard !classes.isEmpty, var state = try TransitionState(in: source.view) else { return nil }
    state.walks = try classes.map { entry in
      TransitionState.Walk(
        classID: entry.id, total: try self.classes[entry.id]?.table.count() ?? 0)
    }
    let listed = state.unset
    state.unset = try listed.filter { object in
      try session.find(object.className)?.record(object.objectID) != nil
    }
    state.unsetCount = max(state.unsetCount - (listed.count - state.unset.count), 0)
    return state
  }
}

extension CatalogClass {
  /// Removes properties, their indexes and all layouts.
  fileprivate mutating func drop(_ names: Set<String>) {
    properties.removeAll { names.contains($0.name) }
    let left = Set(properties.map(\.id))
    indexes.removeAll { !left.isSuperset(of: $0.properties) }
    let number = nextLayoutID
    let layout = RecordLayout(
      id: number,
      properties.map {
        RecordFieldRequest(
          property: $0.id, type: $0.type, isOptional: $0.isOptional,
          needsCode: false)
      })
    layouts = [layout]
    currentLayout = number
  }
}
