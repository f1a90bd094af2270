import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Random requests over random objects give the same with indexes, without, and in plain
/// Swift.
struct RandomRequestTests {
  @Test(.takesLong, arguments: 0..<TestRun.count(2, long: 200) as Range<UInt64>)
  func `requests give the same objects with indexes, without, and in plain Swift`(
    seed: UInt64
  ) throws {
    var random = RandomRequests(generator: SeededGenerator(seed: seed))
    let count = random.pick([0, 3, 40, 200, 700])
    let objects = (0..<count).map { _ in random.object() }
    // The first has an index of everything.
    let classes = seed == 0 ? QueryShop.classes : QueryShop.randomClasses(&random.generator)
    let shop = try QueryShop(count, classes) { objects[$0] }
    let oracle = PlainRequests(try QueryOracle(shop.session))
    for round in 0..<150 {
      let stages = random.stages()
      let expected = oracle.numbers(stages)
      let names = "seed \(seed), round \(round): \(stages)"
      for name in ["Product", "Plain"] {
        let query = try shop.query(stages, of: name)
        let found = try numbers(query, shop, name)
        #expect(found == expected, "\(name), \(names)")
        #expect(try query.count() == expected.count, "\(name), \(names)")
        let first = try query.first().map { try numbers([$0], shop, name) } ?? []
        #expect(first == Array(expected.prefix(1)), "\(name), \(names)")
        if found != expected { return }
        guard round % 5 == 0 else { continue }
        let left = Set(oracle.numbers([])).subtracting(expected)
        #expect(try numbersLeft(query, shop, name) == left, "\(name), \(names)")
      }
      for aggregate in [QueryAggregate.minimum, .maximum] {
        let path = QueryPath(random.pick(["price", "count", "name", "added"]))
        let left = try shop.query(stages).aggregate(aggregate, path)
        let right = try shop.query(stages, of: "Plain").aggregate(aggregate, path)
        #expect(left == right, "\(aggregate) of \(path), \(names)")
      }
    }
  }

  /// Removes the objects of a query, and returns those that are left. The store stays as it was.
  private func numbersLeft(
    _ query: BoundQuery, _ shop: QueryShop, _ name: String
  ) throws -> Set<Int> {
    struct Undo: Error {}
    let first = try shop.session.table(name).objectIDs().first
    var left: [ObjectID] = []
    _ = #expect(throws: Undo.self) {
      try shop.session.write {
        try query.removeObjects()
        left = try shop.session.table(name).objectIDs()
        throw Undo()
      }
    }
    return Set(numbers(left, first))
  }

  private func numbers(_ query: BoundQuery, _ shop: QueryShop, _ name: String) throws -> [Int] {
    try numbers(query.objectIDs(), shop, name)
  }

  private func numbers(_ ids: [ObjectID], _ shop: QueryShop, _ name: String) throws -> [Int] {
    numbers(ids, try shop.session.table(name).objectIDs().first)
  }

  /// The numbers of products begin with 0.
  private func numbers(_ ids: [ObjectID], _ first: ObjectID?) -> [Int] {
    ids.map { Int($0.rawValue &- (first?.rawValue ?? 0)) }
  }
}

