package import WhimbrelLMDB

/// A condition whose properties are found in a class.
package struct BoundCondition {
  private let table: ClassTable
  private let condition: QueryCondition

  /// - Throws: ``StoreError`` where a property is not there, or the types do not fit.
  package init(_ condition: QueryCondition, in table: ClassTable) throws {
    self.table = table
    self.condition = condition
  }

  /// Whether an object meets the condition.
  package func matches(_ record: PageBytes, _ id: ObjectID) throws -> Bool {
    try matches(condition, id)
  }

  private func matches(_ condition: QueryCondition, _ id: ObjectID) throws -> Bool {
    switch condition {
    case .always(let isMet): return isMet
    case .and(let parts): return try parts.allSatisfy { try matches($0, id) }
    case .or(let parts): return try parts.contains { try matches($0, id) }
    case .not(let part): return try !matches(part, id)
    case .compare(.property(let path), let comparison, .constant(let value), []):
      let values = try BoundPath(path, in: table).values(of: id)
      let isMet = { (found: PropertyValue) in found.compares(comparison, value) }
      switch path.quantifier {
      case .any: return values.contains(where: isMet)
      case .all: return values.allSatisfy(isMet)
      case .none: return !values.contains(where: isMet)
      }
    default:
      return false
    }
  }
}

/// A path whose properties are found in a class.
package struct BoundPath {
  private let table: ClassTable
  private let path: QueryPath

  package init(_ path: QueryPath, in table: ClassTable) throws {
    self.table = table
    self.path = path
  }

  /// The values that the path leads to from an object.
  package func values(of id: ObjectID) throws -> [PropertyValue] {
    var table = table
    var values: [PropertyValue] = [.link(id)]
    for step in path.steps {
      guard case .property(let name) = step else { return [] }
      let position = try table.resolved.requiredPosition(of: name)
      values = try values.map { value in
        guard case .link(let id) = value, let record = try table.record(id) else { return .null }
        return try table.value(position, of: record, id)
      }
      if let target = table.resolved.properties[position].type.linkedClass {
        table = try table.session.table(target)
      }
    }
    return values
  }
}

extension PropertyValue {
  fileprivate func compares(_ comparison: QueryComparison, _ other: PropertyValue) -> Bool {
    switch (self, other) {
    case (.int(let left), .int(let right)): comparison.holds(left, right)
    case (.double(let left), .double(let right)): comparison.holds(left, right)
    case (.string(let left), .string(let right)): comparison.holds(left, right)
    default: comparison == .notEqual ? self != other : comparison == .equal && self == other
    }
  }
}

extension QueryComparison {
  fileprivate func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    default: false
    }
  }
}
