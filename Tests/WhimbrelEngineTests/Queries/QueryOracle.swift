import Foundation
import WhimbrelEngine

/// What queries must give: conditions evaluated over values in dictionaries, as plainly as
/// their meaning can be put.
struct QueryOracle {
  typealias Object = [String: PropertyValue]

  let catalog: Catalog
  /// The objects of each class, by the numbers of their IDs.
  let objects: [String: [UInt64: Object]]

  init(_ session: Session) throws {
    let contents = try StoreContents(session)
    catalog = contents.catalog
    objects = contents.objects
  }

  /// The objects of a class that meet a condition, in the order of their IDs.
  func objectIDs(_ className: String, matching condition: QueryCondition) -> [ObjectID] {
    (objects[className] ?? [:]).keys.sorted().filter { matches(condition, className, $0) }
      .map(ObjectID.init)
  }

  func matches(_ condition: QueryCondition, _ className: String, _ id: UInt64) -> Bool {
    switch condition {
    case .always(let isMet): return isMet
    case .and(let parts): return !parts.contains { !matches($0, className, id) }
    case .or(let parts): return parts.contains { matches($0, className, id) }
    case .not(let part): return !matches(part, className, id)
    case .compare(let left, let comparison, let right, let options):
      let (first, second) = (values(left, className, id), values(right, className, id))
      let quantifier = first.quantifier ?? second.quantifier
      let results = first.values.flatMap { left in
        second.values.map { PlainComparison.holds(left, comparison, $0, options) }
      }
      return isMet(results, quantifier)
    case .isIn(let expression, let wanted, let options):
      let found = values(expression, className, id)
      let results = found.values.map { value in
        wanted.contains { PlainComparison.holds(value, .equal, $0, options) }
      }
      return isMet(results, found.quantifier)
    case .isBetween(let expression, let lower, let upper, let includesUpper):
      let found = values(expression, className, id)
      let results = found.values.map { value in
        PlainComparison.holds(value, .greaterOrEqual, lower, [])
          && PlainComparison.holds(value, includesUpper ? .lessOrEqual : .less, upper, [])
      }
      return isMet(results, found.quantifier)
    case .hasWords: return false
    }
  }

  private func isMet(_ results: [Bool], _ quantifier: QueryPath.Quantifier?) -> Bool {
    switch quantifier {
    case nil, .any: results.contains(true)
    case .all: !results.contains(false)
    case .some(.none): !results.contains(true)
    }
  }
}

// MARK: - Values

extension QueryOracle {
  /// The values of an expression, and how many of them count if there may be several.
  private func values(
    _ expression: QueryExpression, _ className: String, _ id: UInt64
  ) -> (values: [PropertyValue], quantifier: QueryPath.Quantifier?) {
    switch expression {
    case .constant(let value): return ([value], nil)
    case .parameter: return ([], nil)
    case .property(let path):
      let found = values(path, className, id)
      let isOne = found.isSingle && path.quantifier != .none
      return (found.values, isOne ? nil : path.quantifier)
    case .count(let path):
      let found = values(path, className, id)
      if found.isOfElements { return ([.int(Int64(found.values.count))], nil) }
      let count = found.values.reduce(0) { count, value in
        switch value {
        case .list(let elements): count + elements.count
        case .map(let elements): count + elements.count
        default: count + (value.isNull ? 0 : 1)
        }
      }
      return ([.int(Int64(count))], nil)
    case .aggregate(let aggregate, let path):
      return ([PlainAggregate.value(aggregate, values(path, className, id).values)], nil)
    case .matches(let path, let condition):
      let found = values(path, className, id)
      let count = found.values.count { value in
        guard case .link(let id) = value else { return false }
        return matches(condition, found.className, id.rawValue)
      }
      return ([.int(Int64(count))], nil)
    case .arithmetic(let left, let operation, let right):
      let (first, second) = (values(left, className, id), values(right, className, id))
      let results = first.values.flatMap { left in
        second.values.map { PlainArithmetic.value(left, operation, $0) }
      }
      return (results, first.quantifier ?? second.quantifier)
    }
  }

  private struct Found {
    var values: [PropertyValue]
    var className: String
    var isSingle = true
    /// Whether the last step led into a collection.
    var isOfElements = false
  }

  /// The values at the end of a path.
  func values(_ path: QueryPath, _ className: String, of id: UInt64) -> [PropertyValue] {
    values(path, className, id).values
  }

  private func values(_ path: QueryPath, _ className: String, _ id: UInt64) -> Found {
    var found = Found(values: [.link(ObjectID(rawValue: id))], className: className)
    for (index, step) in path.steps.enumerated() {
      found = take(step, before: path.steps.dropFirst(index + 1).first, from: found)
    }
    return found
  }

  private func take(
    _ step: QueryPath.Step, before following: QueryPath.Step?, from found: Found
  ) -> Found {
    var next = found
    next.isOfElements = false
    switch step {
    case .property(let name):
      let property = catalog[found.className]?.properties.first { $0.name == name }
      next.className = property?.type.linkedClass ?? found.className
      next.values = found.values.map { object($0, found.className)?[name] ?? .null }
      switch (property?.type, following) {
      case (.map?, .name?), (.map?, .names?): break
      case (.list?, _), (.set?, _), (.map?, _):
        next.isSingle = false
        next.isOfElements = true
        next.values = next.values.flatMap(elements)
      default: break
      }
      return next
    case .name(let name):
      next.values = found.values.map { value in
        if case .map(let elements) = value { elements[name] ?? .null } else { .null }
      }
      return next
    case .names:
      next.isSingle = false
      next.values = found.values.flatMap { value -> [PropertyValue] in
        guard case .map(let elements) = value else { return [] }
        return elements.keys.sorted().map(PropertyValue.string)
      }
      return next
    case .inverse(let other, let name):
      next.isSingle = false
      next.className = other
      next.values = found.values.flatMap { value -> [PropertyValue] in
        guard case .link(let id) = value else { return [] }
        return (objects[other] ?? [:]).keys.sorted().filter { source in
          elements(objects[other]?[source]?[name] ?? .null).contains(.link(id))
        }.map { .link(ObjectID(rawValue: $0)) }
      }
      return next
    }
  }

  private func object(_ value: PropertyValue, _ className: String) -> Object? {
    guard case .link(let id) = value else { return nil }
    return objects[className]?[id.rawValue]
  }

  private func elements(_ value: PropertyValue) -> [PropertyValue] {
    switch value {
    case .list(let elements): elements
    case .map(let elements): elements.keys.sorted().compactMap { elements[$0] }
    case .null: []
    default: [value]
    }
  }
}
