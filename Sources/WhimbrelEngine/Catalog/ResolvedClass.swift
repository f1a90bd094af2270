package import WhimbrelLMDB

/// A class of the catalog with everything derived from it that reading and writing records needs.
@safe
package final class ResolvedClass: Sendable {
  package let entry: CatalogClass
  package let schema: ClassSchema
  /// The layouts by layout ID, or nil where records cannot have that layout.
  package let layouts: [ResolvedLayout?]
  /// The layout in which records are written.
  package let written: ResolvedLayout
  package let primaryKeyIndex: Int?
  /// The positions of the properties that have an index.
  package let indexedProperties: [Int]
  /// The compound, unique and full-text indexes.
  package let indexes: [ResolvedIndex]
  /// The positions of the properties that are links or collections of links to one class.
  package let links: [Int]
  /// The positions of the properties that may hold objects of any class.
  package let openLinks: [Int]
  /// The positions of the properties that the app does not declare. Writes must keep their values.
  package let undeclaredProperties: [Int]
  private let positions: PropertyPositions
  /// The class's part of its checksums' seeds: see ``checksumSeed(_:)``.
  private let seed: UInt64
  /// Whether records of a layout are not yet converted, by the number of the layout, or nil if all
  /// objects have the class's shape.
  private let staleLayouts: StaticArray<Bool>?

  package var name: String { entry.name }
  package var id: ClassID { entry.id }
  package var properties: [CatalogProperty] { entry.properties }
  package var isClustered: Bool { entry.isClustered }
  package var isEmbedded: Bool { entry.isEmbedded }

  /// Resolves a class.
  ///
  /// - Precondition: The entry has its current layout. Decoding a catalog checks that.
  package init(_ entry: CatalogClass) {
    self.entry = entry
    schema = entry.schema
    var layouts: [ResolvedLayout?] = []
    for layout in entry.layouts {
      let place = Int(layout.id.rawValue)
      while layouts.count <= place { layouts.append(nil) }
      layouts[place] = ResolvedLayout(layout, for: entry.properties)
    }
    self.layouts = layouts
    guard let written = layouts[Int(entry.currentLayout.rawValue)] else {
      preconditionFailure("Class '\(entry.name)' has no current layout.")
    }
    self.written = written
    primaryKeyIndex = entry.primaryKeyIndex
    indexedProperties = entry.properties.indices.filter { entry.properties[$0].hasIndex }
    indexes = entry.indexes.map { ResolvedIndex($0, entry.properties) }
    links = entry.properties.indices.filter { entry.properties[$0].type.linkedClass != nil }
    openLinks = entry.properties.indices.filter {
      let type = entry.properties[$0].type
      return type.holdsLinks && type.linkedClass == nil
    }
    undeclaredProperties = entry.properties.indices.filter {
      entry.properties[$0].scope == .fileOnly
    }
    positions = PropertyPositions(entry.properties.map(\.name))
    let number = UInt64(entry.id.rawValue)
    seed = (number << 32 | number) ^ entry.salt.seed
    let stale = Set(entry.staleLayouts.map { Int($0.rawValue) })
    staleLayouts = stale.isEmpty ? nil : StaticArray(layouts.indices.map(stale.contains))
  }

  /// Whether there may be objects that are not yet converted to the class's shape.
  package var isInTransition: Bool { staleLayouts != nil }

  /// Returns whether a record is not yet converted to the class's shape.
  @inline(__always)
  package func isStale(_ record: PageBytes) -> Bool {
    guard let stale = staleLayouts?.view, record.count >= 8 else { return false }
    let number = Int(record.layoutID.rawValue)
    return number < stale.count && stale[number]
  }

  package func position(of name: String) -> Int? { positions[name] }

  /// Returns the position of the property with a name.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`.
  package func requiredPosition(of name: String) throws -> Int {
    guard let position = positions[name] else {
      throw StoreError.unknownProperty(
        class: self.name, property: name, known: properties.map(\.name))
    }
    return position
  }
}

// MARK: - Messages

extension ResolvedClass {
  /// Returns the primary key of an object for messages, if it follows from the object ID.
  package func key(of id: ObjectID) -> PropertyValue? {
    isClustered && primaryKeyIndex != nil ? .int(id.clusteredKey) : nil
  }

  /// Returns the error for an object that has been deleted.
  package func deleted(
    _ id: ObjectID, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError.objectDeleted(
      class: name, objectID: id, primaryKey: key(of: id), file: file, line: line)
  }
}

