internal import Foundation
internal import WhimbrelEngine

/// A translation of text arguments to values with the types that the query compares them with.
///
/// The query is parsed with placeholders for the arguments. Each placeholder is then replaced by
/// the value of its text, read as the type of the other side. A string therefore needs no quotes,
/// and nothing in it can be mistaken for query language. An argument that is a JSON array is a list
/// after `IN` and `BETWEEN`, with a placeholder for each element; elsewhere it is a string.
struct QueryArguments {
  private let texts: [String]
  /// The arguments by their placeholders.
  private let marks: [String: Mark]
  /// The values that stand for the arguments when the query is parsed.
  private let placeholders: [PropertyValue]
  /// The same values, with a string in place of each list.
  private let plainPlaceholders: [PropertyValue]
  private let session: Session

  /// The text for a placeholder, and the number of its argument.
  private struct Mark {
    let number: Int
    let content: Content
  }

  private enum Content {
    case text(String)
    case quoted(String)
    case null
  }

  /// - Parameter texts: The arguments `$0`, `$1` and so on.
  init(_ texts: [String], in session: Session) {
    self.texts = texts
    self.session = session
    let mark = UUID().uuidString
    var marks: [String: Mark] = [:]
    plainPlaceholders = texts.enumerated().map { number, text in
      marks["\(mark) \(number)"] = Mark(number: number, content: .text(text))
      return .string("\(mark) \(number)")
    }
    placeholders = zip(texts, plainPlaceholders).enumerated().map { number, pair in
      guard let elements = Self.elements(of: pair.0) else { return pair.1 }
      return .list(
        elements.enumerated().map { index, element in
          let name = "\(mark) \(number) \(index)"
          marks[name] = Mark(number: number, content: element)
          return .string(name)
        })
    }
    self.marks = marks
  }

  /// Returns the elements of a JSON array, or nil for other text.
  private static func elements(of text: String) -> [Content]? {
    guard text.utf8.first == UInt8(ascii: "["),
      case .array(let nodes)? = try? JSONParser.parse(Array(text.utf8)).content
    else { return nil }
    var elements: [Content] = []
    for node in nodes {
      switch node.content {
      case .null: elements.append(.null)
      case .bool(let bool): elements.append(.text("\(bool)"))
      case .number(let number): elements.append(.text(number))
      case .string(let string): elements.append(.quoted(string))
      case .array, .object: return nil
      }
    }
    return elements
  }

  /// Parses a query with its arguments.
  ///
  /// - Throws: `StoreError` with `invalidQuery`, and ``InspectionError`` with `badArgument`.
  func request(_ className: String, _ query: String, in schema: StoreSchema) throws -> QueryRequest
  {
    func parsed(_ arguments: [PropertyValue]) throws -> QueryRequest {
      try QueryRequest(className, parsing: query, arguments: arguments, in: schema)
    }
    var request: QueryRequest
    do {
      request = try parsed(placeholders)
    } catch {
      // A word search does not accept lists. Its argument is a string even if it looks like a list.
      guard let plain = try? parsed(plainPlaceholders) else { throw error }
      request = plain
    }
    let table = try session.table(className)
    var used: Set<Int> = []
    request.stages = try request.stages.map { stage in
      switch stage {
      case .filter(let condition): .filter(try typed(condition, table, &used))
      case .sort(let keys):
        .sort(keys.map { QuerySortKey(named($0.path, &used), isAscending: $0.isAscending) })
      case .distinct(let paths): .distinct(paths.map { named($0, &used) })
      case .offset, .limit: stage
      }
    }
    if let unused = texts.indices.first(where: { !used.contains($0) }) {
      throw InspectionError.badArgument(
        texts[unused], "the query does not compare anything with $\(unused)",
        "Write '$\(unused)' in place of the argument, without quotes.")
    }
    return request
  }
}

// MARK: - Conditions

extension QueryArguments {
  private func typed(
    _ condition: QueryCondition, _ table: ClassTable, _ used: inout Set<Int>
  ) throws -> QueryCondition {
    switch condition {
    case .always: return condition
    case .and(let parts): return .and(try parts.map { try typed($0, table, &used) })
    case .or(let parts): return .or(try parts.map { try typed($0, table, &used) })
    case .not(let inner): return .not(try typed(inner, table, &used))
    case .compare(let left, let comparison, let right, let options):
      return .compare(
        try typed(left, as: type(of: right, table), table, &used), comparison,
        try typed(right, as: type(of: left, table), table, &used), options)
    case .isIn(let value, let constants, let options):
      let type = try type(of: value, table)
      // An empty list leaves no placeholder, so all empty arguments count as used.
      if constants.isEmpty {
        used.formUnion(texts.indices.filter { placeholders[$0] == .list([]) })
      }
      return .isIn(
        try typed(value, as: nil, table, &used),
        try constants.map { try typed($0, as: type, &used) }, options)
    case .isBetween(let value, let lower, let upper, let includesUpper):
      let type = try type(of: value, table)
      return .isBetween(
        try typed(value, as: nil, table, &used), lower: try typed(lower, as: type, &used),
        upper: try typed(upper, as: type, &used), includesUpper: includesUpper)
    case .hasWords(let path, let search):
      guard case .string(let text) = try typed(.string(search), as: .string, &used) else {
        return condition
      }
      return .hasWords(named(path, &used), search: text)
    }
  }

