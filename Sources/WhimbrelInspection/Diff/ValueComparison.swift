internal import WhimbrelEngine

/// A comparison of two values of a property.
///
/// Embedded objects are compared property by property, and collections element by element.
struct ValueComparison {
  private(set) var differences: [PropertyDifference] = []

  /// The limit of the differing part of a list. A longer part counts as removed and added as a
  /// whole, because the comparison takes quadratic time.
  private static let listLimit = 1_000

  /// Compares two values.
  ///
  /// - Complexity: O(*n*) in the number of elements, and O(*m*²) for *m* differing elements of a
  ///   list, which are at most 1,000.
  mutating func compare(_ path: String, _ old: ComparedValue, _ new: ComparedValue) {
    if old == new { return }
    switch (old, new) {
    case (.embedded(let old), .embedded(let new)): compareMembers(path, old, new)
    case (.list(let old), .list(let new)): compareLists(path, old, new)
    case (.set(let old), .set(let new)): compareSets(path, old, new)
    case (.map(let old), .map(let new)): compareMaps(path, old, new)
    default: append(path, .value(old: old, new: new))
    }
  }

  /// Adds the value of a property that the old class lacks.
  mutating func add(_ path: String, _ new: ComparedValue) {
    append(path, .value(old: nil, new: new))
  }

  private mutating func append(_ path: String, _ content: PropertyDifference.Content) {
    differences.append(PropertyDifference(property: path, content: content))
  }

  private mutating func append(_ path: String, _ elements: [ElementDifference]) {
    if !elements.isEmpty { append(path, .elements(elements)) }
  }

  private mutating func compareMembers(
    _ path: String, _ old: [ComparedValue.Member], _ new: [ComparedValue.Member]
  ) {
    let before = Dictionary(keepingFirst: old.map { ($0.name, $0.value) })
    for member in new {
      if let value = before[member.name] {
        compare("\(path).\(member.name)", value, member.value)
      } else {
        add("\(path).\(member.name)", member.value)
      }
    }
  }

  private mutating func compareSets(
    _ path: String, _ old: [ComparedValue], _ new: [ComparedValue]
  ) {
    let (before, after) = (Set(old), Set(new))
    append(
      path,
      old.filter { !after.contains($0) }
        .map { ElementDifference(place: .member, old: $0, new: nil) }
        + new.filter { !before.contains($0) }
        .map { ElementDifference(place: .member, old: nil, new: $0) })
  }

  private mutating func compareMaps(
    _ path: String, _ old: [ComparedValue.Member], _ new: [ComparedValue.Member]
  ) {
    // By bytes: a name that is replaced by one that is only canonically equivalent is a difference.
    let before = Dictionary(keepingFirst: old.map { (Array($0.name.utf8), $0.value) })
    let after = Dictionary(keepingFirst: new.map { (Array($0.name.utf8), $0.value) })
    let added = new.map(\.name).filter { before[Array($0.utf8)] == nil }
    var elements: [ElementDifference] = []
    for name in (old.map(\.name) + added).sorted(by: { $0.precedesInOrder($1) }) {
      let bytes = Array(name.utf8)
      switch (before[bytes], after[bytes]) {
      case (.embedded(let old)?, .embedded(let new)?):
        compareMembers("\(path)[\(ComparedValue.scalar(.string(name)).text)]", old, new)
      case (let old, let new) where old != new:
        elements.append(ElementDifference(place: .name(name), old: old, new: new))
      default: break
      }
    }
    append(path, elements)
  }
}

// MARK: - Lists

extension ValueComparison {
  private mutating func compareLists(
    _ path: String, _ old: [ComparedValue], _ new: [ComparedValue]
  ) {
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())
      .prefix { $0 == $1 }.count
    let before = old[start..<(old.count - end)]
    let after = new[start..<(new.count - end)]
    // Equally many embedded objects are compared by index. A change inside one is then shown as
    // its path, not as a removed and an added object.
    if before.count == after.count, before.allSatisfy(\.isEmbedded),
      after.allSatisfy(\.isEmbedded)
    {
      for (offset, (old, new)) in zip(before, after).enumerated() {
        compare("\(path)[\(start + offset)]", old, new)
      }
    } else if max(before.count, after.count) <= Self.listLimit {
      append(path, Self.edits(before, after, from: start))
    } else {
      append(
        path,
        before.enumerated().map {
          ElementDifference(place: .index(start + $0), old: $1, new: nil)
        }
          + after.enumerated().map {
            ElementDifference(place: .index(start + $0), old: nil, new: $1)
          })
    }
  }

  /// Returns the shortest list of removed and added elements, in the order of their indexes.
  private static func edits(
    _ old: ArraySlice<ComparedValue>, _ new: ArraySlice<ComparedValue>, from start: Int
  ) -> [ElementDifference] {
    let difference = Array(new).difference(from: Array(old))
    let edits: [(position: Int, isNew: Int, element: ElementDifference)] = difference.map { edit in
      switch edit {
      case .remove(let offset, let element, _):
        (
          offset, 0, ElementDifference(place: .index(start + offset), old: element, new: nil)
        )
      case .insert(let offset, let element, _):
        (
          offset, 1, ElementDifference(place: .index(start + offset), old: nil, new: element)
        )
      }
    }
    return edits.sorted { ($0.position, $0.isNew) < ($1.position, $1.isNew) }.map(\.element)
  }
}

extension ComparedValue {
  fileprivate var isEmbedded: Bool {
    if case .embedded = self { true } else { false }
  }
}
