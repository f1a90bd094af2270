internal import WhimbrelLMDB

/// Which objects are there, of all classes to which links lead.
struct LinkTargets: Sendable {
  /// The objects of a class, as far as they can be looked up.
  enum Objects: Sendable {
    case known(ObjectIDSet)
    /// Their IDs are too far apart for a set.
    case stored(Table)
    /// Nobody knows which are there.
    case unreadable
  }

  private var objects: [ClassID: Objects] = [:]
  private var ids: [String: ClassID] = [:]

  /// Those that no link is compared with.
  init() {}

  /// - Throws: what reading throws.
  /// - Complexity: O(*n*) in the objects of the classes to which links lead, on several cores;
  ///   in memory for one byte an object at most.
  init(_ check: IntegrityCheck) throws {
    let names = Set(
      check.classes.flatMap { table in
        table.resolved.links.compactMap { table.resolved.properties[$0].type.linkedClass }
      })
    let isOpen = check.classes.contains { !$0.resolved.openLinks.isEmpty }
    for table in check.classes where isOpen || names.contains(table.name) {
      ids[table.name] = table.resolved.id
      objects[table.resolved.id] =
        switch table.objects {
        case let found?:
          try ObjectIDSet(found, check.view, check.environment).map { .known($0) }
            ?? .stored(found)
        case nil: .unreadable
        }
    }
  }

  /// The objects of a class, or nil when there is no such class.
  subscript(id: ClassID) -> Objects? { objects[id] }

  /// The name of a class, or nil when there is no such class.
  func name(of id: ClassID) -> String? { ids.first { $0.value == id }?.key }

  /// The objects of the class with a name, or nil when there is no such class.
  subscript(name: String) -> Objects? { ids[name].flatMap { objects[$0] } }
}

extension LinkTargets.Objects {
  /// Whether an object is there, as far as anybody knows.
  @inline(__always)
  func contains(_ id: ObjectID, _ view: ReadView) throws -> Bool {
    switch self {
    case .known(let ids): ids.contains(id)
    case .stored(let table): try view.value(table, id.rawValue) != nil
    case .unreadable: true
    }
  }
}

/// The IDs of the objects of a class: one bit for each ID from the least to the greatest.
struct ObjectIDSet: Sendable {
  private let first: UInt64
  private var words: [UInt64] = []

  /// How many IDs there may be for each object.
  private static let greatestSpread = 8

  /// Reads the IDs of a class; nil where they are too far apart.
  init?(_ objects: Table, _ view: ReadView, _ environment: Environment?) throws {
    let ranges = try IntegrityCheck.ranges(of: objects, view)
    guard let first = ranges.first?.lowerBound, let last = ranges.last?.upperBound else {
      self.first = 0
      return
    }
    let count = try view.count(objects)
    guard (last - first) / UInt64(Self.greatestSpread) <= UInt64(max(count, 1_024)) else {
      return nil
    }
    self.first = first
    var words: [UInt64] = []
    words.reserveCapacity(Int((last - first) / 64) + 1)
    try SnapshotWork(view, environment).run(ranges.count) { number, view in
      try Self.bits(of: objects, ranges[number], view)
    } taking: { _, piece in
      words += piece
    }
    self.words = words
  }

  /// The bits of a range, of which the first is that of its first ID.
  private static func bits(
    of objects: Table, _ range: ClosedRange<UInt64>, _ view: ReadView
  ) throws -> [UInt64] {
    var words = [UInt64](
      repeating: 0, count: Int((range.upperBound - range.lowerBound) / 64) + 1)
    let cursor = try view.cursor(objects)
    var batch = EntryBatch()
    var start: UInt64? = range.lowerBound
    while try batch.fill(cursor, from: start, through: range.upperBound, touching: nil) {
      for index in 0..<batch.count where range.contains(batch.key(index)) {
        let place = batch.key(index) - range.lowerBound
        words[Int(place / 64)] |= 1 << (place % 64)
      }
      start = nil
    }
    return words
  }

  /// Whether an object is there.
  @inline(__always)
  func contains(_ id: ObjectID) -> Bool {
    // An ID before the first is far behind the last.
    let place = id.rawValue &- first
    guard place / 64 < UInt64(words.count) else { return false }
    return words[Int(place / 64)] & 1 << (place % 64) != 0
  }
}