// MARK: - Records

extension ResolvedClass {
  /// Returns the checksum seed of a record, which ties the record to its store, class and object. A
  /// record under the wrong key fails its check.
  package func checksumSeed(_ id: ObjectID) -> UInt64 { id.rawValue ^ seed }

  /// Returns the layout of a record, or nil if the record has an unknown one or is too short.
  @inline(__always)
  package func layout(of record: PageBytes) -> ResolvedLayout? {
    guard record.count >= 8 else { return nil }
    let number = Int(record.layoutID.rawValue)
    guard number < layouts.count, let layout = layouts[number],
      record.count >= layout.layout.fixedSize
    else { return nil }
    return layout
  }

  /// Returns the layout of a record.
  ///
  /// - Throws: ``DamagedRecord`` when the record has an unknown layout or is too short for it.
  @inline(__always)
  func requiredLayout(of record: PageBytes) throws -> ResolvedLayout {
    guard let layout = layout(of: record) else { throw DamagedRecord(detail: Self.unknownLayout) }
    return layout
  }

  /// The message for a record with an unknown layout.
  package static let unknownLayout = "it has an unknown layout or is too short"

  /// The message for a record whose bytes have changed.
  static let wrongChecksum = "its checksum is wrong"

  /// Returns whether a record has the checksum for its bytes and its object.
  ///
  /// - Precondition: The record has a layout of the class.
  func hasChecksum(_ record: PageBytes, _ id: ObjectID) -> Bool {
    hasChecksum(record, seed: checksumSeed(id))
  }

  /// Returns whether a record has the checksum that it would have with another salt of the class.
  ///
  /// - Precondition: The record has at least eight bytes.
  func hasChecksum(_ record: PageBytes, _ id: ObjectID, salt: ChecksumSalt) -> Bool {
    hasChecksum(record, seed: checksumSeed(id) ^ entry.salt.seed ^ salt.seed)
  }

  @inline(__always)
  private func hasChecksum(_ record: PageBytes, seed: UInt64) -> Bool {
    let stored = UInt32(littleEndian: record.load(UInt32.self, at: RecordLayout.checksumOffset))
    return stored == Checksum.record(record, hole: RecordLayout.checksumOffset, seed: seed)
  }

  /// Returns the layout of an object's record, whose checksum is right.
  ///
  /// - Throws: ``DamagedRecord``.
  func soundLayout(of record: PageBytes, _ id: ObjectID) throws -> ResolvedLayout {
    let layout = try requiredLayout(of: record)
    guard hasChecksum(record, id) else { throw DamagedRecord(detail: Self.wrongChecksum) }
    return layout
  }

  /// Checks a record's checksum, the bounds of its variable-size values, and the checksums of its
  /// overflow.
  ///
  /// - Throws: ``DamagedRecord``.
  package func verify(
    _ record: PageBytes, _ id: ObjectID, _ overflow: @autoclosure () -> Overflow
  ) throws {
    let layout = try soundLayout(of: record, id)
    let pointers = layout.pointers
    for number in 0..<pointers.count {
      let pointer = pointers[number]
      if record.isExternal(at: pointer.slot) {
        try verify(layout.layout.fields[pointer.field], of: record, id, overflow())
      } else if record.variable(at: pointer.slot) == nil {
        throw DamagedRecord()
      }
    }
    let ints = layout.compactInts
    for number in 0..<ints.count where !record.hasInt(at: ints[number]) {
      throw DamagedRecord(detail: "a number lies outside the record")
    }
  }

  private func verify(
    _ field: RecordField, of record: PageBytes, _ id: ObjectID, _ overflow: Overflow
  ) throws {
    let seed = checksumSeed(id)
    for number in try overflow.numbers(of: field.property) {
      guard let overflowEntry = try overflow.entry(field.property, number),
        OverflowWriter.isSound(overflowEntry, seed: seed, field.property, number)
      else { throw DamagedRecord(detail: "part of it has a wrong checksum") }
    }
    // Checksums do not reveal missing entries, so visit every chunk and node.
    guard field.type.isCollection else {
      let length = record.length(at: field.slot)
      return try overflow.forEachChunk(of: field.property, length: length) { _ in }
    }
    if let element = field.type.elementType {
      try CollectionReader(record, field, element, overflow).forEach { _, _ in }
    }
  }
}
