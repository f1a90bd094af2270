import Foundation
import WhimbrelEngine
import WhimbrelTestSupport

/// Objects and conditions of all kinds, whose values are few enough to meet each other.
struct RandomConditions {
  var generator: SeededGenerator

  /// The types of single values, by the names of the properties; `o` in front says that the
  /// property may be nil.
  static let types: [(name: String, type: PropertyType)] = [
    ("bool", .bool), ("int8", .int8), ("int16", .int16), ("int32", .int32), ("int", .int),
    ("uint8", .uint8), ("uint16", .uint16), ("uint32", .uint32), ("float", .float),
    ("double", .double), ("string", .string), ("data", .data), ("date", .date), ("uuid", .uuid),
    ("decimal", .decimal), ("objectId", .objectId), ("any", .any),
  ]

  static let schema = ClassSchema(
    name: "Item",
    properties: types.map { .required($0.name, $0.type) }
      + types.dropLast().map { .optional("o" + $0.name, $0.type) } + [
        .link("one", to: "Item"), .list("many", .link(to: "Item")),
        .map("named", .link(to: "Item")), .list("ints", .int),
        .list("strings", .string, isOptional: true),
        .set("doubles", .double), .map("texts", .string, isOptional: true),
        .map("anys", .any), .list("decimals", .decimal),
      ])

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }

  private static let texts = [
    "", "a", "A", "ab", "AB", "ß", "SS", "ss", "Å", "A\u{30A}", "å", "é", "e", "İ", "i", "ı",
    "🐦", "a*b", "a?b", "a\\b", String(repeating: "länge", count: 300), "\u{0}", "Σ", "ς", "ſ",
    "\u{FFFD}", "ﬀ", "ff", "zebra",
  ]

  mutating func value(_ type: PropertyType) -> PropertyValue {
    switch type {
    case .bool: .bool(pick([true, false]))
    case .float: .float(pick([0, -0.0, 1.5, 2, 3, .nan, .infinity, -2]))
    case .double: .double(pick([0, -0.0, 0.1, 1.5, 2, 3, .nan, .infinity, -.infinity, -2, 0x1p63]))
    case .string: .string(pick(Self.texts))
    case .data: .data(Data(pick(["", "a", "ab", "b", "abc"]).utf8))
    case .date: .date(Date(timeIntervalSinceReferenceDate: pick([0, 1.5, -3, 1e9])))
    case .uuid:
      .uuid(
        UUID(uuidString: "0\(pick([1, 8, 9]))000000-0000-4000-8000-00000000000\(pick([1, 2]))")
          ?? UUID())
    case .decimal: .decimal(pick([0, 0.1, 1.5, 2, -2, 3, .nan, Decimal(string: "1e40") ?? 0]))
    case .objectId: .objectId(ObjectId(high: pick([0, 1, 1 << 63]), low: pick([0, 1])))
    case .any: anyValue()
    default: .int(pick([0, 1, 2, 3, 100]))
    }
  }

  private mutating func anyValue() -> PropertyValue {
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: .null
    case 1: .list([value(.int), value(.string)])
    case 2: .map(["a": value(.string), "b": value(.double)])
    case 3: .object(ObjectReference(classID: ClassID(rawValue: 1), id: objectID()))
    default: value(pick(Self.types.dropLast()).type)
    }
  }

  private static let objectCount: UInt64 = 24

  private mutating func objectID() -> ObjectID {
    ObjectID(rawValue: UInt64.random(in: 1...Self.objectCount, using: &generator))
  }

  /// Fills a new store: all objects first, and then what they lead to.
  mutating func fill(_ session: Session) throws {
    for _ in 0..<Self.objectCount {
      var values: [String: PropertyValue] = [:]
      for (name, type) in Self.types where type != .any {
        values[name] = value(type)
        values["o" + name] = pick([true, false]) ? .null : value(type)
      }
      values["ints"] = .list((0..<pick([0, 1, 3])).map { _ in value(.int) })
      values["decimals"] = .list((0..<pick([0, 2])).map { _ in .decimal(pick([1, 2, -1, 0.5])) })
      values["strings"] = .list((0..<pick([0, 2, 80])).map { _ in pick([.null, value(.string)]) })
      values["doubles"] = .list([.double(pick([0, 1.5])), .double(pick([2, 3]))])
      values["texts"] = .map([
        "a": pick([.null, value(.string)]), pick(["b", "c"]): value(.string),
      ])
      try session.create("Item", values)
    }
    let table = try session.table("Item")
    for id in try table.objectIDs() {
      try table.update(id) { encoder in
        func set(_ name: String, _ value: PropertyValue) throws {
          try encoder.set(try table.resolved.requiredPosition(of: name), value)
        }
        try set("any", anyValue())
        try set("anys", .map(["a": anyValue(), "b": anyValue()]))
        try set("one", pick([.null, .link(objectID()), .link(objectID())]))
        try set("many", .list((0..<pick([0, 1, 3])).map { _ in .link(objectID()) }))
        try set("named", .map(pick([[:], ["a": .link(objectID())], ["b": .link(objectID())]])))
      }
    }
  }
}

