internal import WhimbrelLMDB

/// A forecast of what a new schema does to embedded objects. Nothing is written.
///
/// It keeps in memory a few bits for each embedded object.
final class OwnershipForecast: OwnershipGraph {
  private let check: MigrationCheck
  private var classes: [CheckedClass] { check.classes }
  /// The sources of new links to embedded objects, by the numbers of their classes.
  private let sources: [[Source]]
  private var owned: [ObjectIDMarks]
  private var orphaned: [ObjectIDMarks]
  private var shared: [ObjectIDMarks]
  private var circular: [ObjectIDMarks]
  private var copies: [Int]
  private var hasCircles = false
  /// Whether there are links that code has to set, where they may lead to the same objects again.
  private var leavesLinksToCode = false
  /// Whether the plan can tell which objects are deleted. It cannot where code has to separate
  /// links or set new ones.
  var isDecided: Bool { !hasCircles && !leavesLinksToCode }

  /// A property that links to embedded objects.
  private struct Source {
    let value: NewValue
    /// The number of the class that the links lead to.
    let target: Int
    /// Whether code must set the links.
    let isLeftToCode: Bool
  }

  init(_ check: MigrationCheck) throws {
    self.check = check
    let classes = check.classes
    let numbers = Dictionary(keepingFirst: classes.enumerated().map { ($1.draft.name, $0) })
    sources = classes.map { entry in
      entry.draft.properties.compactMap { property in
        let linked = property.new.type.linkedClass
        let isLeftToCode = property.origin == .code
        guard let old = property.old, let target = linked.flatMap({ numbers[$0] }),
          classes[target].isEmbedded, !isLeftToCode || old.type.linkedClass == linked
        else { return nil }
        return Source(
          value: NewValue(property, in: entry.old), target: target, isLeftToCode: isLeftToCode)
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
    return try sources.flatMap { source -> [(link: Void, target: OwnedPlace)] in
      if source.isLeftToCode {
        let old = try source.value.position.map(record.value) ?? .null
        if !old.ownedObjects.isEmpty { leavesLinksToCode = true }
        return []
      }
      // A list of several links cannot become one link.
      guard let value = try source.value.value(of: record, check.classID) else {
        leavesLinksToCode = true
        return []
      }
      return value.ownedObjects.map { ((), OwnedPlace(number: source.target, id: $0.id)) }
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
    // With a circle the migration fails without making copies. Following it would never end.
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

  /// Returns whether an object is known to be deleted because it has no owner.
  func deletes(_ id: ObjectID, of entry: CheckedClass) -> Bool {
    isDecided && orphaned[entry.number].contains(id)
  }

  /// Returns whether an object is known to be copied.
  func copies(_ id: ObjectID, of entry: CheckedClass) -> Bool {
    !hasCircles && shared[entry.number].contains(id)
  }

  /// Returns whether any object of a class is known to be copied.
  func copiesAny(of entry: CheckedClass) -> Bool { !hasCircles && copies[entry.number] > 0 }

  /// Returns what becomes of the objects of a class.
  func outcome(of entry: CheckedClass) throws -> Ownership {
    var outcome = Ownership()
    outcome.copies = copies[entry.number]
    try forEachFinding(of: entry) { _, rule in
      if rule == .owned { outcome.orphans += 1 }
      if rule == .circle { outcome.circular += 1 }
    }
    return outcome
  }

  /// Calls `body` with each object of a class that is deleted, copied or in a circle.
  func forEachFinding(
    of entry: CheckedClass, _ body: (ObjectID, MigrationFinding.Rule) throws -> Void
  ) throws {
    guard entry.isEmbedded else { return }
    let number = entry.number
    try check.forEachObject(of: entry) { id, _ in
      if circular[number].contains(id) {
        try body(id, .circle)
      } else if orphaned[number].contains(id) {
        try body(id, .owned)
      }
      if shared[number].contains(id) { try body(id, .ownedOnce) }
    }
  }
}

/// A set of objects of a class: a bit for each.
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
  /// Whether the objects are embedded under the new schema.
  var isEmbedded: Bool { draft.declared?.isEmbedded ?? old.isEmbedded }
}
