package import WhimbrelEngine

/// A store on its way through an online migration: some readings are converted, others are as
/// version 1 has stored them.
package enum TransitionSample {
  package static let station = ClassSchema(
    name: "Station", properties: [PropertySchema(name: "code", type: .string, isPrimaryKey: true)])

  package static let oldReading = ClassSchema(
    name: "Reading",
    properties: [
      PropertySchema(name: "key", type: .string, isPrimaryKey: true),
      PropertySchema(name: "sensor", type: .string, isIndexed: true),
      PropertySchema(name: "raw", type: .double),
      PropertySchema(name: "level", type: .string),
      PropertySchema(name: "note", type: .string, isOptional: true),
      PropertySchema(name: "tags", type: .list(of: ElementType(.string))),
      PropertySchema(name: "station", type: .link(to: "Station")),
    ])

  /// `calibrated` and `label` are new, `level` is a number, and `raw` is gone.
  package static let newReading = ClassSchema(
    name: "Reading",
    properties: [
      PropertySchema(
        name: "calibrated", type: .double, isIndexed: true, defaultValue: .value(.double(0))),
      PropertySchema(name: "key", type: .string, isPrimaryKey: true),
      PropertySchema(name: "sensor", type: .string, isIndexed: true),
      PropertySchema(name: "label", type: .string, defaultValue: .value("")),
      PropertySchema(name: "level", type: .int, defaultValue: .value(.int(-1))),
      PropertySchema(name: "note", type: .string, isOptional: true),
      PropertySchema(name: "tags", type: .list(of: ElementType(.string))),
      PropertySchema(name: "station", type: .link(to: "Station")),
    ])

  private static let rule = ObjectRule(from: 1, oldReading, newReading, isLast: true) {
    ReadingRule($0)
  }

  package static var declaration: Declaration {
    var declaration = Declaration(StoreSchema(classes: [station, newReading]))
    declaration.rules = RuleBook([rule])
    return declaration
  }

  /// A text that does not fit into a record.
  package static let longNote = String(repeating: "long ", count: 2_000)

  /// Makes the store with readings `r1` to `r6`, of which those with the numbers given are converted.
  package static func make(at path: String, converting converted: Set<Int> = [2, 4]) throws {
    try makeOld(at: path)
    try begin(path, converting: converted)
  }

  /// Makes the store of version 1.
  package static func makeOld(at path: String) throws {
    try makeStore(at: path, [station, oldReading]) { session in
      let stations = try ["S1", "S2"].map {
        try session.table("Station").create(["code": .string($0)], replacing: false)
      }
      for number in 1...6 {
        _ = try session.table("Reading").create(
          [
            "key": .string("r\(number)"), "sensor": .string("s\(number % 2)"),
            "raw": .double(Double(number) / 2),
            "level": .string(number == 6 ? "high" : "\(number)"),
            "note": number == 5 ? .string(longNote) : .null,
            "tags": .list((0..<number).map { .string("tag \($0)") }),
            "station": .link(stations[number % 2]),
          ], replacing: false)
      }
    }
  }

  /// Begins the transition of the store, and converts the readings with the numbers given.
  package static func begin(_ path: String, converting converted: Set<Int>) throws {
    let session = try open(path)
    try session.write {
      let readings = try session.table("Reading")
      for number in converted.sorted() {
        guard let id = try readings.find(.string("r\(number)")) else { continue }
        let position = try readings.resolved.requiredPosition(of: "sensor")
        try readings.update(id) { try $0.set(position, .string("s\(number % 2)")) }
      }
    }
    session.close()
  }

  /// Opens the store as the app does, with its rule. Nothing converts objects meanwhile.
  package static func open(_ path: String) throws -> Session {
    try openOnline(path, [station, newReading], [rule])
  }

  /// Lets the app convert all objects, and returns each with its values.
  package static func finish(_ path: String) throws -> [String: [String: PropertyValue]] {
    let session = try open(path)
    defer { session.close() }
    let run = try TransitionRun(session.file, declaration)
    while case .more = try run.runBatch(.seconds(1)) {}
    _ = try session.refresh()
    let readings = try session.table("Reading")
    var found: [String: [String: PropertyValue]] = [:]
    for id in try readings.objectIDs() {
      guard let record = try readings.record(id) else { continue }
      var values: [String: PropertyValue] = [:]
      for (position, property) in readings.resolved.properties.enumerated() {
        values[property.name] = try readings.value(position, of: record, id)
      }
      if case .string(let key)? = values["key"] { found[key] = values }
    }
    return found
  }
}

private final class ReadingRule: RuleBody {
  private let sides: RuleSides

  init(_ sides: RuleSides) { self.sides = sides }

  func run(_ id: ObjectID) {
    do {
      guard let record = try sides.oldTable.record(id) else { return }
      func old(_ name: String) throws -> PropertyValue {
        let position = try sides.oldTable.resolved.requiredPosition(of: name)
        return try sides.oldTable.value(position, of: record, id)
      }
      guard case .double(let raw) = try old("raw"), case .string(let sensor) = try old("sensor"),
        case .string(let level) = try old("level")
      else { return }
      try set("calibrated", .double(raw * 2), id)
      try set("label", .string("\(sensor): \(raw)"), id)
      if let number = Int64(level) { try set("level", .int(number), id) }
    } catch {
      sides.new.note(error)
    }
  }

  private func set(_ name: String, _ value: PropertyValue, _ id: ObjectID) throws {
    let position = try sides.newTable.resolved.requiredPosition(of: name)
    try sides.newTable.set(id, at: position) { try $0.set(position, value) }
  }
}
