import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

/// Random edits of random stores, which a comparison has to find: all of them and no others.
struct RandomDiffTests {
  @Test(arguments: seeds(15, long: 300))
  func `a comparison reports exactly the edits that were made`(seed: UInt64) throws {
    let folder = try TestFolder()
    let (old, new) = (folder.path("old.whimbrel"), folder.path("new.whimbrel"))
    var maker = EditedStoreMaker(seed: seed)
    try maker.make(at: old)
    try copyStore(old, new)
    // None in the first.
    let expected = try maker.edit(new, count: seed == 1 ? 0 : Int(seed) * 2)
    let comment = Comment(rawValue: "seed \(seed)")
    #expect(try found(old, new) == expected, comment)
    #expect(try found(new, old) == expected.map(\.reversed).sorted(), comment)
    #expect(try integrityFindings(new) == [], comment)

    // The same across a migration that changes no value.
    try maker.migrate(new)
    #expect(try found(old, new) == expected.map(\.renamed).sorted(), comment)
    #expect(try found(new, old) == expected.map(\.reversed).sorted(), comment)
  }

  /// What a comparison finds.
  private func found(_ old: String, _ new: String) throws -> [RandomEdit] {
    let diff = try StoreDiff(from: StoreInspector(path: old), to: StoreInspector(path: new))
    var edits: [RandomEdit] = []
    for counts in try diff.classCounts() {
      var kinds: [ObjectDifference.Kind: Int] = [:]
      try diff.forEachDifference(of: counts) { difference in
        kinds[difference.kind, default: 0] += 1
        let names = Set(difference.properties.map { $0.property.prefix { $0.isLetter } })
        edits.append(
          RandomEdit(
            kind: difference.kind.rawValue, className: difference.object.className,
            object: difference.object.description, properties: names.map(String.init).sorted()))
        return true
      }
      #expect(kinds[.added, default: 0] == counts.added)
      #expect(kinds[.removed, default: 0] == counts.removed)
      #expect(kinds[.changed, default: 0] == counts.changed)
    }
    return edits.sorted()
  }
}

/// An edit of an object.
private struct RandomEdit: Hashable, Comparable {
  var kind: String
  var className: String
  var object: String
  var properties: [String]

  static func < (left: RandomEdit, right: RandomEdit) -> Bool {
    (left.className, left.object, left.kind) < (right.className, right.object, right.kind)
  }

  /// The same seen from the other store.
  var reversed: RandomEdit {
    var edit = self
    edit.kind = ["added": "removed", "removed": "added"][kind] ?? kind
    return edit
  }

  /// The same after the migration.
  var renamed: RandomEdit {
    var edit = self
    edit.className = className == "Plain" ? "Simple" : className
    edit.properties = properties.map { $0 == "text" ? "words" : $0 }.sorted()
    return edit
  }
}

private struct EditedStoreMaker {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private static let names = ["Keyed", "Numbered", "Plain"]

  private static func classes(migrated isMigrated: Bool = false) -> [ClassSchema] {
    let plain = isMigrated ? "Simple" : "Plain"
    let values = [
      PropertySchema(name: isMigrated ? "words" : "text", type: .string, isIndexed: isMigrated),
      PropertySchema(name: "number", type: isMigrated ? .int : .int16),
      PropertySchema(name: "fraction", type: isMigrated ? .double : .float),
      PropertySchema(name: "date", type: .date, isOptional: true),
      PropertySchema(name: "data", type: .data),
      PropertySchema(name: "list", type: .list(of: ElementType(.string))),
      PropertySchema(name: "set", type: .set(of: ElementType(.int))),
      PropertySchema(name: "map", type: .map(of: ElementType(.double))),
      PropertySchema(name: "any", type: .any),
      PropertySchema(name: "link", type: .link(to: "Target")),
      PropertySchema(name: "part", type: .link(to: "Part")),
    ]
    let added =
      isMigrated ? [PropertySchema(name: "added", type: .int, defaultValue: .value(3))] : []
    return [
      ClassSchema(
        name: "Keyed",
        properties: [PropertySchema(name: "key", type: .string, isPrimaryKey: true)] + values
          + added),
      ClassSchema(
        name: "Numbered",
        properties: [
          PropertySchema(name: "key", type: isMigrated ? .int : .int32, isPrimaryKey: true)
        ] + values),
      ClassSchema(name: plain, properties: isMigrated ? values.reversed() : values),
      ClassSchema(
        name: "Target",
        properties: [PropertySchema(name: "name", type: .string, isPrimaryKey: true)]),
      ClassSchema(
        name: "Part", isEmbedded: true,
        properties: [PropertySchema(name: isMigrated ? "content" : "value", type: .int)]),
    ]
  }

