package import WhimbrelEngine
internal import WhimbrelLMDB

extension StoreInspector {
  /// Returns one object as JSON, with its record and the links to it.
  ///
  /// ```json
  /// {"class":"Zone","id":17,"name":"Europe/Andorra","key":"Europe/Andorra","commit":12,
  ///  "properties":[{"name":"latitude","type":"double","isKey":false,"cell":42.5}],
  ///  "linkedFrom":[{"class":"Country","property":"zones","count":1,
  ///                 "objects":[{"class":"Country","id":6,"name":"AD"}]}],
  ///  "record":{"layout":2,"isCurrent":true,"bytes":96,"outside":0,
  ///            "slots":[{"property":"latitude","offset":16,"bytes":8}]}}
  /// ```
  ///
  /// An object that an online migration has not yet converted has its `version`, and the properties
  /// of that version. A slot of a property that the class no longer has is listed with the property
  /// `null`.
  ///
  /// A damaged object has an `error`. If the record is damaged, its values are read from its bytes
  /// without the checksum, so they may be wrong. A value that cannot be read has an `error` in its
  /// cell.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - name: The primary key, or `id:` and the object ID.
  /// - Throws: ``InspectionError`` with `badArgument` or `noSuchObject`, and `StoreError` with
  ///   `unknownClass`.
  /// - Complexity: O(*k* + *o*) for *k* objects that link to it and *o* pieces of its overflow.
  package func objectDetails(class className: String, name: String) throws -> [UInt8] {
    try explaining {
      let table = try session.table(className)
      let id = try table.objectPerhapsDamaged(named: name)
      guard let stored = try session.view.value(table.objects, id.rawValue) else {
        throw table.missing(id)
      }
      var details = ObjectDetails(id, table, stored, session)
      try details.append(commit: commit)
      return details.cells.bytes
    }
  }

  /// Returns a part of the objects that link to an object as JSON.
  ///
  /// ```json
  /// {"count":20,"objects":[{"class":"Zone","id":17,"name":"Europe/Andorra"}]}
  /// ```
  ///
  /// - Parameters:
  ///   - className: The class of the object.
  ///   - id: The object. It may be missing or damaged.
  ///   - source: The class of the objects that link to it.
  ///   - property: The linking property.
  ///   - offset: The number of objects before the part.
  ///   - limit: The limit of objects, at most ``ObjectListing/pageLimit``.
  /// - Throws: ``InspectionError`` with `badArgument` if the property does not link to the class,
  ///   and `StoreError` with `unknownClass` or `unknownProperty`.
  /// - Complexity: O(*k* log *n*) for *k* objects of the part, plus all that link to the object.
  package func incomingPage(
    class className: String, id: ObjectID, from source: String, property: String, offset: Int,
    limit: Int
  ) throws -> [UInt8] {
    try explaining {
      let (table, other) = (try session.table(className), try session.table(source))
      let position = try other.resolved.requiredPosition(of: property)
      guard
        session.incomingLinks(of: table).contains(where: {
          $0.source.name == source && $0.position == position
        })
      else {
        throw InspectionError.badArgument(
          property, "\(PlainText.quoted("\(source).\(property)")) does not link to this class",
          "Give a property that links to \(PlainText.quoted(className)).")
      }
      let sources = try other.sources(position, linkingTo: id, of: table.resolved.id)
      var cells = CellWriter(session)
      let page = sources.dropFirst(max(offset, 0))
        .prefix(min(max(limit, 0), ObjectListing.pageLimit))
      cells.writer.append(raw: "{")
      try cells.append(sources.count, page.map(\.id), of: other)
      return cells.bytes
    }
  }
}

extension Session {
  /// Returns the properties that may link to objects of a class, sorted by class and property.
  func incomingLinks(of table: ClassTable) -> [LoadedCatalog.LinkProperty] {
    (shown.links(to: table.name) + shown.openLinks).sorted { left, right in
      (left.source.name, left.source.properties[left.position].name)
        < (right.source.name, right.source.properties[right.position].name)
    }
  }
}

extension CellWriter {
  /// Appends the number of objects and the first of them as the last members of an object.
  fileprivate mutating func append(
    _ count: Int, _ ids: some Sequence<ObjectID>, of table: ClassTable
  ) throws {
    writer.append("count", count)
    writer.append(raw: #","objects":["#)
    for id in ids {
      writer.separate()
      try append(link: id, table, named: table.name)
    }
    writer.append(raw: "]}")
  }
}

/// A writer of the details of one object.
private struct ObjectDetails {
  /// The limit of named objects per incoming property.
  private static let namedSources = 10

  private let id: ObjectID
  private let table: ClassTable
  private let stored: PageBytes
  private let session: Session
  /// The class table that reads the record, and the record in the form that it reads.
  private let reader: ClassTable
  private let record: PageBytes
  /// The message about the record, or nil if it is sound.
  private let recordError: String?
  private(set) var cells: CellWriter

