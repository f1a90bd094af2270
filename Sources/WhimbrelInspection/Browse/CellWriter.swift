internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A writer of values as cells: JSON with the beginnings of large values.
///
/// | value | cell |
/// |---|---|
/// | nil, `bool`, integers | `null`, `true`, `12`; a string of digits beyond 2⁵³ |
/// | `float`, `double` | `1.5`, `"nan"`, `"inf"`, `"-inf"` |
/// | `string` | `"text"`, or `{"text":"its beginning","length":1048576}` |
/// | `data` | `{"data":"base64 of its beginning","length":4096}` |
/// | `date`, `decimal`, `uuid`, `objectId` | a string as in a dump |
/// | link | `{"class":"Country","id":6,"name":"AD"}`, perhaps with `isEmbedded`, `isDangling` or `error` |
/// | list, set | `{"count":20,"elements":[the first cells]}` |
/// | map | `{"count":2,"entries":[["name",cell]]}` |
/// | `any` | `{"type":"date","value":cell}` |
///
/// A value that the object does not have yet is `{"lacking":true}`. A value that cannot be read is
/// `{"error":"message"}`.
struct CellWriter {
  /// The limit of shown bytes of data.
  static let dataLimit = 96
  /// The limit of shown elements of a collection.
  static let elementLimit = 5
  /// The limit of nested lists and maps in a value of any type. Deeper ones only have a count.
  private static let depthLimit = 3
  /// The number of bytes after which a cell gets no more elements.
  private static let byteLimit = 16_384
  /// The limit of values that are looked for where a path leads to many.
  private static let pathLimit = 1_000

  let session: Session
  private let tables: [ClassID: ClassTable]
  var writer = JSONWriter()
  /// The number of bytes before the current cell.
  private var start = 0
  /// The message of the first error that a cell has.
  private(set) var firstDamage: String?

  init(_ session: Session) {
    self.session = session
    tables = session.tablesByID
  }

  var bytes: [UInt8] { writer.bytes }
  var count: Int { writer.count }
  /// Whether the current cell has room for another element.
  private var hasRoom: Bool { writer.count - start < Self.byteLimit }