  mutating func make(at path: String) throws {
    try makeStore(at: path, Self.classes()) { session in
      for name in ["a", "b", "c"] {
        _ = try session.table("Target").create(["name": .string(name)], replacing: false)
      }
      for name in Self.names {
        for _ in 0..<Int.random(in: 20...150, using: &random) {
          _ = try add(to: session.table(name))
        }
      }
    }
  }

  func migrate(_ path: String) throws {
    try migrateStore(at: path, Self.classes(migrated: true), version: 2) { migration, _ in
      try migration.renameClass(from: "Plain", to: "Simple")
      for name in ["Keyed", "Numbered", "Simple"] {
        try migration.renameProperty(onType: name, from: "text", to: "words")
      }
      try migration.renameProperty(onType: "Part", from: "value", to: "content")
    }
  }

  /// Makes edits of as many objects, and returns what they are.
  mutating func edit(_ path: String, count: Int) throws -> [RandomEdit] {
    var edits: [RandomEdit] = []
    var touched: Set<[String]> = []
    try makeStore(at: path, Self.classes()) { session in
      while edits.count < count {
        let table = try session.table(Self.names.randomElement(using: &random) ?? "")
        guard let id = try table.objectIDs().randomElement(using: &random) else { continue }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          let id = try add(to: table)
          touched.insert([table.name, "\(id)"])
          edits.append(try edit("added", id, table))
        case let choice:
          guard touched.insert([table.name, "\(id)"]).inserted else { continue }
          if choice == 1 {
            edits.append(try edit("removed", id, table))
            try table.remove(id)
          } else if let properties = try change(id, table) {
            edits.append(try edit("changed", id, table, properties))
          }
        }
      }
    }
    return edits.sorted()
  }

  private func edit(
    _ kind: String, _ id: ObjectID, _ table: ClassTable, _ properties: [String] = []
  ) throws -> RandomEdit {
    RandomEdit(
      kind: kind, className: table.name, object: try table.objectName(id), properties: properties)
  }

  private mutating func add(to table: ClassTable) throws -> ObjectID {
    var values: [String: PropertyValue] = [:]
    for property in table.resolved.properties {
      if property.isPrimaryKey {
        let number = Int32.random(in: .min ... .max, using: &random)
        values[property.name] =
          property.type == .string ? .string("key\(random.next())") : .int(Int64(number))
      } else {
        values[property.name] = try value(of: property, in: table)
      }
    }
    return try table.create(values, replacing: false)
  }

  /// Gives some properties other values, and returns which.
  private mutating func change(_ id: ObjectID, _ table: ClassTable) throws -> [String]? {
    let properties = table.resolved.properties.enumerated().filter { !$1.isPrimaryKey }
      .shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
    var names: [String] = []
    for (position, property) in properties {
      let record = try #require(try table.record(id))
      let old = try table.value(position, of: record, id)
      if property.name == "part", case .link(let part) = old {
        let parts = try table.session.table("Part")
        let number = try parts.value(0, of: #require(try parts.record(part)), part)
        guard case .int(let number) = number else { continue }
        try parts.update(part) { try $0.set(0, .int(number &+ 1)) }
      } else {
        let new = try value(of: property, in: table)
        if new.isIdentical(to: old) { continue }
        if property.name == "set", new.isSameElement(as: old) { continue }
        try table.update(id) { try $0.set(position, new) }
      }
      names.append(property.name)
    }
    return names.isEmpty ? nil : names.sorted()
  }

  private mutating func value(
    of property: CatalogProperty, in table: ClassTable
  ) throws -> PropertyValue {
    let number = Int.random(in: -500...500, using: &random)
    let text = String(
      repeating: "text \(number) ", count: [0, 1, 30].randomElement(using: &random) ?? 1)
    switch property.type {
    case .string: return .string(number % 7 == 0 ? text : "text \(number)")
    case .float:
      return .float([.nan, -0.0, 0.5, Float(number) / 3].randomElement(using: &random) ?? 0)
    case .date: return number < 0 ? .null : .date(Date(timeIntervalSinceReferenceDate: 0.1))
    case .data: return .data(Data(text.utf8))
    case .list:
      return .list((0..<(number & 7)).map { .string("\($0 + number)") })
    case .set:
      // In the order in which it is stored.
      return .list((0..<(number & 7)).map { .int(Int64($0 + number)) })
    case .map: return ["a": .double(Double(number)), "\(number & 3)": .double(1)]
    case .any:
      let values: [PropertyValue] = [
        .null, .int(Int64(number)), ["x", .list([.bool(number < 0)])],
      ]
      return values.randomElement(using: &random) ?? .null
    case .link(to: "Target"):
      let id = ObjectID(rawValue: UInt64(1 + abs(number) % 3))
      return number % 5 == 0 ? .null : .link(id)
    case .link:
      let parts = try table.session.table("Part")
      return .link(try parts.create(["value": .int(Int64(number))], replacing: false))
    default: return .int(Int64(number))
    }
  }
}