  init(_ id: ObjectID, _ table: ClassTable, _ stored: PageBytes, _ session: Session) {
    self.id = id
    self.table = table
    self.stored = stored
    self.session = session
    cells = CellWriter(session)
    do {
      try table.requireSound(stored, id)
      (reader, record) = try table.reading(stored, id)
      recordError = nil
    } catch {
      (reader, record) = (try? table.reading(stored, id)) ?? (table, stored)
      recordError = (try? cells.damage(error)) ?? "\(error)"
    }
  }

  mutating func append(commit: Int) throws {
    let isSound = recordError == nil
    let name = isSound ? try? table.objectName(id) : nil
    let key = isSound ? table.primaryKey(of: id) : table.resolved.key(of: id)
    cells.writer.append(raw: #"{"class":"#)
    cells.writer.append(table.name)
    cells.writer.append("id", exact: id.rawValue)
    cells.writer.append("name", BoundedText.name(name ?? key?.exactText ?? ClassTable.name(of: id)))
    cells.writer.append(raw: #","key":"#)
    try cells.append(key ?? .null, as: .string)
    cells.writer.append("version", exact: reader.pastVersion)
    if table.resolved.isEmbedded { cells.writer.append(raw: #","isEmbedded":true"#) }
    cells.writer.append("commit", commit)
    try appendProperties()
    try appendIncoming()
    appendRecord()
    cells.writer.append("error", recordError ?? cells.firstDamage)
    cells.writer.append(raw: "}")
  }

  private mutating func appendProperties() throws {
    cells.writer.append(raw: #","properties":["#)
    for (position, property) in reader.resolved.properties.enumerated() {
      cells.writer.separate()
      cells.writer.append(raw: #"{"name":"#)
      cells.writer.append(property.name)
      cells.writer.append("type", property.typeText)
      cells.writer.append(
        raw: property.isPrimaryKey ? #","isKey":true,"cell":"# : #","isKey":false,"cell":"#)
      let (id, record, reader, isSound) = (id, record, reader, recordError == nil)
      try cells.catchingDamage { cells in
        if isSound {
          try cells.append(position, of: id, record, reader)
        } else {
          // This is safe for any bytes: content outside the record is an error.
          let value = try reader.value(position, of: record, id)
          try cells.append(value, as: property.type)
        }
      }
      cells.writer.append(raw: "}")
    }
    cells.writer.append(raw: "]")
  }

  private mutating func appendIncoming() throws {
    cells.writer.append(raw: #","linkedFrom":["#)
    for link in session.incomingLinks(of: table) {
      let other = try session.table(link.source.name)
      let sources = try other.sources(link.position, linkingTo: id, of: table.resolved.id)
      if sources.isEmpty { continue }
      cells.writer.separate()
      cells.writer.append(raw: #"{"class":"#)
      cells.writer.append(other.name)
      cells.writer.append("property", link.source.properties[link.position].name)
      try cells.append(sources.count, sources.prefix(Self.namedSources).map(\.id), of: other)
    }
    cells.writer.append(raw: "]")
  }

  private mutating func appendRecord() {
    let layout = table.resolved.layout(of: stored)?.layout
    let overflow = table.overflowTable.map { Overflow(session.view, $0, id, seed: nil) }
    let names = Dictionary(
      keepingFirst: (reader.resolved.properties + table.resolved.properties).map {
        ($0.id, $0.name)
      })
    let slots = (layout?.fields ?? []).sorted { $0.slot.offset < $1.slot.offset }.map { field in
      let isOutside = field.type.isVariable && stored.isExternal(at: field.slot)
      let outside = isOutside ? (try? overflow?.entrySizes(of: field.property)) ?? 0 : 0
      return (field: field, outside: outside)
    }
    cells.writer.append(raw: #","record":{"layout":"#)
    cells.writer.append(stored.count >= 2 ? stored.layoutID.rawValue : 0)
    cells.writer.append(
      raw: layout?.id == table.resolved.entry.currentLayout
        ? #","isCurrent":true,"bytes":"# : #","isCurrent":false,"bytes":"#)
    cells.writer.append(stored.count)
    cells.writer.append("outside", slots.reduce(0) { $0 + $1.outside })
    cells.writer.append(raw: #","slots":"#)
    cells.writer.append(slots, "[", "]}") { writer, slot in
      writer.append(raw: #"{"property":"#)
      writer.append(names[slot.field.property].map(PropertyValue.string) ?? .null)
      writer.append("offset", slot.field.slot.offset)
      writer.append("bytes", slot.field.slot.size)
      writer.append("outside", slot.outside > 0 ? slot.outside : nil)
      writer.append(raw: "}")
    }
  }
}
