internal import WhimbrelLMDB

/// A store that is made of objects of another: the same classes, object IDs and record layouts;
/// its indexes are built from its records.
///
/// ```swift
/// let copy = try StoreCopy(of: session, to: "small.whimbrel")
/// for id in kept { try copy.add(id, of: table) }
/// guard try copy.finish() else { throw InspectionError.fileExists("small.whimbrel", "prune into") }
/// ```
///
/// The file has a temporary name until ``finish(_:)`` has succeeded; nothing is left of it
/// otherwise. The same objects, added in the same order, give the same bytes.
package final class StoreCopy {
  /// A value that an object gets in the copy.
  package struct Change {
    /// The place of the property among those of the class.
    package var position: Int
    package var value: PropertyValue

    package init(_ position: Int, _ value: PropertyValue) {
      self.position = position
      self.value = value
    }
  }

  private let loading: StoreLoading
  private let session: Session
  private var classes: [ClassID: CopiedClass] = [:]
  private var buffer = EntryBuffer()

  /// - Parameter dropping: properties that the copy's schema does not have, by class. Records of
  ///   these classes are written in a layout without them; those of all others keep theirs.
  /// - Throws: ``StoreError`` for a name that is not there, or for what is left when it is not a
  ///   valid schema: a class does not lose its primary key.
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
    var header = source.loaded.header
    header.catalogRevision = 1
    header.fingerprint = Declaration(catalog.schema).fingerprint
    header.lastWriter = Header.writerName
    loading = try StoreLoading(path: path, catalog: catalog, header: header)
    session = try loading.session()
    for table in source.classes {
      classes[table.resolved.id] = CopiedClass(table, try session.table(table.name), of: self)
    }
  }

  /// Adds an object of the source: its record as it is, in the layout that it has, or with
  /// other values. Objects of a class are added in the order of their IDs, classes in any.
  ///
  /// A link stays as it is: who adds the objects sees to it that links lead to objects which are
  /// added too, or changes them to nil.
  ///
  /// - Throws: ``StoreError`` for a damaged object, and for a value that its property cannot have.
  package func add(
    _ id: ObjectID, of table: ClassTable, changing changes: [Change] = []
  ) throws {
    guard let copied = classes[table.resolved.id], let record = try table.record(id) else {
      throw StoreError.objectDeleted(class: table.name, objectID: id)
    }
    try table.verify(record, id)
    let layout = try table.layout(of: record, id)
    let extents = table.extents(of: id)
    if changes.isEmpty, !copied.rewriter.isAlwaysNeeded {
      buffer.append(copied.table.objects, id.rawValue, record)
      try table.explaining(id) {
        for property in layout.layout.propertiesOutside(record) {
          for number in try extents.numbers(of: property) {
            guard let extent = try extents.extent(property, number) else { continue }
            append(Extents.key(id, property, number), extent, ofExtentsOf: copied)
          }
        }
      }
    } else {
      let seed = copied.resolved.checksumSeed(id)
      try table.explaining(id) {
        try copied.rewriter.rewrite(record, id, layout, extents, changes) { record, pending in
          buffer.append(copied.table.objects, id.rawValue, record)
          try pending.forEach { property, number, extent in
            let signed = ExtentWriter.signed(extent.array, seed: seed, property, number)
            PageBytes.with(signed) {
              append(Extents.key(id, property, number), $0, ofExtentsOf: copied)
            }
          }
        }
      }
    }
    copied.count += 1
    if buffer.isFull { try flush() }
  }

  private func append(_ key: [UInt8], _ content: PageBytes, ofExtentsOf copied: CopiedClass) {
    if let table = copied.table.extentTable { buffer.append(table, key, content) }
  }

  func append(_ key: [UInt8], _ content: [UInt8], to table: Table) throws {
    PageBytes.with(content) { buffer.append(table, key, $0) }
    if buffer.isFull { try flush() }
  }

  /// Writes what waits. A write that does not fit makes the map grow for the next.
  private func flush() throws {
    if buffer.isEmpty { return }
    var attempts = 0
    while true {
      do {
        try session.write {
          let view = try session.requireWriting("copy objects")
          do { try buffer.write(to: view) } catch { throw session.file.explain(error) }
        }
        break
      } catch let error as StoreError where error.code == .mapFull && attempts < 8 {
        attempts += 1
      }
    }
    buffer.removeAll()
  }

  /// Builds the indexes, waits until the store is on the disk and gives it its name.
  ///
  /// - Parameter progress: is told which class is being indexed, and how far that is.
  /// - Returns: whether it has got the name; if not, a file has it already.
  /// - Throws: ``StoreError``, with `duplicatePrimaryKey` or `duplicateValues` where what has to be
  ///   unique is not.
  /// - Complexity: O(*n* log *n*), in constant memory.
  package func finish(
    _ progress: (_ className: String, _ completed: Int, _ total: Int) throws -> Void = { _, _, _ in
    }
  ) throws -> Bool {
    try flush()
    for copied in classes.values.sorted(by: { $0.table.name < $1.table.name }) {
      try copied.buildIndexes { try progress(copied.table.name, $0, copied.count) }
    }
    try flush()
    try session.write {
      for copied in classes.values {
        guard let next = try copied.source.nextObjectIDInFile() else { continue }
        try copied.table.setNextObjectID(next)
      }
    }
    return try loading.finish()
  }
}

extension CatalogClass {
  /// Takes properties out, with their indexes and all layouts that had them.
  fileprivate mutating func drop(_ names: Set<String>) {
    properties.removeAll { names.contains($0.name) }
    let left = Set(properties.map(\.id))
    indexes.removeAll { !left.isSuperset(of: $0.properties) }
    let number = LayoutID(rawValue: (layouts.map(\.id.rawValue).max() ?? 0) + 1)
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
