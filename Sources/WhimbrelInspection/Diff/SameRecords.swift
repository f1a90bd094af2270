internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A test whether equal record bytes mean equal values in two stores. Most objects of similar
/// stores pass it, and their values need not be decoded.
///
/// Records hold links as object IDs. Equal IDs are equal links if equal objects of the target class
/// have equal IDs in both stores. An embedded object is equal if its own record is.
final class SameRecords {
  private let pairs: [String: ClassPair]
  private let pairsInOrder: [ClassPair]
  // Safe: one thread uses the object, and no access to these properties overlaps another.
  @safe @exclusivity(unchecked) private var agreements: [String: Bool] = [:]
  @safe @exclusivity(unchecked) private var parts: [String: Parts] = [:]
  @safe @exclusivity(unchecked) private var comparable: [String: Bool] = [:]

  /// The embedded objects of a class that differ between the stores.
  private enum Parts {
    case these(Set<ObjectID>)
    /// More than the limit, or not known.
    case many
  }

  /// The limit of differing embedded objects to remember.
  private static let limit = 1 << 16

  /// - Parameter pairs: The pairs of all classes, with all properties.
  init(_ pairs: [ClassPair]) {
    pairsInOrder = pairs
    self.pairs = Dictionary(keepingFirst: pairs.map { ($0.name, $0) })
  }

  /// Returns whether an object is surely equal in both stores. If not, its values must be compared.
  ///
  /// - Complexity: O(*size*) of the record. The first call for a class also reads the keys or the
  ///   embedded objects of the classes that it links to.
  func areSame(
    _ before: ObjectWalk.Entry, _ after: ObjectWalk.Entry, _ pair: ClassPair
  ) throws -> Bool {
    guard before.hasSameBytes(as: after), try isComparable(pair), let table = pair.new else {
      return false
    }
    let layout = try table.layout(of: after.record, after.id)
    guard layout.layout.propertiesWithOverflow(after.record).isEmpty else { return false }
    for position in table.ownedLinks {
      guard let name = table.resolved.properties[position].type.linkedClass,
        let part = pairs[name]
      else { return false }
      switch try differingParts(of: part) {
      case .many: return false
      case .these(let ids) where ids.isEmpty: continue
      case .these(let ids):
        let targets = try table.value(position, of: after.record, after.id).linkTargets
        let differs = targets.contains { target in
          if case .object(let id) = target { ids.contains(id) } else { true }
        }
        if differs { return false }
      }
    }
    return true
  }

  /// Returns whether equal objects of a class have equal IDs in both stores.
  func agree(_ pair: ClassPair) throws -> Bool {
    if let known = agreements[pair.name] { return known }
    let agree = try findAgreement(pair)
    agreements[pair.name] = agree
    return agree
  }
}

// MARK: - Finding out

extension SameRecords {
  /// Returns whether equal bytes mean equal values, apart from the content of embedded objects.
  private func isComparable(_ pair: ClassPair) throws -> Bool {
    if let known = comparable[pair.name] { return known }
    // Embedded classes may form a cycle: this entry ends the recursion. If it was too optimistic,
    // `differingParts` still returns `.many` for the class that is not comparable.
    comparable[pair.name] = pair.hasComparableRecords
    let result = try pair.hasComparableRecords && linksAgree(pair)
    comparable[pair.name] = result
    return result
  }

  private func linksAgree(_ pair: ClassPair) throws -> Bool {
    guard let old = pair.old, let new = pair.new else { return false }
    for position in new.resolved.properties.indices {
      guard let name = new.resolved.properties[position].type.linkedClass else { continue }
      guard old.resolved.properties[position].type.linkedClass == name, let target = pairs[name],
        !target.isOneSided
      else { return false }
      let isOwned = new.ownedLinks.contains(position)
      guard isOwned == old.ownedLinks.contains(position),
        try isOwned ? isComparable(target) : agree(target)
      else { return false }
    }
    guard !new.resolved.openLinks.isEmpty else { return true }
    // Values of any type contain class numbers, so these must agree too.
    return try pairsInOrder.allSatisfy { target in
      guard !target.isOneSided, target.old?.name == target.new?.name else { return false }
      return try target.old?.resolved.id == target.new?.resolved.id && agree(target)
    }
  }

  /// Walks the keys of both stores in parallel. The IDs agree if equal keys have equal IDs, and if
  /// the ID of an object in one store only is not used for another object in the other store.
  private func findAgreement(_ pair: ClassPair) throws -> Bool {
    guard let old = pair.old, let new = pair.new else { return false }
    if pair.order == .objectID { return true }
    if old.resolved.isClustered, new.resolved.isClustered { return true }
    guard var before = try KeyWalk(old), var after = try KeyWalk(new) else { return false }
    var left = try before.next()
    var right = try after.next()
    while left != nil || right != nil {
      if let old = left, let new = right, old.key.isEqual(to: new.key) {
        if old.id != new.id { return false }
        left = try before.next()
        right = try after.next()
      } else if let entry = left, right.map({ Self.precedes(entry, $0) }) ?? true {
        // If another object has this ID in the other store, the IDs do not agree.
        if try new.record(entry.id) != nil { return false }
        left = try before.next()
      } else if let entry = right {
        if try old.record(entry.id) != nil { return false }
        right = try after.next()
      }
    }
    return true
  }

  private static func precedes(_ left: KeyWalk.Entry, _ right: KeyWalk.Entry) -> Bool {
    left.key.array.lexicographicallyPrecedes(right.key.array)
  }

  private func differingParts(of pair: ClassPair) throws -> Parts {
    if let known = parts[pair.name] { return known }
    // Embedded classes may form a cycle: this entry ends the recursion with the safe answer.
    parts[pair.name] = .many
    let found = try findDifferingParts(of: pair)
    parts[pair.name] = found
    return found
  }

  private func findDifferingParts(of pair: ClassPair) throws -> Parts {
    guard pair.isEmbedded, !pair.isOneSided, try isComparable(pair) else { return .many }
    var differing: Set<ObjectID> = []
    try ObjectMerge(pair, by: .objectID).forEach { place in
      switch place {
      case .old(let entry), .new(let entry): differing.insert(entry.id)
      case .both(let before, let after):
        if try !areSame(before, after, pair) { differing.insert(after.id) }
      }
      return differing.count <= Self.limit
    }
    return differing.count <= Self.limit ? .these(differing) : .many
  }
}
