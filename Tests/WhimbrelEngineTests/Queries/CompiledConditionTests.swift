import Foundation
import Testing
import WhimbrelLMDB
import WhimbrelTestSupport

@testable import WhimbrelEngine

/// A compiled condition gives what the general evaluation of the same condition gives.
struct CompiledConditionTests {
  @Test(arguments: 0..<TestRun.count(6, long: 40) as Range<UInt64>)
  func `compiled comparisons agree with the general ones`(seed: UInt64) throws {
    var random = ComparedObjects(generator: SeededGenerator(seed: seed))
    let store = try TestStore([ComparedObjects.schema()]) { try random.fill($0, "Item", 40) }
    try expectAgreement(store, &random, "seed \(seed)")
  }

  @Test(arguments: 0..<TestRun.count(3, long: 20) as Range<UInt64>)
  func `they agree on records of an old layout`(seed: UInt64) throws {
    var random = ComparedObjects(generator: SeededGenerator(seed: seed))
    let store = try TestStore([ComparedObjects.oldSchema]) { session in
      try random.fill(session, "Item", 30)
    }
    try store.open([ComparedObjects.schema()], version: 2)
    try store.write { try random.fill($0, "Item", 20) }
    let layouts = try store.session().table("Item").resolved.layouts.compactMap(\.self)
    #expect(layouts.count > 1)
    try expectAgreement(store, &random, "seed \(seed)")
  }

  @Test func `they agree on records with wide slots`() throws {
    var random = ComparedObjects(generator: SeededGenerator(seed: 1))
    let store = try TestStore([ComparedObjects.schema(isWide: true)]) { session in
      try random.fill(session, "Item", 30)
    }
    let resolved = try store.session().table("Item").resolved
    #expect(!resolved.written.layout.isCompact)
    try expectAgreement(store, &random, "wide")
  }

  @Test(.mustEnd) func `a condition that is nested deeply finds the right objects`() async {
    let count = await withCheckedContinuation { (continuation: CheckedContinuation<Int?, Never>) in
      let thread = Thread { continuation.resume(returning: try? Self.countOfNested(levels: 1_000)) }
      // A debug build takes some kilobytes of the stack for each level.
      thread.stackSize = 1 << 26
      thread.start()
    }
    #expect(count == 2)
  }

  /// Counts the numbers that satisfy alternating disjunctions and conjunctions.
  private static func countOfNested(levels: Int) throws -> Int {
    let number = ClassSchema("Number", .required("a", .int))
    let store = try TestStore([number]) { session in
      for a in 0..<3 { _ = try session.create("Number", ["a": .int(Int64(a))]) }
    }
    let a = QueryExpression.property(QueryPath("a"))
    var condition = QueryCondition.compare(a, .greater, .constant(0), [])
    for level in 1...levels {
      let other = QueryExpression.constant(.int(Int64(-level)))
      condition =
        level % 2 == 0
        ? .and([condition, .compare(a, .notEqual, other, [])])
        : .or([condition, .compare(a, .equal, other, [])])
    }
    let request = QueryRequest("Number", [.filter(condition)])
    let session = try store.session()
    return try withExtendedLifetime(session) { try BoundQuery(request, in: session).count() }
  }

  private func expectAgreement(
    _ store: TestStore, _ random: inout ComparedObjects, _ name: String
  ) throws {
    let session = try store.session()
    let table = try session.table("Item")
    let source = QuerySource(session)
    for _ in 0..<150 {
      let condition = random.condition()
      let test = try BoundTest(condition, in: table)
      let bound = try BoundCondition(condition, in: table)
      var (expected, found): ([ObjectID], [ObjectID]) = ([], [])
      for id in try table.objectIDs() {
        let record = try #require(try table.record(id))
        if try test.matchesGenerally(id, record, source) { expected.append(id) }
        if try bound.matches(record, id) { found.append(id) }
      }
      #expect(found == expected, "\(name): \(condition)")
      #expect(try table.objectIDs(matching: bound) == expected, "\(name): \(condition)")
      if found != expected { return }
    }
  }

  @Test(
    arguments: [
      ("int", "int32"), ("oint", "ouint8"), ("int", "double"), ("ofloat", "int16"),
      ("double", "float"), ("date", "odate"), ("string", "ostring"), ("uuid", "ouuid"),
      ("objectId", "oobjectId"), ("decimal", "odecimal"), ("bool", "obool"), ("one", "two"),
    ])
  func `two properties are compared by one instruction`(left: String, right: String) throws {
    let kinds = try instructions(
      .compare(.property(QueryPath(left)), .equal, .property(QueryPath(right)), []))
    #expect(kinds.contains(.pair))
    #expect(!kinds.contains(.leaf))
  }

