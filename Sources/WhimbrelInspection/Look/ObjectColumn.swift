internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A column of a table of objects.
struct ObjectColumn {
  /// The heading: the path as the user wrote it.
  let title: String
  let source: Source
  /// The type of the values. If a path leads to several values, it is a list.
  let type: PropertyType
  let isPrimaryKey: Bool

  enum Source {
    case objectID
    /// A property, by index.
    case property(Int)
    /// The end of a path. If it leads to several values, they form a list.
    case path(BoundPath)
  }

  /// Whether the column holds numbers.
  var isNumeric: Bool { type.isNumber }
}

extension ObjectColumn {
  static var objectID: ObjectColumn {
    ObjectColumn(title: "#", source: .objectID, type: .int, isPrimaryKey: false)
  }

  /// Creates the column of a property.
  init(property position: Int, of resolved: ResolvedClass) {
    let property = resolved.properties[position]
    self.init(
      title: property.name,
      source: .property(position), type: property.type, isPrimaryKey: property.isPrimaryKey)
  }

  /// Returns the columns of a text: paths separated by commas, and `#` for the object ID.
  ///
  /// - Throws: ``InspectionError`` with `badArgument`.
  static func columns(_ text: String, of table: ClassTable) throws -> [ObjectColumn] {
    try parts(of: text).map { part in
      let title = part.trimmingCharacters(in: .whitespaces)
      return title == "#" ? .objectID : try ObjectColumn(path: title, of: table)
    }
  }

  /// Returns the positions of the properties in a text: names separated by commas. Each counts
  /// once.
  ///
  /// - Throws: ``InspectionError`` with `badArgument`, also for paths to other values.
  static func positions(_ text: String, of table: ClassTable) throws -> [Int] {
    var positions: [Int] = []
    for column in try columns(text, of: table) {
      switch column.source {
      case .property(let position):
        if !positions.contains(position) { positions.append(position) }
      case .objectID, .path:
        throw InspectionError.badArgument(
          column.title, "it is not a property of class \(PlainText.quoted(table.name))",
          "Give names of properties, separated by commas.")
      }
    }
    return positions
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
      title: text, source: .path(bound),
      type: bound.isSingle ? type : .list(of: ElementType(type, isOptional: true)),
      isPrimaryKey: false)
  }

  /// Splits a text at commas, except inside backquotes and quotes. A backslash there escapes the
  /// next character.
  private static func parts(of text: String) -> [Substring] {
    var closing: Unicode.Scalar?
    var isEscaped = false
    let parts = text.unicodeScalars.split(omittingEmptySubsequences: false) { scalar in
      if isEscaped {
        isEscaped = false
      } else if let end = closing {
        if scalar == end { closing = nil }
        isEscaped = scalar == "\\"
      } else if "`'\"".unicodeScalars.contains(scalar) {
        closing = scalar
      }
      return closing == nil && scalar == ","
    }
    return parts.map { Substring($0) }
  }
}

extension QueryPath {
  /// Parses the path to a property: the name of a property with any characters, or a path in the
  /// query language.
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

extension ObjectColumn {
  /// Returns whether an object has no value for the column, because it is not yet converted or
  /// leads to an object that is not.
  func isLacking(in id: ObjectID, _ record: PageBytes, of table: ClassTable) throws -> Bool {
    switch source {
    case .objectID: return false
    case .property(let position):
      guard table.isUnconverted(record) else { return false }
      return table.position(position, in: try table.reading(record, id).table) == nil
    case .path(let path): return try path.lacksValues(of: id)
    }
  }

  /// Returns the value of an object.
  func value(of id: ObjectID, _ record: PageBytes, in table: ClassTable) throws -> PropertyValue {
    switch source {
    case .objectID: return .link(id)
    case .property(let position): return try table.value(position, of: record, id)
    case .path(let path):
      let values = try path.values(of: id)
      return path.isSingle ? values.first ?? .null : .list(values)
    }
  }
}
