internal import WhimbrelEngine

/// A comparison of the objects of one class.
struct ObjectComparison {
  private let pair: ClassPair
  private let old: StoreSide
  private let new: StoreSide
  private let same: SameRecords

  enum Detail {
    /// The first difference only.
    case first
    /// All differences.
    case all
  }

  init(_ pair: ClassPair, _ old: StoreSide, _ new: StoreSide, _ same: SameRecords) {
    self.same = same
    self.pair = pair
    self.old = old
    self.new = new
  }

  /// Returns the differences of an object. Empty if there are none.
  ///
  /// - Throws: `StoreError` with `damaged` if one of the objects or a part of
  ///   it is damaged.
  func differences(
    _ before: ObjectWalk.Entry, _ after: ObjectWalk.Entry, _ detail: Detail
  ) throws -> [PropertyDifference] {
    guard let oldTable = pair.old, let newTable = pair.new else { return [] }
    let oldLayout = try oldTable.layout(of: before.record, before.id)
    let newLayout = try newTable.layout(of: after.record, after.id)
    if try same.areSame(before, after, pair) { return [] }
    var comparison = ValueComparison()
    for property in pair.properties {
      let right = try newTable.explaining(after.id) {
        try newLayout.value(
          property.newPosition, of: after.record, newTable.overflow(of: after.id))
      }
      if let position = property.oldPosition {
        let left = try oldTable.explaining(before.id) {
          try oldLayout.value(position, of: before.record, oldTable.overflow(of: before.id))
        }
        try compare(property, left, right, &comparison)
      } else if !property.isFill(right) {
        comparison.add(property.name, try new.compared(right, property.new.type))
      }
      if detail == .first, !comparison.differences.isEmpty { break }
    }
    return comparison.differences
  }

  private func compare(
    _ property: PropertyPair, _ left: PropertyValue, _ right: PropertyValue,
    _ comparison: inout ValueComparison
  ) throws {
    if property.isPlain {
      if left.isIdentical(to: right) { return }
      return comparison.compare(property.name, .scalar(left), .scalar(right))
    }
    guard let before = property.old else { return }
    let after = try new.compared(right, property.new.type)
    let migrated = try property.migrated(left, old.classID).map {
      try old.compared($0, property.new.type)
    }
    if migrated == after { return }
    let stored = try old.compared(left, before.type)
    // A lossless conversion in the other direction also counts as no change.
    if let back = property.migratedBack(right, new.classID),
      try new.compared(back, before.type) == stored
    {
      return
    }
    comparison.compare(property.name, migrated ?? stored, after)
  }
}