// MARK: - Conditions

extension RandomConditions {
  mutating func condition(depth: Int = 2) -> QueryCondition {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &generator) {
    case 6: .and([condition(depth: depth - 1), condition(depth: depth - 1)])
    case 7: .or([condition(depth: depth - 1), condition(depth: depth - 1)])
    case 8: .not(condition(depth: depth - 1))
    case 9:
      .compare(
        .matches(objects(), condition(depth: depth - 1)), .greaterOrEqual,
        .constant(.int(pick([0, 1, 2]))), [])
    default: leaf()
    }
  }

  /// A path to objects, in which there may be several.
  private mutating func objects() -> QueryPath {
    var path = QueryPath([], pick([QueryPath.Quantifier.any, .any, .all, .none]))
    for _ in 0..<pick([0, 0, 0, 1, 1, 2]) {
      path.steps += pick([
        [QueryPath.Step.property("one")], [.property("one")], [.property("many")],
        [.property("named")],
        [.property("named"), .name("a")], [.inverse(class: "Item", property: "one")],
        [.inverse(class: "Item", property: "many")],
      ])
    }
    return path
  }

  /// A path to values, and their type.
  private mutating func values() -> (path: QueryPath, type: PropertyType) {
    var path = objects()
    var (name, type) = pick(Self.types)
    if type != .any, pick([true, false]) { name = "o" + name }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: (name, type) = ("ints", .int)
    case 1: (name, type) = ("strings", .string)
    case 2: (name, type) = ("doubles", .double)
    case 3: (name, type) = ("texts", .string)
    case 4: (name, type) = ("anys", .any)
    case 5: (name, type) = ("decimals", .decimal)
    default: break
    }
    path.steps.append(.property(name))
    if name == "texts" || name == "anys" {
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: path.steps.append(.name(pick(["a", "b"])))
      case 1:
        path.steps.append(.names)
        type = .string
      default: break
      }
    } else if name == "any" {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: path.steps.append(.name("a"))
      case 1:
        path.steps.append(.names)
        type = .string
      default: break
      }
    }
    return (path, type)
  }

  private mutating func leaf() -> QueryCondition {
    let options: TextOptions
    let (path, type) = values()
    if type == .string || type == .any {
      options = pick([
        [], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
      ])
    } else {
      options = []
    }
    let left = pick([QueryExpression.property(path), .property(path), expression(path, type)])
    let isNumber = left != .property(path)
    let other = isNumber ? constant(.int) : constant(type)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0:
      return .isIn(
        left, (0..<3).map { _ in isNumber ? constant(.int) : constant(type) },
        isNumber ? [] : options)
    case 1:
      return .isBetween(
        left, lower: other, upper: isNumber ? constant(.int) : constant(type),
        includesUpper: pick([true, false]))
    case 2 where path.steps.count == 1:
      let single = QueryExpression.property(
        QueryPath(pick(["", "o"]) + name(of: isNumber ? .int : type)))
      return .compare(left, pick([.equal, .notEqual, .less, .greaterOrEqual]), single, [])
    case 3 where !isNumber && (type == .string || type == .any):
      let text = PropertyValue.string(
        pick(["*", "?", "a*", "*b", "?b", "a\\*b", "*ä*", "\\", "A?", "**s*", ""]))
      return .compare(left, .like, .constant(text), options)
    case 4 where !isNumber && (type == .string || type == .data):
      return .compare(left, pick([.contains, .beginsWith, .endsWith]), .constant(other), options)
    case 5:
      return .compare(
        .constant(other), pick([.equal, .less, .greaterOrEqual]), left, isNumber ? [] : options)
    default:
      let comparison = pick(
        [QueryComparison.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
      return .compare(left, comparison, .constant(other), isNumber ? [] : options)
    }
  }

  /// The name of a required property of a type, without `any`.
  private mutating func name(of type: PropertyType) -> String {
    Self.types.first { $0.type == type && type != .any }?.name ?? "int"
  }

  private mutating func constant(_ type: PropertyType) -> PropertyValue {
    if generator.once(in: 8) { return .null }
    let numbers: [PropertyType] = [.int, .double, .float, .decimal]
    return numbers.contains(type) || type.isInteger ? value(pick(numbers)) : value(type)
  }

  /// A number worked out of a path.
  private mutating func expression(_ path: QueryPath, _ type: PropertyType) -> QueryExpression {
    guard numbers.contains(type) else { return .count(path) }
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: return .count(path)
    case 1: return .aggregate(pick(QueryAggregate.allCases), path)
    default:
      return .arithmetic(.property(path), pick(QueryArithmetic.allCases), .constant(constant(type)))
    }
  }

  private var numbers: [PropertyType] {
    [.int, .int8, .int16, .int32, .uint8, .uint16, .uint32, .float, .double, .decimal]
  }
}
