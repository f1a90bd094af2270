internal import Foundation
internal import WhimbrelEngine

/// The stores that inputs damage, the same in every process.
enum FuzzStore {
  static let identity = StoreIdentity(
    uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
    date: Date(timeIntervalSinceReferenceDate: 788_918_400))

  /// Makes a store of classes at a path, or migrates the store there, and fills it.
  static func make(
    at path: String, _ classes: [ClassSchema], version: SchemaVersion = 1,
    _ fill: (Session) throws -> Void = { _ in }
  ) throws {
    var request = OpenRequest(path: path)
    request.declaration = Declaration(StoreSchema(classes: classes))
    request.schemaVersion = version
    request.identity = identity
    let session = try Session(StoreFile.open(request))
    try session.write { try fill(session) }
    session.close()
  }

  /// Returns the bytes of a store.
  static func bytes(
    of classes: [ClassSchema], _ fill: (Session) throws -> Void = { _ in }
  ) throws -> [UInt8] {
    let folder = try FuzzFolder()
    let path = folder.path("a.whimbrel")
    try make(at: path, classes, fill)
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  }
}

/// A store with a property of every type, in every position: alone, optional, indexed, in
/// collections, as a key, and converted from an older layout.
enum EveryKind {
  static let scalars: [(name: String, type: PropertyType)] = [
    ("bool", .bool), ("int8", .int8), ("int16", .int16), ("int32", .int32), ("int", .int),
    ("uint8", .uint8), ("uint16", .uint16), ("uint32", .uint32), ("float", .float),
    ("double", .double), ("string", .string), ("data", .data), ("date", .date), ("uuid", .uuid),
    ("decimal", .decimal), ("objectId", .objectId),
  ]

  static let other = ClassSchema(
    name: "Other",
    properties: [
      PropertySchema(name: "key", type: .int, isPrimaryKey: true),
      PropertySchema(name: "note", type: .string, isOptional: true, isIndexed: true),
    ])

  static let part = ClassSchema(
    name: "Part", isEmbedded: true,
    properties: [
      PropertySchema(name: "number", type: .int),
      PropertySchema(name: "next", type: .link(to: "Part")),
    ])

  static let thing = ClassSchema(
    name: "Thing",
    properties: [PropertySchema(name: "name", type: .string, isPrimaryKey: true)]
      + scalars.map {
        PropertySchema(
          name: $0.name, type: $0.type, isOptional: true, isIndexed: $0.type.canBeIndexed)
      }
      + [
        PropertySchema(name: "any", type: .any),
        PropertySchema(name: "link", type: .link(to: "Other")),
        PropertySchema(name: "part", type: .link(to: "Part")),
        PropertySchema(name: "parts", type: .list(of: ElementType(.link(to: "Part")))),
        PropertySchema(name: "links", type: .list(of: ElementType(.link(to: "Other")))),
        PropertySchema(name: "linkSet", type: .set(of: ElementType(.link(to: "Other")))),
        PropertySchema(name: "linkMap", type: .map(of: ElementType(.link(to: "Other")))),
        PropertySchema(name: "numbers", type: .list(of: ElementType(.int))),
        PropertySchema(name: "bytes", type: .list(of: ElementType(.uint8))),
        PropertySchema(name: "texts", type: .list(of: ElementType(.string, isOptional: true))),
        PropertySchema(name: "anys", type: .list(of: ElementType(.any))),
        PropertySchema(name: "numberSet", type: .set(of: ElementType(.int))),
        PropertySchema(name: "textSet", type: .set(of: ElementType(.string))),
        PropertySchema(name: "dates", type: .set(of: ElementType(.date, isOptional: true))),
        PropertySchema(name: "doubles", type: .map(of: ElementType(.double))),
        PropertySchema(name: "decimals", type: .map(of: ElementType(.decimal, isOptional: true))),
        PropertySchema(name: "anyMap", type: .map(of: ElementType(.any))),
      ],
    indexes: [
      IndexSchema(["int8", "string"]), IndexSchema(["uuid", "int"], .unique),
      IndexSchema(["string"], .fullText),
    ])