/// Objects and requests whose values are few enough to meet each other.
private struct RandomRequests {
  var generator: SeededGenerator

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }

  private static let texts: [String] = {
    let long = String(repeating: "x", count: 399)
    return ["", "a", "ab", "abc", "b", "é", "\u{0}", "a\u{0}", "🐦", long, long + "y"]
      + ["a", "b", "ab", "\u{0}", "\u{0}b"].map { long + "y" + $0 }
  }()

  private mutating func value(_ name: String) -> PropertyValue {
    switch name {
    case "name": .string(pick(Self.texts))
    case "price":
      .double(pick([0, -0.0, 1, 1.5, 2, 3, -1, .nan, .infinity, -.infinity, 1e300]))
    case "count": .int(pick([0, 1, 2, 3, -1, Int64(Int32.max), Int64(Int32.min)]))
    case "added": .date(Date(timeIntervalSinceReferenceDate: pick([0, 1.5, -3, 1e9])))
    case "isNew": .bool(pick([true, false]))
    case "weight": .decimal(pick([0, 0.1, 1.5, 2, -2, 3, .nan]))
    case "code": .uuid(pick(Self.codes))
    case "maker": .link(ObjectID(rawValue: pick([1, 2, 3, 4, 5])))
    default: .int(pick([0, 1, 5, 30, 31, 32, 33, 500, -4]))
    }
  }

  private static let codes = ["0", "8", "F"].compactMap {
    UUID(uuidString: "\($0)0000000-0000-4000-8000-000000000001")
  }

  private static let optional = ["name", "price", "added", "weight", "code", "maker"]

  mutating func object() -> [String: PropertyValue] {
    var values: [String: PropertyValue] = [:]
    for name in Self.optional { values[name] = pick([0, 1, 2]) == 0 ? .null : value(name) }
    for name in ["count", "isNew"] { values[name] = value(name) }
    values["others"] = .list((0..<pick([0, 1, 3])).map { _ in value("maker") })
    return values
  }

  private mutating func constant(_ name: String) -> PropertyValue {
    switch (name, pick([0, 1, 2, 3, 4])) {
    case (_, 0) where Self.optional.contains(name): .null
    case ("price", 1), ("weight", 1): .int(pick([0, 1, 2, 1 << 62, (1 << 53) + 1]))
    case ("count", 1), ("number", 1): value("price")
    case ("count", 2): .decimal(pick([1, 1.5]))
    case ("price", 2): .float(pick([0, 1.5, .nan]))
    case ("weight", 2): .double(pick([0.1, 1.5, 2, -1e300, .nan, .infinity]))
    default: value(name)
    }
  }

  private static let patterns = [
    "a*", "ab*", "a?", "a?*", "*b", "b", "*", "", "a\\*", "x*y*", "xx*\u{0}?", "\u{0}*", "é*", "\\",
  ]

  /// A comparison of a property of the object that a link leads to.
  private mutating func makerLeaf() -> QueryCondition {
    let name = pick(["name", "founded"])
    let path = QueryExpression.property(QueryPath("maker", name))
    func value(_ random: inout Self) -> PropertyValue {
      if random.pick([0, 1, 2, 3, 4, 5]) == 0 { return .null }
      return name == "name"
        ? .string(random.pick(["m0", "m1", "m2", "m4", "x", ""]))
        : .int(random.pick([1896, 1897, 1898, 1900, 2000]))
    }
    switch (name, pick([0, 1, 2, 3, 4])) {
    case (_, 0): return .isIn(path, (0..<pick([1, 2, 3])).map { _ in value(&self) }, [])
    case ("founded", 1):
      return .isBetween(
        path, lower: value(&self), upper: value(&self), includesUpper: pick([true, false]))
    case ("name", 1): return .compare(path, .like, .constant(pick(["m*", "m?", "*1", "m1"])), [])
    default:
      let comparison = pick([QueryComparison.equal, .equal, .notEqual, .less, .greaterOrEqual])
      let constant = QueryExpression.constant(value(&self))
      return pick([
        .compare(path, comparison, constant, []), .compare(constant, comparison, path, []),
      ])
    }
  }

  private mutating func leaf() -> QueryCondition {
    if pick([0, 1, 2, 3, 4, 5]) == 0 { return makerLeaf() }
    let name = pick(Self.optional + ["count", "isNew", "number", "number", "others"])
    switch (name, pick([0, 1, 2, 3])) {
    case ("maker", _), ("others", _):
      let links = (0..<pick([1, 2])).map { _ in value("maker") }
      let all = [QueryPath.Quantifier.any, .any, .all, .none]
      let quantifier = name == "others" ? pick(all) : .any
      let path = QueryPath([.property(name)], quantifier)
      if links.count > 1 { return .isIn(.property(path), links, []) }
      return .compare(.property(path), pick([.equal, .equal, .notEqual]), .constant(links[0]), [])
    case ("isNew", _), ("code", _): return .test(name, pick([.equal, .notEqual]), constant(name))
    case (_, 0): return .test(name, isIn: (0..<pick([1, 2, 4])).map { _ in constant(name) })
    case (_, 1) where name != "name":
      return .isBetween(
        .property(QueryPath(name)), lower: constant(name), upper: constant(name),
        includesUpper: pick([true, false]))
    case ("name", 1): return .test(name, pick([.beginsWith, .endsWith]), value(name))
    case ("name", 2): return .test(name, .like, .string(pick(Self.patterns)))
    default:
      let comparison = pick(
        [QueryComparison.equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
      return pick([
        .test(name, comparison, constant(name)),
        .compare(.constant(constant(name)), comparison, .property(QueryPath(name)), []),
      ])
    }
  }

  private mutating func condition(_ depth: Int = 2) -> QueryCondition {
    switch pick(depth > 0 ? [0, 1, 1, 2, 3, 4, 4] : [4]) {
    case 0: .not(condition(depth - 1))
    case 1: .and((0..<pick([2, 2, 3])).map { _ in condition(depth - 1) })
    case 2: .or((0..<pick([1, 2, 3])).map { _ in condition(depth - 1) })
    default: leaf()
    }
  }

  private mutating func key() -> QuerySortKey {
    let names = ["name", "price", "count", "added", "isNew", "weight", "code", "number"]
    let path = pick(
      names.map { QueryPath($0) } + [QueryPath("maker", "founded"), QueryPath("maker", "name")])
    return QuerySortKey(path, isAscending: pick([true, false]))
  }

  mutating func stages() -> [QueryStage] {
    (0..<pick([1, 1, 2, 3, 4])).map { _ in
      switch pick([0, 0, 1, 1, 2, 3, 4]) {
      case 0: .filter(condition())
      case 1: .sort((0..<pick([1, 1, 2, 3])).map { _ in key() })
      case 2: .distinct((0..<pick([1, 2])).map { _ in key().path })
      case 3: .offset(pick([0, 1, 5, 100]))
      default: .limit(pick([0, 1, 3, 20, 1_000]))
      }
    }
  }
}

/// Requests answered over values in memory.
private struct PlainRequests {
  private let oracle: QueryOracle

  init(_ oracle: QueryOracle) {
    self.oracle = oracle
  }

  /// The objects by their numbers in the order of their IDs.
  func numbers(_ stages: [QueryStage]) -> [Int] {
    let all = (oracle.objects["Plain"] ?? [:]).keys.sorted()
    var ids = all
    for stage in stages {
      switch stage {
      case .filter(let condition): ids = ids.filter { oracle.matches(condition, "Plain", $0) }
      case .sort(let keys): ids = sort(ids, keys)
      case .distinct(let paths):
        var known: [[PropertyValue]] = []
        ids = ids.filter { id in
          let values = paths.map { value($0, id) }
          let isNew = !known.contains { zip($0, values).allSatisfy { $0.isSameElement(as: $1) } }
          if isNew { known.append(values) }
          return isNew
        }
      case .offset(let count): ids = Array(ids.dropFirst(count))
      case .limit(let count): ids = Array(ids.prefix(count))
      }
    }
    return ids.map { Int($0 - (all.first ?? 0)) }
  }

  private func value(_ path: QueryPath, _ id: UInt64) -> PropertyValue {
    oracle.values(path, "Plain", of: id).first ?? .null
  }

  private func sort(_ ids: [UInt64], _ keys: [QuerySortKey]) -> [UInt64] {
    ids.enumerated().sorted { left, right in
      for key in keys {
        let (first, second) = (value(key.path, left.element), value(key.path, right.element))
        if precedes(first, second) { return key.isAscending }
        if precedes(second, first) { return !key.isAscending }
      }
      return left.offset < right.offset
    }.map(\.element)
  }

  /// As sets are ordered, but for texts, which are by their UTF-8.
  private func precedes(_ left: PropertyValue, _ right: PropertyValue) -> Bool {
    if case .string(let left) = left, case .string(let right) = right {
      return left.utf8.lexicographicallyPrecedes(right.utf8)
    }
    return left.precedes(right)
  }
}
