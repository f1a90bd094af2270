import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Random classes, objects and rules. At every point of a transition the store holds what a
/// migration block with the same code has made at once.
struct RandomTransitionTests {
  @Test(arguments: 0..<TestRun.count(40, long: 2_000) as Range<UInt64>)
  func `every read equals what the block makes`(_ seed: UInt64) throws {
    var walk = try TransitionWalk(seed: seed)
    try walk.run()
  }
}

/// A store on its way through a transition, and what it should hold.
private struct TransitionWalk {
  private let transition: RandomTransition
  private var generator: SeededGenerator
  private let folder: TestFolder
  private var expected: [String: RandomTransition.Object] = [:]
  private var session: Session
  private var run_: TransitionRun?
  private var nextNumber = 0

  private var path: String { folder.url.appending(path: "online.whimbrel").path }

  init(seed: UInt64) throws {
    transition = RandomTransition(seed: seed)
    generator = transition.generator
    folder = try TestFolder()
    var request = OpenRequest(path: folder.url.appending(path: "online.whimbrel").path)
    request.declaration = transition.oldDeclaration
    request.schemaVersion = 1
    session = try Session(StoreFile.open(request), for: transition.oldDeclaration)
    let count = Int.random(
      in: 1...(Int.random(in: 0..<4, using: &generator) == 0 ? 400 : 60), using: &generator)
    var objects: [RandomTransition.Object] = []
    for number in 0..<count {
      objects.append(transition.object(number, of: transition.old, &generator))
    }
    nextNumber = count
    try session.write {
      for object in objects {
        _ = try session.table("Thing").create(object, replacing: false)
      }
    }
    session.close()
    expected = try Self.madeByBlock(transition, folder)
    session = try Self.open(path, transition)
  }

  private static func open(_ path: String, _ transition: RandomTransition) throws -> Session {
    var request = OpenRequest(path: path)
    request.declaration = transition.newDeclaration
    request.schemaVersion = 2
    request.transition = TransitionOptions(startsPaused: true)
    return try Session(StoreFile.open(request), for: transition.newDeclaration)
  }

  /// Migrates a copy of the store by a block, and returns what it holds then.
  private static func madeByBlock(
    _ transition: RandomTransition, _ folder: TestFolder
  ) throws -> [String: RandomTransition.Object] {
    let copy = folder.url.appending(path: "block.whimbrel").path
    try FileManager.default.copyItem(
      atPath: folder.url.appending(path: "online.whimbrel").path, toPath: copy)
    var request = OpenRequest(path: copy)
    request.declaration = Declaration(StoreSchema(classes: [transition.new]))
    request.schemaVersion = 2
    request.migration.block = { migration, _ in
      try migration.enumerateObjects(ofType: "Thing") { old, new in
        guard let old, let new else { return }
        var object: RandomTransition.Object = [:]
        for property in transition.old.properties {
          object[property.name] = try old.value(property.name)
        }
        for property in transition.new.properties {
          if let value = transition.derived(property, from: object) {
            try new.set(property.name, to: value)
          } else if let value = transition.left(property, from: object) {
            try new.set(property.name, to: value)
          }
        }
      }
    }
    let session = try Session(StoreFile.open(request))
    defer { session.close() }
    return try contents(session, transition)
  }

  private static func contents(
    _ session: Session, _ transition: RandomTransition
  ) throws -> [String: RandomTransition.Object] {
    let table = try session.table("Thing")
    var found: [String: RandomTransition.Object] = [:]
    for id in try table.objectIDs() {
      let object = try object(id, of: table)
      found["\(object[transition.key] ?? .null)"] = object
    }
    return found
  }

  private static func object(
    _ id: ObjectID, of table: ClassTable
  ) throws -> RandomTransition.Object {
    var object: RandomTransition.Object = [:]
    for (position, property) in table.resolved.properties.enumerated() {
      guard let record = try table.record(id) else { continue }
      object[property.name] = try table.value(position, of: record, id)
    }
    return object
  }

  // MARK: Steps