  @Test func `constants of 12 and more bytes are compared in place`() throws {
    let id = ObjectId(high: 1, low: 2)
    let constants: [(String, PropertyValue, ConditionProgram.Instruction.Kind)] = [
      ("uuid", .uuid(UUID()), .bytes), ("oobjectId", .objectId(id), .bytes),
      ("decimal", .decimal(1.5), .decimal), ("odecimal", .int(3), .decimal),
      ("decimal", .double(0.1), .decimal),
    ]
    for (name, value, kind) in constants {
      for comparison in [QueryComparison.equal, .notEqual, .less, .greaterOrEqual] {
        #expect(try instructions(.test(name, comparison, value)) == [kind])
      }
      #expect(try instructions(.test(name, isIn: [value, value])) == [kind, kind])
      let range = QueryCondition.isBetween(
        .property(QueryPath(name)), lower: value, upper: value, includesUpper: true)
      #expect(try instructions(range) == [kind, kind])
    }
  }

  private func instructions(
    _ condition: QueryCondition
  ) throws -> [ConditionProgram.Instruction.Kind] {
    let store = try TestStore([ComparedObjects.schema()])
    let table = try store.session().table("Item")
    var compiler = ConditionCompiler(table.resolved.written, table)
    _ = compiler.compile(
      try BoundTest(condition, in: table), ifMet: ConditionProgram.met,
      ifNot: ConditionProgram.notMet)
    return compiler.instructions.map(\.kind)
  }
}

extension BoundTest {
  /// Evaluates the condition without compiling it.
  fileprivate func matchesGenerally(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws -> Bool {
    switch self {
    case .always(let isMet): isMet
    case .and(let parts): try parts.allSatisfy { try $0.matchesGenerally(id, record, source) }
    case .or(let parts): try parts.contains { try $0.matchesGenerally(id, record, source) }
    case .not(let part): try !part.matchesGenerally(id, record, source)
    case .leaf(let leaf): try leaf.matches(id, record, source)
    }
  }
}

/// Objects and conditions for comparisons, with the extremes of each type among the values.
private struct ComparedObjects {
  var generator: SeededGenerator

  private static let numbers: [PropertyType] = [
    .int8, .int16, .int32, .int, .uint8, .uint16, .uint32, .float, .double, .decimal,
  ]
  private static let others: [PropertyType] = [.bool, .date, .string, .uuid, .objectId]

  /// A property of each type that has a value, and an optional one: `int` and `oint`.
  ///
  /// - Parameter isWide: whether there are so many properties that slots are wide.
  static func schema(isWide: Bool = false) -> ClassSchema {
    let fill = isWide ? (0..<700).map { PropertySchema.optional("fill\($0)", .decimal) } : []
    return ClassSchema(
      name: "Item",
      properties: (numbers + others).flatMap { type -> [PropertySchema] in
        let value = type == .string ? PropertyValue.string("none") : defaultValue(type)
        return [.required("\(type)", type, default: value), .optional("o\(type)", type)]
      } + [.link("one", to: "Item"), .link("two", to: "Item")] + fill)
  }

