internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A fixed order of the objects that a selection finds, for showing parts of it.
///
/// It holds only the IDs of the objects, and no part of the store. A page has the values that the
/// objects have in the inspector that reads it, so a listing stays in order while others write.
///
/// ```swift
/// let listing = try ObjectListing(
///   ObjectSelection("Zone where latitude > 60"), sortedBy: "country.name", descending: false,
///   of: inspector)
/// let page = try listing.page(offset: 100, limit: 50, columns: nil, view: 7, of: later)
/// ```
package struct ObjectListing: Sendable {
  /// The name of the class.
  package let className: String
  private let ids: [ObjectID]

  /// The number of objects.
  package var count: Int { ids.count }

  /// Finds and sorts the objects.
  ///
  /// Objects that an online migration has not yet converted, and that lack the value to sort by,
  /// come last.
  ///
  /// - Parameters:
  ///   - selection: The objects.
  ///   - path: The path to the values to sort by, such as `country.name`, or `#` for the object ID.
  ///     Without one, the objects are in the order of the query, which is that of their IDs if it
  ///     sorts nothing.
  ///   - descending: Whether the greatest value comes first.
  ///   - inspector: The store.
  /// - Throws: ``InspectionError`` with `badArgument` for a path that does not exist, and
  ///   `StoreError` with `unknownClass` or `invalidQuery`, or with `queryMismatch` for a path that
  ///   cannot be sorted by.
  /// - Complexity: That of the query. Memory: 8 bytes per object.
  package init(
    _ selection: ObjectSelection, sortedBy path: String? = nil, descending: Bool = false,
    of inspector: StoreInspector
  ) throws {
    className = selection.className
    ids = try inspector.explaining {
      let query = try selection.prepared(in: inspector.session)
      guard let path else { return try query.objectIDs() }
      if path == "#" {
        return try query.objectIDs().sorted { descending ? $0 > $1 : $0 < $1 }
      }
      let table = try selection.table(in: inspector.session)
      return try Self.sorted(query, by: QueryPath(text: path, of: table), descending, table)
    }
  }

  private static func sorted(
    _ query: BoundQuery, by path: QueryPath, _ descending: Bool, _ table: ClassTable
  ) throws -> [ObjectID] {
    let session = table.session
    var request = query.request
    request.stages.append(.sort([QuerySortKey(path, isAscending: !descending)]))
    let sorted = try BoundQuery(request, in: session)
    if try BoundPath(path, in: table).changedProperties.isEmpty { return try sorted.objectIDs() }
    let found = try query.objectIDs()
    request.source = .answerable(request.paths)
    let kept = Set(found)
    let first = try BoundQuery(request, in: session).objectIDs().filter(kept.contains)
    let seen = Set(first)
    return first + found.filter { !seen.contains($0) }
  }
}

// MARK: - Pages

extension ObjectListing {
  /// The limit of objects on a page.
  package static let pageLimit = 1_000