  mutating func run() throws {
    try compare("at the start")
    for step in 0..<25 {
      switch Int.random(in: 0..<9, using: &generator) {
      case 0, 1: try change()
      case 2: try delete()
      case 3: try create()
      case 4, 5: try ask(step)
      case 6: try convert()
      case 7:
        session.close()
        run_ = nil
        session = try Self.open(path, transition)
      default: try compare("in step \(step)")
      }
    }
    try compare("before the end")
    try #require(
      try IntegrityCheck.run(session).map(\.description) == [], "seed \(transition.seed)")
    while try convert() {}
    try compare("at the end")
    let findings = try IntegrityCheck.run(session).map(\.description)
    #expect(findings == [], "seed \(transition.seed)")
    #expect(session.loaded.catalog.isInTransition == false)
    for _ in 0..<5 { try ask(-1) }
    session.close()
  }

  @discardableResult
  private mutating func convert() throws -> Bool {
    let run = try run_ ?? TransitionRun(session.file, transition.newDeclaration)
    run_ = run
    // One by one, or many together.
    let outcome = try run.runBatch(Bool.random(using: &generator) ? .zero : .nanoseconds(1))
    _ = try session.refresh()
    switch outcome {
    case .more: return true
    case .blocked(let state):
      Issue.record("blocked at \(state.walks), seed \(transition.seed)")
      return false
    case .over: return false
    }
  }

  private mutating func anyKey() -> String? {
    expected.keys.sorted().randomElement(using: &generator)
  }

  private func id(_ key: String) throws -> ObjectID? {
    guard let value = expected[key]?[transition.key] else { return nil }
    return try session.table("Thing").find(value)
  }

  private mutating func change() throws {
    guard let key = anyKey(), let id = try id(key),
      let property = transition.new.properties.randomElement(using: &generator),
      property.name != transition.key
    else { return }
    let value = RandomTransition.value(of: property.type, &generator)
    try session.write {
      let table = try session.table("Thing")
      let position = try table.resolved.requiredPosition(of: property.name)
      if case .list(let values) = value, Bool.random(using: &generator) {
        try table.editCollection(position, of: id) { editor in
          try editor.removeSubrange(0..<editor.count())
          for value in values { try editor.insert(value, at: editor.count()) }
        }
      } else {
        try table.update(id, at: position) { encoder in try encoder.set(position, value) }
      }
    }
    expected[key]?[property.name] = value
  }

  private mutating func delete() throws {
    guard let key = anyKey(), let id = try id(key) else { return }
    try session.write { try session.table("Thing").remove(id) }
    expected[key] = nil
  }

  private mutating func create() throws {
    let object = transition.object(nextNumber, of: transition.new, &generator)
    nextNumber += 1
    try session.write { _ = try session.table("Thing").create(object, replacing: false) }
    expected["\(object[transition.key] ?? .null)"] = object
  }

  /// Finds objects by a value that one of them has.
  private mutating func ask(_ step: Int) throws {
    guard let key = anyKey(),
      let property = transition.new.properties.randomElement(using: &generator),
      !property.type.isCollection, let value = expected[key]?[property.name], !value.isNull
    else { return }
    let condition = QueryCondition.compare(
      .property(QueryPath(property.name)), .equal, .constant(value), [])
    let ids = try BoundQuery(QueryRequest("Thing", [.filter(condition)]), in: session)
      .objectIDs()
    let table = try session.table("Thing")
    let found = Set(try ids.map { "\(try Self.object($0, of: table)[transition.key] ?? .null)" })
    let wanted = Set(expected.filter { $0.value[property.name] == value }.keys)
    #expect(
      found == wanted, "\(property.name) == \(value) in step \(step), seed \(transition.seed)")
  }

  private func compare(_ moment: String) throws {
    let found = try Self.contents(session, transition)
    for (key, object) in expected where found[key] != object {
      let got = found[key] ?? [:]
      for name in object.keys.sorted() where got[name] != object[name] {
        Issue.record(
          "\(moment), seed \(transition.seed): \(name) of \(key) is \(got[name].map { "\($0)" } ?? "missing"), not \(object[name] ?? .null)"
        )
      }
    }
    #expect(found.count == expected.count, "\(moment), seed \(transition.seed)")
  }
}

extension RandomTransition {
  /// What a property gets that only code can determine, if the rule leaves it; nil if it needs none.
  func left(_ property: PropertySchema, from object: Object) -> PropertyValue? {
    let before = old[property.name] ?? property.previousNames.first.flatMap { old[$0] }
    guard let before else { return nil }
    let value = object[before.name] ?? .null
    if let conversion = Conversion.lossless(from: before.type, to: property.type) {
      if value.isNull || conversion.apply(value) != nil { return nil }
    }
    let isEmpty = value == .null || value == .list([])
    if isEmpty, property.isOptional { return .some(.null) }
    if isEmpty, property.type.isCollection { return .list([]) }
    if case .value(let value) = property.defaultValue { return value }
    return property.isOptional ? .some(.null) : .list([])
  }
}

/// A folder that goes away with its owner.
final class TestFolder {
  let url = FileManager.default.temporaryDirectory
    .appending(path: "whimbrel-online-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
