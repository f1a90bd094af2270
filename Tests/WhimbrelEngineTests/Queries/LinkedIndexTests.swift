import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Conditions on what a link leads to, found by indexes of both classes.
struct LinkedIndexTests {
  /// Owners and dogs. Nothing finds owners by their `plain` properties, whose values are the same.
  private static let classes = [
    ClassSchema("Town", .indexed("name", .string), .required("plainName", .string)),
    ClassSchema(
      "Owner", .indexed("email", .string), .required("plainEmail", .string),
      PropertySchema(name: "age", type: .int, isOptional: true, isIndexed: true),
      .optional("plainAge", .int), .link("town", to: "Town")),
    ClassSchema("Dog", .indexed("size", .int), .link("owner", to: "Owner")),
  ]

  /// A store whose dog number *n* belongs to owner `n % owners`, and every tenth to nobody.
  private func makeStore(dogs: Int, owners: Int) throws -> TestStore {
    try TestStore(Self.classes) { session in
      let towns = try (0..<5).map { number in
        let name = PropertyValue.string("t\(number)")
        return try session.create("Town", ["name": name, "plainName": name])
      }
      let people = try (0..<owners).map { number in
        let email = PropertyValue.string("o\(number)@b.c")
        let age: PropertyValue = number % 3 == 0 ? .null : .int(Int64(number))
        return try session.create(
          "Owner",
          [
            "email": email, "plainEmail": email, "age": age, "plainAge": age,
            "town": number % 4 == 0 ? .null : .link(towns[number % 5]),
          ])
      }
      for number in 0..<dogs {
        let isStray = number % 10 == 9 || people.isEmpty
        try session.create(
          "Dog",
          [
            "size": .int(Int64(number)),
            "owner": isStray ? .null : .link(people[number % owners]),
          ])
      }
    }
  }

  private func query(_ session: Session, _ condition: QueryCondition) throws -> BoundQuery {
    try BoundQuery(QueryRequest("Dog", [.filter(condition)]), in: session)
  }

  private func test(
    _ path: String, _ comparison: QueryComparison, _ value: PropertyValue
  ) -> QueryCondition {
    .compare(Self.property(path), comparison, .constant(value), [])
  }

  private static func property(_ path: String) -> QueryExpression {
    .property(QueryPath(path.split(separator: ".").map { .property(String($0)) }))
  }