  /// Appends the cell that `body` writes. If a damaged object prevents that, appends an error
  /// instead.
  mutating func catchingDamage(_ body: (inout CellWriter) throws -> Void) throws {
    start = writer.count
    let start = start
    do {
      try body(&self)
    } catch {
      let message = try damage(error)
      if firstDamage == nil { firstDamage = message }
      writer.removeAll(after: start)
      writer.append(raw: #"{"error":"#)
      writer.append(message)
      writer.append(raw: "}")
    }
  }

  /// Returns the message of an error of damage. Throws every other error.
  func damage(_ error: any Error) throws -> String {
    guard let error = session.file.explain(error) as? StoreError, error.code == .damaged else {
      throw error
    }
    return ErrorWords(error).message
  }

  /// Appends the cell of a column for an object that exists.
  mutating func append(
    _ column: ObjectColumn, of id: ObjectID, _ record: PageBytes, _ table: ClassTable
  ) throws {
    try catchingDamage { cells in
      if try column.isLacking(in: id, record, of: table) {
        return cells.writer.append(raw: #"{"lacking":true}"#)
      }
      switch column.source {
      case .objectID: cells.writer.append(exact: id.rawValue)
      case .property(let position):
        try cells.append(position, of: id, record, table)
      case .path(let path):
        if path.isSingle {
          return try cells.append(path.values(of: id).first ?? .null, as: column.type)
        }
        let values = try path.values(of: id, upTo: Self.pathLimit + 1)
        try cells.append(
          elements: values.prefix(Self.pathLimit), column.type.elementType?.type ?? .any,
          isPartial: values.count > Self.pathLimit)
      }
    }
  }

  /// Appends the cell of a property of an object.
  mutating func append(
    _ position: Int, of id: ObjectID, _ record: PageBytes, _ table: ClassTable
  ) throws {
    let type = table.resolved.properties[position].type
    if type.isCollection {
      return try append(
        collection: position, of: id, table, 0..<Self.elementLimit, hasKind: false)
    }
    if type == .data,
      let data = try table.dataBeginning(position, of: record, id, limit: Self.dataLimit)
    {
      return append(data)
    }
    try append(table.value(position, of: record, id), as: type)
  }
}

// MARK: - Collections

extension CellWriter {
  /// Appends elements of a collection of an object. Reads only these.
  ///
  /// - Parameter hasKind: Whether to name the kind and the commit, and to write the entries of maps
  ///   as `elements`, with whole names.
  mutating func append(
    collection position: Int, of id: ObjectID, _ table: ClassTable, _ range: Range<Int>,
    hasKind: Bool
  ) throws {
    let type = table.resolved.properties[position].type
    let kind = ObjectView.Collection.Kind(type)
    let element = type.elementType?.type ?? .any
    try table.readCollection(position, of: id) { reader in
      writer.append(raw: hasKind ? #"{"kind":""# : "{")
      if hasKind {
        writer.append(raw: kind.rawValue.utf8)
        writer.append(raw: #"","#)
      }
      writer.append(raw: #""count":"#)
      writer.append(reader.count)
      writer.append(raw: kind == .map && !hasKind ? #","entries":["# : #","elements":["#)
      for index in range.clamped(to: 0..<reader.count) {
        writer.separate()
        if hasKind {
          try catchingDamage { try $0.append(index, of: reader, kind, element, isWhole: true) }
        } else if hasRoom {
          try append(index, of: reader, kind, element)
        }
      }
      writer.append(raw: "]")
      if hasKind { writer.append("commit", session.view.transactionID) }
      writer.append(raw: "}")
    }
  }

  private mutating func append(
    _ index: Int, of reader: CollectionReader, _ kind: ObjectView.Collection.Kind,
    _ element: PropertyType, isWhole: Bool = false
  ) throws {
    if kind == .map {
      try append(
        entry: reader.name(at: index), reader.value(at: index), as: element, isWhole: isWhole)
    } else {
      try append(reader.value(at: index), as: element)
    }
  }

  /// - Parameter isWhole: Whether to write all of a long name.
  mutating func append(
    entry name: String, _ value: PropertyValue, as type: PropertyType, depth: Int = 0,
    isWhole: Bool = false
  ) throws {
    writer.append(raw: "[")
    writer.append(isWhole ? name : BoundedText.name(name))
    writer.append(raw: ",")
    try append(value, as: type, depth: depth)
    writer.append(raw: "]")
  }

  /// Appends the first of some elements.
  ///
  /// - Parameter isPartial: Whether there are more than these.
  private mutating func append(
    elements: some Collection<PropertyValue>, _ type: PropertyType, depth: Int = 0,
    isPartial: Bool = false
  ) throws {
    writer.append(raw: #"{"count":"#)
    writer.append(elements.count)
    if isPartial { writer.append(raw: #","isPartial":true"#) }
    writer.append(raw: #","elements":["#)
    if depth < Self.depthLimit {
      for element in elements.prefix(Self.elementLimit) where hasRoom {
        writer.separate()
        try append(element, as: type, depth: depth + 1)
      }
    }
    writer.append(raw: "]}")
  }

  /// Appends the first entries of a map in a value of any type.
  private mutating func append(
    map: [String: PropertyValue], _ type: PropertyType, depth: Int
  ) throws {
    writer.append(raw: #"{"count":"#)
    writer.append(map.count)
    writer.append(raw: #","entries":["#)
    if depth < Self.depthLimit {
      for (name, value) in map.inDumpOrder.prefix(Self.elementLimit) where hasRoom {
        writer.separate()
        try append(entry: name, value, as: type, depth: depth + 1)
      }
    }
    writer.append(raw: "]}")
  }
}

// MARK: - Values

extension CellWriter {
  /// Appends the cell of a value.
  ///
  /// - Parameter depth: The number of enclosing lists and maps of any type.
  mutating func append(_ value: PropertyValue, as type: PropertyType, depth: Int = 0) throws {
    if type == .any, !value.isNull {
      writer.append(raw: #"{"type":""#)
      writer.append(raw: value.kind.utf8)
      writer.append(raw: #"","value":"#)
      try append(plain: value, as: .any, depth: depth)
      writer.append(raw: "}")
    } else {
      try append(plain: value, as: type, depth: depth)
    }
  }

  private mutating func append(
    plain value: PropertyValue, as type: PropertyType, depth: Int
  ) throws {
    switch value {
    // A dump has a text for it. A cell can be a number.
    case .float(let number) where number.isZero && number.sign == .minus: appendNegativeZero()
    case .double(let number) where number.isZero && number.sign == .minus: appendNegativeZero()
    case .string(let text):
      let bounded = BoundedText(text)
      guard let length = bounded.length else { return writer.append(bounded.text) }
      writer.append(raw: #"{"text":"#)
      writer.append(bounded.text)
      writer.append("length", length)
      writer.append(raw: "}")
    case .data(let data):
      append(DataBeginning(bytes: data.prefix(Self.dataLimit), count: data.count))
    case .link(let id):
      let name = type.linkedClass ?? ""
      try append(link: id, session.find(name), named: name)
    case .object(let reference):
      try append(
        link: reference.id, tables[reference.classID],
        named: "class \(reference.classID.rawValue)")
    case .list(let elements):
      try append(elements: elements, type.elementType?.type ?? .any, depth: depth)
    case .map(let elements):
      try append(map: elements, type.elementType?.type ?? .any, depth: depth)
    default: writer.append(value)
    }
  }

  private mutating func appendNegativeZero() { writer.append(raw: "-0.0") }

  private mutating func append(_ data: DataBeginning) {
    writer.append(raw: #"{"data":"#)
    writer.append(data.bytes.base64EncodedString())
    writer.append("length", data.count)
    writer.append(raw: "}")
  }

  /// Appends a link to an object.
  ///
  /// - Parameters:
  ///   - target: The class of the object, or nil if it is missing from a damaged file.
  ///   - name: The name for such a class.
  mutating func append(link id: ObjectID, _ target: ClassTable?, named name: String) throws {
    writer.append(raw: #"{"class":"#)
    writer.append(target?.name ?? name)
    writer.append("id", exact: id.rawValue)
    writer.append(raw: #","name":"#)
    do {
      let isThere = try target?.contains(id) ?? false
      writer.append(BoundedText.name(try target?.objectName(id) ?? ClassTable.name(of: id)))
      if target?.resolved.isEmbedded == true { writer.append(raw: #","isEmbedded":true"#) }
      if !isThere { writer.append(raw: #","isDangling":true"#) }
    } catch {
      let message = try damage(error)
      writer.append(ClassTable.name(of: id))
      if target?.resolved.isEmbedded == true { writer.append(raw: #","isEmbedded":true"#) }
      writer.append("error", message)
    }
    writer.append(raw: "}")
  }
}