  private func typed(
    _ expression: QueryExpression, as type: PropertyType?, _ table: ClassTable,
    _ used: inout Set<Int>
  ) throws -> QueryExpression {
    switch expression {
    case .constant(let value): return .constant(try typed(value, as: type, &used))
    case .parameter: return expression
    case .property(let path): return .property(named(path, &used))
    case .count(let path): return .count(named(path, &used))
    case .aggregate(let aggregate, let path): return .aggregate(aggregate, named(path, &used))
    case .matches(let path, let condition):
      let path = named(path, &used)
      guard let target = try BoundPath(path, in: table).storedType?.linkTarget else {
        return .matches(path, condition)
      }
      return .matches(path, try typed(condition, session.table(target), &used))
    case .arithmetic(let left, let operation, let right):
      let (leftType, rightType) = (try self.type(of: left, table), try self.type(of: right, table))
      return .arithmetic(
        try typed(left, as: rightType ?? type, table, &used), operation,
        try typed(right, as: leftType ?? type, table, &used))
    }
  }

  /// Returns a path in which arguments are the keys of maps: `names[$0]`.
  private func named(_ path: QueryPath, _ used: inout Set<Int>) -> QueryPath {
    var path = path
    for index in path.steps.indices {
      guard case .name(let name) = path.steps[index], let mark = marks[name] else { continue }
      used.insert(mark.number)
      path.steps[index] = .name(texts[mark.number])
    }
    return path
  }

  /// Returns the type of an expression, or nil if it depends on the other side.
  private func type(of expression: QueryExpression, _ table: ClassTable) throws -> PropertyType? {
    switch expression {
    case .constant: return nil
    case .parameter(let parameter): return parameter.type
    case .property(let path):
      // 'SELF' is an object of the class.
      return path.steps.isEmpty
        ? .link(to: table.name) : try BoundPath(path, in: table).storedType
    case .count, .matches: return .int
    case .aggregate(.average, _): return .double
    case .aggregate(_, let path): return try BoundPath(path, in: table).storedType
    case .arithmetic(let left, _, let right):
      return try type(of: left, table) ?? type(of: right, table)
    }
  }
}

// MARK: - Values

extension QueryArguments {
  private func typed(
    _ value: PropertyValue, as type: PropertyType?, _ used: inout Set<Int>
  ) throws -> PropertyValue {
    let mark: Mark
    switch value {
    case .string(let name):
      guard let found = marks[name] else { return value }
      mark = found
    case .list:
      // Outside of 'IN' the argument is a string, so take its whole text.
      guard let number = placeholders.firstIndex(of: value) else { return value }
      mark = Mark(number: number, content: .text(texts[number]))
    default: return value
    }
    used.insert(mark.number)
    switch mark.content {
    case .null: return .null
    case .quoted(let text) where type == nil || type == .any: return .string(text)
    case .text(let text), .quoted(let text): return try argument(text, mark.number, type ?? .any)
    }
  }

  private func argument(
    _ text: String, _ number: Int, _ type: PropertyType
  ) throws -> PropertyValue {
    func refused(_ reason: String) -> InspectionError {
      InspectionError.badArgument(
        text, reason, "Argument $\(number) is compared with values of type '\(type)'.")
    }
    switch type {
    case .string: return .string(text)
    case .any: return Self.guessed(text)
    case .link(let target):
      return text == "null" ? .null : .link(try session.table(target).object(named: text))
    default: break
    }
    if text == "null" || text == "nil" { return .null }
    if type == .date, let date = ImportedDate(text)?.date { return .date(date) }
    // A fraction may be compared with integers.
    if type.isInteger, Int64(text) == nil, let number = Double(text), number.isFinite {
      return .double(number)
    }
    do throws(JSONProblem) {
      let widest = type.isInteger ? PropertyType.int : type
      if let value = try PropertyValue.scalar(text, as: widest) { return value }
    } catch {
      throw refused(error.reason)
    }
    throw refused("it is not a value of type '\(type)'")
  }

  /// Returns a value for a property of any type: a number or a Boolean if the text is one.
  private static func guessed(_ text: String) -> PropertyValue {
    if ExactNumber.isInteger(text), let number = Int64(text) { return .int(number) }
    if ExactNumber.isDouble(text), let number = Double(text) { return .double(number) }
    if text == "true" || text == "false" { return .bool(text == "true") }
    return text == "null" || text == "nil" ? .null : .string(text)
  }
}
