internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// What a column of a table shows of each object.
struct ObjectColumn {
  /// What stands above it: the path as it was asked for.
  let title: String
  let source: Source
  /// The type of the values; a list where there are several.
  let type: PropertyType
  let isPrimaryKey: Bool

  enum Source {
    /// The identity of the object in its class.
    case objectID
    /// A property that is a collection, by its position.
    case collection(Int)
    /// Any other value.
    case value(ValueSource)
  }

  /// Where a value is found.
  enum ValueSource {
    /// In a property, by its position.
    case property(Int)
    /// At the end of a path; where it leads to several, they are a list.
    case path(BoundPath)
  }

  /// Whether numbers stand in the column.
  var isNumeric: Bool {
    switch type {
    case .float, .double, .decimal: true
    default: type.isInteger
    }
  }
}

extension ObjectColumn {
  /// The column of the object IDs.
  static var objectID: ObjectColumn {
    ObjectColumn(title: "#", source: .objectID, type: .int, isPrimaryKey: false)
  }

  /// The column of a property.
  init(property position: Int, of resolved: ResolvedClass) {
    let property = resolved.properties[position]
    self.init(
      title: property.name,
      source: property.type.isCollection ? .collection(position) : .value(.property(position)),
      type: property.type, isPrimaryKey: property.isPrimaryKey)
  }

  /// The columns of a text: paths with commas between them, and `#` for the object ID.
  ///
  /// - Throws: ``InspectionError`` with `badArgument`.
  static func columns(_ text: String, of table: ClassTable) throws -> [ObjectColumn] {
    try parts(of: text).map { part in
      let title = part.trimmingCharacters(in: .whitespaces)
      return title == "#" ? .objectID : try ObjectColumn(path: title, of: table)
    }
  }

  private init(path text: String, of table: ClassTable) throws {
    let path = try QueryPath(text: text, of: table)
    if path.steps.count == 1, case .property(let name)? = path.steps.first {
      self.init(property: try table.resolved.requiredPosition(of: name), of: table.resolved)
      return
    }
    let bound = try BoundPath(path, in: table)
    let type = bound.storedType ?? .link(to: table.name)
    self.init(
      title: text, source: .value(.path(bound)),
      type: bound.isSingle ? type : .list(of: ElementType(type, isOptional: true)),
      isPrimaryKey: false)
  }

  /// What stands between commas, but for those in backquotes, quotes and brackets.
  private static func parts(of text: String) -> [Substring] {
    var closing: Unicode.Scalar?
    let parts = text.unicodeScalars.split(omittingEmptySubsequences: false) { scalar in
      if let end = closing {
        if scalar == end { closing = nil }
      } else if "`'\"".unicodeScalars.contains(scalar) {
        closing = scalar
      }
      return closing == nil && scalar == ","
    }
    return parts.map { Substring($0) }
  }
}

extension QueryPath {
  /// Reads the path to a property: the name of one, whatever characters it has, or a path in
  /// the language of queries.
  ///
  /// - Throws: ``InspectionError`` with `badArgument`.
  init(text: String, of table: ClassTable) throws {
    if table.resolved.position(of: text) != nil {
      self.init(text)
      return
    }
    let schema = StoreSchema(classes: table.session.classes.map(\.resolved.schema))
    do throws(QueryTextError) {
      try self.init(parsing: text, of: table.name, in: schema)
    } catch {
      throw InspectionError.badArgument(text, error.reason, error.hint)
    }
  }
}

// MARK: - Values

extension ObjectColumn.ValueSource {
  /// The value of an object.
  func value(of id: ObjectID, _ record: PageBytes, in table: ClassTable) throws -> PropertyValue {
    switch self {
    case .property(let position): return try table.value(position, of: record, id)
    case .path(let path):
      let values = try path.values(of: id)
      return path.isSingle ? values.first ?? .null : .list(values)
    }
  }
}