  private static func defaultValue(_ type: PropertyType) -> PropertyValue {
    switch type {
    case .bool: false
    case .float: .float(1.5)
    case .double: .double(1.5)
    case .decimal: .decimal(1.5)
    case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
    case .uuid: .uuid(UUID(uuid: (8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
    case .objectId: .objectId(ObjectId(high: 1, low: 0))
    default: .int(1)
    }
  }

  /// The class with narrower numbers, properties that are missing, and some that may be nil.
  static var oldSchema: ClassSchema {
    let missing = ["odate", "int8", "ouuid", "decimal"]
    let properties = schema().properties.compactMap { property -> PropertySchema? in
      switch property.name {
      case let name where missing.contains(name): nil
      case "int": .required("int", .int16)
      case "oint32": .optional("oint32", .int8)
      case "double": .required("double", .float)
      case "odouble": .optional("odouble", .int32)
      case "string", "uuid", "int16", "date", "objectId": .optional(property.name, property.type)
      default: property
      }
    }
    return ClassSchema(name: "Item", properties: properties)
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }

  private static let long = String(repeating: "länge", count: 300)

  mutating func value(_ type: PropertyType) -> PropertyValue {
    switch type {
    case .bool: .bool(pick([true, false]))
    case .float:
      .float(pick([0, -0.0, 1, 1.5, 2, .nan, .infinity, -.greatestFiniteMagnitude, 16_777_216]))
    case .double:
      .double(
        pick([
          0, -0.0, 0.1, 1, 1.5, .nan, .infinity, -.infinity, 0x1p63, 0x1p53, -0x1p63, 127, 1e300,
          .leastNonzeroMagnitude,
        ]))
    case .string:
      .string(pick(["", "a", "ab", "Å", "A\u{30A}", "\u{0}", Self.long, Self.long + "a"]))
    case .date: .date(Date(timeIntervalSinceReferenceDate: pick([0, 1.5, -3, 1e9, .nan])))
    case .uuid:
      .uuid(
        UUID(uuid: (pick([0, 8, 255]), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, pick([1, 129]))))
    case .decimal:
      .decimal(
        generator.once(in: 4) ? RandomValues.decimal(using: &generator) : decimal())
    case .objectId: .objectId(ObjectId(high: pick([0, 1, 1 << 63]), low: pick([0, 1, .max])))
    default: .int(integer(type))
    }
  }

  private mutating func decimal() -> Decimal {
    let texts = [
      "0", "0.1", "1", "1.0", "1.5", "-1.5", "-2", "127", "1e40", "-1e40", "1e-120", "1e120",
      "18446744073709551615", "18446744073709551616", "12345678901234567890123456789012345678",
      "1.2345678901234567890123456789012345678", "18446744073709551615e3",
      "100000000000000000000000000000000000001",
    ]
    return generator.once(in: 8) ? .nan : Decimal(string: pick(texts)) ?? 0
  }

  private mutating func integer(_ type: PropertyType) -> Int64 {
    let bounds = type.integerBounds ?? 0...0
    let numbers: [Int64] = [
      0, 1, 2, -1, 100, 127, 1 << 53, (1 << 53) + 1, .min, .max, Int64(Int32.min),
      Int64(Int32.max), Int64(Int32.min) + 65_535, Int64(Int32.min) + 65_536,
    ]
    return pick(numbers.filter(bounds.contains) + [bounds.lowerBound, bounds.upperBound])
  }

  mutating func fill(_ session: Session, _ className: String, _ count: Int) throws {
    let table = try session.table(className)
    var ids: [ObjectID] = []
    for _ in 0..<count {
      var values: [String: PropertyValue] = [:]
      for property in table.resolved.properties where !property.name.hasPrefix("fill") {
        let isNil = property.isOptional && generator.once(in: 3)
        values[property.name] = isNil ? .null : value(property.type)
        if property.type.linkTarget != nil {
          values[property.name] = ids.isEmpty || isNil ? .null : .link(pick(Array(ids.prefix(4))))
        }
      }
      ids.append(try session.create(className, values))
    }
  }
}

// MARK: - Conditions

extension ComparedObjects {
  mutating func condition(depth: Int = 1) -> QueryCondition {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &generator) {
    case 3: .not(condition(depth: depth - 1))
    case 4: .and([condition(depth: depth - 1), condition(depth: depth - 1)])
    case 5: .or([condition(depth: depth - 1), condition(depth: depth - 1)])
    case 0, 1: pair()
    default: constant()
    }
  }

  private static let orders: [QueryComparison] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]

  private mutating func name(_ type: PropertyType) -> QueryExpression {
    .property(QueryPath(pick(["", "o"]) + "\(type)"))
  }

  /// A comparison of two properties.
  private mutating func pair() -> QueryCondition {
    if generator.once(in: 8) {
      return .compare(
        .property(QueryPath("one")), pick([.equal, .notEqual]), .property(QueryPath("two")), [])
    }
    if Bool.random(using: &generator) {
      return .compare(
        name(pick(Self.numbers)), pick(Self.orders), name(pick(Self.numbers)), [])
    }
    let type = pick(Self.others)
    let texts: [QueryComparison] = type == .string ? [.contains, .beginsWith, .like] : []
    let options: TextOptions = type == .string ? pick([[], [], .caseInsensitive]) : []
    return .compare(name(type), pick(Self.orders + texts), name(type), options)
  }

  /// A comparison with constants.
  private mutating func constant() -> QueryCondition {
    let type = pick(Self.others + [.decimal, .decimal, .uuid, .objectId])
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      return .isIn(name(type), (0..<pick([1, 3, 12])).map { _ in other(type) }, [])
    case 1:
      return .isBetween(
        name(type), lower: other(type), upper: other(type), includesUpper: pick([true, false]))
    default:
      return .compare(name(type), pick(Self.orders), .constant(other(type)), [])
    }
  }

  private mutating func other(_ type: PropertyType) -> PropertyValue {
    if generator.once(in: 10) { return .null }
    return value(type == .decimal ? pick([.decimal, .decimal, .int, .double, .float]) : type)
  }
}