  /// The first form of the class whose records are converted when they are read.
  static let early = ClassSchema(
    name: "Early",
    properties: [
      PropertySchema(name: "a", type: .int8),
      PropertySchema(name: "b", type: .int, isOptional: true),
      PropertySchema(name: "c", type: .float),
      PropertySchema(name: "d", type: .string, isOptional: true),
      PropertySchema(name: "e", type: .int16),
    ])
  /// Its last form, which needs no rewrite.
  static let late = ClassSchema(
    name: "Early",
    properties: [
      PropertySchema(name: "a", type: .int),
      PropertySchema(name: "b", type: .int, defaultValue: .value(7)),
      PropertySchema(name: "c", type: .double), PropertySchema(name: "e", type: .string),
      PropertySchema(name: "f", type: .string, defaultValue: .value("new")),
      PropertySchema(name: "g", type: .list(of: ElementType(.int))),
    ])

  /// Makes a store at a path.
  ///
  /// - Parameter count: the number of things.
  static func make(at path: String, count: Int) throws {
    try FuzzStore.make(at: path, [early]) { session in
      let table = try session.table("Early")
      for number in 0..<3 {
        _ = try table.create(
          ["a": .int(Int64(number)), "b": number == 0 ? .null : 5, "c": .float(0.5), "e": 9],
          replacing: false)
      }
    }
    try FuzzStore.make(at: path, [other, part, thing, late], version: 2) { session in
      try fill(session, count: count)
    }
  }

  static func bytes(count: Int) throws -> [UInt8] {
    let folder = try FuzzFolder()
    let path = folder.path("a.whimbrel")
    try make(at: path, count: count)
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  private static func fill(_ session: Session, count: Int) throws {
    let (others, parts, things) = (
      try session.table("Other"), try session.table("Part"), try session.table("Thing")
    )
    session.checksOwners = false
    let ids = try (0..<count).map {
      try others.create(
        ["key": .int(Int64($0) - 2), "note": .string("note \($0 % 3)")], replacing: false)
    }
    for number in 0..<count {
      let part = try parts.create(["number": .int(Int64(number))], replacing: false)
      let owned = try parts.create(["number": 100], replacing: false)
      _ = try things.create(
        values(
          number, ids, others.resolved.id, part: part, owned: owned, isLong: number == 1),
        replacing: false)
    }
    _ = try session.table("Early").create(
      ["a": 300, "c": .double(1.5), "e": "text", "g": [1, 2]], replacing: false)
  }

  private static func values(
    _ number: Int, _ ids: [ObjectID], _ classID: ClassID, part: ObjectID, owned: ObjectID,
    isLong: Bool
  ) -> [String: PropertyValue] {
    let object = PropertyValue.object(ObjectReference(classID: classID, id: ids[0]))
    let many = isLong ? 300 : 3
    return [
      "name": .string("thing \(number)"), "bool": .bool(number % 2 == 0),
      "int8": .int(Int64(number % 5)),
      "int16": -300, "int32": 70_000, "int": .int(Int64(number) << 40), "uint8": 200,
      "uint16": 60_000,
      "uint32": 4_000_000_000, "float": .float(0.5), "double": .double(-2.25),
      "string": .string(
        isLong ? String(repeating: "long text ", count: 200) : "swan lake \(number)"),
      "data": .data(Data(repeating: 7, count: isLong ? 2_000 : 4)),
      "date": .date(Date(timeIntervalSinceReferenceDate: Double(number))),
      "uuid": .uuid(
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: number)))
      ),
      "decimal": .decimal(Decimal(number) / 8), "objectId": .objectId(ObjectId(high: 1, low: 2)),
      "any": number % 2 == 0 ? object : ["k": [1, "two", .null]],
      "link": .link(ids[number % ids.count]),
      "part": .link(part), "parts": [.link(owned)], "links": .list(ids.prefix(3).map { .link($0) }),
      "linkSet": [.link(ids[0])], "linkMap": ["one": .link(ids[0])],
      "numbers": .list((0..<many).map { .int(Int64($0)) }), "bytes": [1, 2, 3],
      "texts": .list((0..<many).map { $0 == 1 ? .null : .string("text \($0)") }),
      "anys": [1, "s", object, ["k": .null]],
      "numberSet": .list((0..<many).map { .int(Int64($0)) }),
      "textSet": ["a", "b"], "dates": [.null, .date(Date(timeIntervalSinceReferenceDate: 1))],
      "doubles": .map(
        Dictionary(uniqueKeysWithValues: (0..<many).map { ("key \($0)", .double(Double($0))) })),
      "decimals": ["x": .decimal(1)], "anyMap": ["m": [1]],
    ]
  }
}