  @Test func `the dogs of an owner are found by the owner's email`() throws {
    let session = try makeStore(dogs: 40, owners: 20).session()
    let query = try query(session, test("owner.email", .equal, "o7@b.c"))
    // Numbers 7 and 27, whose IDs begin with 1.
    #expect(try query.objectIDs().map(\.rawValue) == [8, 28])
    #expect(try query.first()?.rawValue == 8)
    #expect(try query.count() == 2)
    #expect(
      try query.explanation().description == """
        Dog: 2 of 40 objects
        - index Owner.email: email == 'o7@b.c'
        - index Dog.owner: owner leads to 1 object of 'Owner'
        - read: 3 index entries, no records
        """)
  }

  @Test func `nothing is read behind an index that finds no target`() throws {
    let session = try makeStore(dogs: 40, owners: 20).session()
    let query = try query(session, test("owner.email", .equal, "nobody"))
    #expect(try query.objectIDs().isEmpty)
    #expect(try query.count() == 0)
    #expect(
      try query.explanation().description == """
        Dog: 0 of 40 objects
        - index Owner.email: email == 'nobody'
        - read: no index entries, no records
        """)
  }

  @Test func `a path of two links takes the indexes of three classes`() throws {
    let session = try makeStore(dogs: 40, owners: 20).session()
    let query = try query(session, test("owner.town.name", .equal, "t1"))
    #expect(
      try query.explanation().description == """
        Dog: 6 of 40 objects
        - index Town.name: name == 't1'
        - index Owner.town: town leads to 1 object of 'Town'
        - index Dog.owner: owner leads to one of 3 objects of 'Owner'
        - read: 10 index entries, no records
        """)
  }

  @Test func `the index of the class and that of the link are intersected`() throws {
    let session = try makeStore(dogs: 200, owners: 20).session()
    let condition = QueryCondition.and([
      test("size", .less, 30), test("owner.email", .equal, "o7@b.c"),
    ])
    let query = try query(session, condition)
    #expect(try query.objectIDs().map(\.rawValue) == [8, 28])
    #expect(
      try query.explanation().indexes.map(\.description) == [
        "index Owner.email: email == 'o7@b.c'",
        "index Dog.owner: owner leads to 1 object of 'Owner'", "index Dog.size: size < 30",
      ])
  }

  @Test func `all dogs are gone through where many owners meet the condition`() throws {
    let session = try makeStore(dogs: 1_000, owners: 500).session()
    let many = try query(session, test("owner.email", .beginsWith, "o"))
    #expect(try many.explanation().isScan)
    #expect(try many.count() == 900)
    let few = try query(session, test("owner.email", .beginsWith, "o49"))
    #expect(try !few.explanation().isScan)
    #expect(try few.count() == 18)
  }

  @Test func `a dog that changes hands is found by the new owner`() throws {
    let store = try makeStore(dogs: 20, owners: 5)
    let session = try store.session()
    let dogs = try session.table("Dog")
    let query = try query(session, test("owner.email", .equal, "o1@b.c"))
    #expect(try query.objectIDs().map(\.rawValue) == [2, 7, 12, 17])
    try session.write {
      let position = try dogs.resolved.requiredPosition(of: "owner")
      let owners: [(UInt64, PropertyValue)] = [
        (2, .link(ObjectID(rawValue: 3))), (7, .null), (10, .link(ObjectID(rawValue: 2))),
      ]
      for (dog, owner) in owners {
        try dogs.update(ObjectID(rawValue: dog)) { try $0.set(position, owner) }
      }
      #expect(try query.objectIDs().map(\.rawValue) == [10, 12, 17])
      try session.table("Owner").remove(ObjectID(rawValue: 2))
      #expect(try query.objectIDs().isEmpty)
    }
    #expect(try query.objectIDs().isEmpty)
  }

  @Test func `what does not fit behind a link is still an error`() throws {
    let session = try makeStore(dogs: 1, owners: 1).session()
    for condition in [
      test("owner.nmae", .equal, "x"), test("owner.email", .equal, 1),
      test("owner.age.x", .less, 1),
    ] {
      #expect(throws: StoreError.self) { try query(session, condition) }
    }
  }

  @Test(arguments: 0..<TestRun.count(5, long: 40) as Range<UInt64>)
  func `answers are the same with and without the index of the target`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let owners = [0, 1, 7, 60][Int.random(in: 0..<4, using: &random)]
    let session = try makeStore(dogs: Int.random(in: 1...300, using: &random), owners: owners)
      .session()
    let oracle = try QueryOracle(session)
    for _ in 0..<80 {
      let seed = random.next()
      var (first, second) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed))
      let indexed = condition(using: &first, isIndexed: true)
      let plain = condition(using: &second, isIndexed: false)
      let expected = oracle.objectIDs("Dog", matching: plain)
      let query = try query(session, indexed)
      #expect(try query.objectIDs() == expected, "\(indexed)")
      #expect(try query.count() == expected.count, "\(indexed)")
      #expect(try query.first() == expected.first, "\(indexed)")
      #expect(try self.query(session, plain).objectIDs() == expected, "\(plain)")
    }
  }

  private func condition(
    using random: inout SeededGenerator, isIndexed: Bool, depth: Int = 1
  ) -> QueryCondition {
    func name(_ name: String) -> String {
      isIndexed ? name : "plain\(name.prefix(1).uppercased())\(name.dropFirst())"
    }
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    if depth > 0 {
      switch number(0...5) {
      case 0...1:
        return .and((0..<2).map { _ in condition(using: &random, isIndexed: isIndexed, depth: 0) })
      case 2:
        return .or((0..<2).map { _ in condition(using: &random, isIndexed: isIndexed, depth: 0) })
      case 3: return .not(condition(using: &random, isIndexed: isIndexed, depth: 0))
      default: break
      }
    }
    let orders: [QueryComparison] = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]
    let comparison = orders[number(0...5)]
    switch number(0...5) {
    case 0: return test("size", comparison, .int(Int64(number(0...300))))
    case 1:
      let value: PropertyValue = number(0...5) == 0 ? .null : .string("t\(number(0...5))")
      return test("owner.town.\(name("name"))", comparison, value)
    case 2:
      let values = (0..<number(0...3)).map { _ -> PropertyValue in
        number(0...5) == 0 ? .null : .int(Int64(number(0...60)))
      }
      return .isIn(Self.property("owner.\(name("age"))"), values, [])
    case 3:
      return .isBetween(
        Self.property("owner.\(name("age"))"), lower: .int(Int64(number(0...60))),
        upper: .int(Int64(number(0...60))), includesUpper: number(0...1) == 0)
    case 4:
      let pattern = ["o1*", "o?@b.c", "*3@b.c", "o2?@*", "o5@b.c"][number(0...4)]
      return test("owner.\(name("email"))", .like, .string(pattern))
    default:
      let value: PropertyValue = number(0...5) == 0 ? .null : .string("o\(number(0...70))@b.c")
      return test("owner.\(name("email"))", comparison, value)
    }
  }
}
