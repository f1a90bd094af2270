internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Knows where the same bytes of an object in two stores are the same values, so that most objects
/// of two stores that are alike need not be taken apart.
///
/// A record has links as object IDs. The same ID is the same link where the class of the target gives
/// the same object the same ID in both stores; and an embedded object is the same where its own record
/// is.
final class SameRecords {
  private let pairs: [String: ClassPair]
  private let pairsInOrder: [ClassPair]
  // Safe: it is used by one call after the other, on one thread.
  @safe @exclusivity(unchecked) private var agreements: [String: Bool] = [:]
  @safe @exclusivity(unchecked) private var parts: [String: Parts] = [:]
  @safe @exclusivity(unchecked) private var comparable: [String: Bool] = [:]

  /// The embedded objects of a class that are not the same in both stores.
  private enum Parts {
    case these(Set<ObjectID>)
    /// So many that they are not kept.
    case many
  }

  /// How many embedded objects are kept that differ.
  private static let limit = 1 << 16

  /// - Parameter pairs: those of all classes, with all properties.
  init(_ pairs: [ClassPair]) {
    pairsInOrder = pairs
    self.pairs = Dictionary(
      pairs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether an object is the same in both stores; if not, its values have to be compared.
  ///
  /// - Complexity: O(*size*) of the record. The first call for a class goes through the keys, or
  ///   the embedded objects, of the classes that it links to.
  func areSame(
    _ before: ObjectWalk.Entry, _ after: ObjectWalk.Entry, _ pair: ClassPair
  ) throws -> Bool {
    guard before.hasSameBytes(as: after), try isComparable(pair), let table = pair.new else {
      return false
    }
    let layout = try table.layout(of: after.record, after.id)
    guard layout.layout.propertiesOutside(after.record).isEmpty else { return false }
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

  /// Whether objects of a class have the same IDs in both stores where they have the same names.
  func agree(_ pair: ClassPair) throws -> Bool {
    if let known = agreements[pair.name] { return known }
    let agree = try findAgreement(pair)
    agreements[pair.name] = agree
    return agree
  }
}

// MARK: - Finding out

extension SameRecords {
  /// Whether the same bytes of records are the same values, but for what embedded objects hold.
  private func isComparable(_ pair: ClassPair) throws -> Bool {
    if let known = comparable[pair.name] { return known }
    // Embedded objects may be in circles of classes: what is being found out counts as it would.
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
    // Values of any type name classes by their numbers.
    return try pairsInOrder.allSatisfy { target in
      guard !target.isOneSided, target.old?.name == target.new?.name else { return false }
      return try target.old?.resolved.id == target.new?.resolved.id && agree(target)
    }
  }

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
        // Another object may have the ID in the other store.
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
    // Of classes that are embedded in each other in a circle, nothing is known.
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
