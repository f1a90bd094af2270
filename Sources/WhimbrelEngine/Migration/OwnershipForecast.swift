internal import WhimbrelLMDB

/// What becomes of embedded objects under a new schema, as the data is now: nothing is written.
///
/// It keeps in memory a few bits for each embedded object.
final class OwnershipForecast: OwnershipGraph {
  private let check: MigrationCheck
  private var classes: [CheckedClass] { check.classes }
  /// What new values of links to embedded objects come from, by the numbers of their classes.
  private let sources: [[(value: NewValue, target: Int)]]
  private var owned: [ObjectIDMarks]
  private var orphaned: [ObjectIDMarks]
  private var shared: [ObjectIDMarks]
  private var circular: [ObjectIDMarks]
  private var copies: [Int]
  private var hasCircles = false

  init(_ check: MigrationCheck) throws {
    self.check = check
    let classes = check.classes
    let numbers = Dictionary(
      classes.enumerated().map { ($1.draft.name, $0) }, uniquingKeysWith: { first, _ in first })
    sources = classes.map { entry in
      entry.draft.properties.compactMap { property in
        guard property.old != nil, property.origin != .code,
          let target = property.new.type.linkedClass.flatMap({ numbers[$0] }),
          classes[target].isEmbedded
        else { return nil }
        return (NewValue(property, in: entry.old), target)
      }
    }
    let marks = classes.map { _ in ObjectIDMarks() }
    (owned, orphaned, shared, circular) = (marks, marks, marks, marks)
    copies = classes.map { _ in 0 }
    var walk = OwnershipWalk(self)
    let inOrder = classes.indices.sorted { classes[$0].draft.id < classes[$1].draft.id }
    for number in inOrder where !classes[number].isEmbedded && !sources[number].isEmpty {
      try check.forEachObject(of: classes[number]) { id, _ in
        try walk.follow(owner: OwnedPlace(number: number, id: id))
      }
    }
    for number in inOrder where classes[number].isEmbedded {
      try check.forEachObject(of: classes[number]) { id, _ in
        if !owned[number].contains(id) {
          try walk.follow(orphan: OwnedPlace(number: number, id: id))
        }
      }
    }
  }

  func links(of place: OwnedPlace) throws -> [(link: Void, target: OwnedPlace)] {
    let sources = sources[place.number]
    guard !sources.isEmpty, let record = try check.record(place.id, of: classes[place.number])
    else { return [] }
    return try sources.flatMap { source, target in
      let value = try source.value(of: record, check.classID) ?? .null
      return value.ownedObjects.map { ((), OwnedPlace(number: target, id: $0.id)) }
    }
  }

  func note(_ place: OwnedPlace, _ state: OwnershipState) -> OwnershipState {
    if owned[place.number].contains(place.id) { return .owned }
    if orphaned[place.number].contains(place.id) { return .orphaned }
    if state == .owned {
      owned[place.number].insert(place.id)
    } else {
      orphaned[place.number].insert(place.id)
    }
    return .unknown
  }

  func share(
    _ target: OwnedPlace, by link: Void, of owner: OwnedPlace, isCopy: Bool
  ) -> OwnedPlace? {
    // There will be no copies; and of a circle they would never end.
    if hasCircles { return nil }
    shared[target.number].insert(target.id)
    copies[target.number] += 1
    return target
  }

  func meetCircle(_ circle: [OwnedPlace]) {
    hasCircles = true
    for place in circle { circular[place.number].insert(place.id) }
  }

  func didFollow() {}

  // MARK: Answers

  /// What becomes of the objects of a class, by its number.
  func outcome(_ number: Int) throws -> Ownership {
    var outcome = Ownership()
    outcome.copies = copies[number]
    try forEachFinding(number) { _, rule in
      if rule == .owned { outcome.orphans += 1 }
      if rule == .circle { outcome.circular += 1 }
    }
    return outcome
  }

  /// Calls `body` with each object of a class that does not stay as it is.
  func forEachFinding(
    _ number: Int, _ body: (ObjectID, MigrationFinding.Rule) throws -> Void
  ) throws {
    guard classes[number].isEmbedded else { return }
    try check.forEachObject(of: classes[number]) { id, _ in
      if circular[number].contains(id) {
        try body(id, .circle)
      } else if orphaned[number].contains(id) {
        try body(id, .owned)
      }
      if shared[number].contains(id) { try body(id, .ownedOnce) }
    }
  }
}

/// Which objects of a class something is true of: a bit for each.
private struct ObjectIDMarks {
  private var words: [UInt64: UInt64] = [:]

  mutating func insert(_ id: ObjectID) {
    words[id.rawValue >> 6, default: 0] |= 1 << (id.rawValue & 63)
  }

  func contains(_ id: ObjectID) -> Bool {
    (words[id.rawValue >> 6] ?? 0) & 1 << (id.rawValue & 63) != 0
  }
}

extension CheckedClass {
  /// Whether the objects belong to others under the new schema.
  var isEmbedded: Bool { draft.declared?.isEmbedded ?? old.isEmbedded }
}