  /// Returns a part of the listing as JSON.
  ///
  /// ```json
  /// {"view":7,"commit":12,"total":312,"offset":100,
  ///  "columns":[{"name":"identifier","type":"string","isKey":true},
  ///             {"name":"country.name","type":"string?"}],
  ///  "rows":[{"id":17,"cells":["Europe/Andorra","Andorra"]},{"id":18,"isDeleted":true},
  ///          {"id":19,"version":3,"cells":["x",null]},{"id":20,"error":"Could not …"}]}
  /// ```
  ///
  /// A page that grows beyond its limit of bytes ends early, with `isPartial`. The next page begins
  /// after its rows.
  ///
  /// Cells hold at most the beginning of a large value: see ``CellWriter``. A damaged object has an
  /// `error` instead of cells, and a damaged value has one in its cell.
  ///
  /// - Parameters:
  ///   - offset: The number of objects before the page.
  ///   - limit: The limit of objects, at most ``pageLimit``.
  ///   - columns: Paths separated by commas. The default, nil, is all properties in the declared
  ///     order.
  ///   - byteLimit: The number of bytes after which no row is added. The default is 8 MiB.
  ///   - view: The number by which the caller knows the listing.
  ///   - inspector: The store, which may be of a later commit than that of the listing.
  /// - Throws: ``InspectionError`` with `badArgument` if a column is not valid, and `StoreError`
  ///   with `unknownClass` if the class no longer exists.
  /// - Complexity: O(*rows* log *n*), however large values are, except that long texts are read.
  package func page(
    offset: Int, limit: Int, columns: String? = nil, byteLimit: Int = 8 << 20, view: Int,
    of inspector: StoreInspector
  ) throws -> [UInt8] {
    try inspector.explaining {
      let table = try inspector.session.table(className)
      let columns =
        try columns.map { try ObjectColumn.columns($0, of: table) }
        ?? table.resolved.properties.indices.map {
          ObjectColumn(property: $0, of: table.resolved)
        }
      let start = min(max(offset, 0), ids.count)
      let end = start + min(max(limit, 0), Self.pageLimit, ids.count - start)
      var cells = CellWriter(inspector.session)
      cells.writer.append(raw: #"{"view":"#)
      cells.writer.append(view)
      cells.writer.append("commit", inspector.commit)
      cells.writer.append("total", ids.count)
      cells.writer.append("offset", start)
      cells.writer.append(raw: #","columns":"#)
      cells.writer.append(columns, "[", "]") { $0.append($1, of: table) }
      cells.writer.append(raw: #","rows":["#)
      var isPartial = false
      for id in ids[start..<end] {
        isPartial = cells.count > byteLimit
        if isPartial { break }
        cells.writer.separate()
        try cells.append(row: id, columns, of: table)
      }
      cells.writer.append(raw: isPartial ? #"],"isPartial":true}"# : "]}")
      return cells.bytes
    }
  }
}

extension CellWriter {
  /// Appends the row of an object.
  fileprivate mutating func append(
    row id: ObjectID, _ columns: [ObjectColumn], of table: ClassTable
  ) throws {
    writer.append(raw: #"{"id":"#)
    writer.append(exact: id.rawValue)
    let row: (record: PageBytes, version: SchemaVersion?)?
    do {
      row = try table.record(id).map { stored in
        let (reader, record) = try table.reading(stored, id)
        return (record, reader.pastVersion)
      }
    } catch {
      let message = try damage(error)
      writer.append("error", message)
      return writer.append(raw: "}")
    }
    guard let row else { return writer.append(raw: #","isDeleted":true}"#) }
    writer.append("version", exact: row.version)
    writer.append(raw: #","cells":["#)
    for column in columns {
      writer.separate()
      try append(column, of: id, row.record, table)
    }
    writer.append(raw: "]}")
  }
}

extension JSONWriter {
  /// Appends the heading of a column.
  fileprivate mutating func append(_ column: ObjectColumn, of table: ClassTable) {
    append(raw: #"{"name":"#)
    append(column.title)
    append("type", column.typeText(of: table))
    if column.isPrimaryKey { append(raw: #","isKey":true"#) }
    append(raw: "}")
  }
}

extension ObjectColumn {
  /// Returns the type of the values as schemas spell it, with a trailing `?` if there may be nil.
  fileprivate func typeText(of table: ClassTable) -> String {
    switch source {
    case .objectID: return "\(type)"
    case .property(let position):
      return table.resolved.properties[position].typeText
    case .path(let path):
      let mayBeNil = path.isSingle && type != .any && type.linkTarget == nil
      return mayBeNil ? "\(type)?" : "\(type)"
    }
  }
}

extension CatalogProperty {
  /// The type as schemas spell it, with a trailing `?` if the property may be nil. Links and values
  /// of any type always may.
  var typeText: String {
    "\(type)\(isOptional && type.linkTarget == nil && type != .any ? "?" : "")"
  }
}

extension StoreInspector {
  /// The number of the commit that the inspector reads. Later commits have greater numbers.
  package var commit: Int { session.view.transactionID }
}
