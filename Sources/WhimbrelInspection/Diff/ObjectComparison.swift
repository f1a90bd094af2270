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
    // Of objects that are not yet converted, only what both sides have is compared.
    let (oldReader, _) = try oldTable.reading(before.record, before.id)
    let (newReader, _) = try newTable.reading(after.record, after.id)
    var comparison = ValueComparison()
    var compared: Set<PropertyID> = []
    for property in pair.properties {
      guard newTable.position(property.newPosition, in: newReader) != nil,
        property.oldPosition.map({ oldTable.position($0, in: oldReader) != nil })
          ?? (oldReader === oldTable)
      else { continue }
      compared.insert(property.new.id)
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
    if oldReader !== oldTable || newReader !== newTable {
      let ignored = Set(newTable.resolved.properties.map(\.id))
        .subtracting(pair.properties.map(\.new.id))
      try compareAsTheyWere(
        (oldReader, before), (newReader, after), without: compared.union(ignored), &comparison)
    }
    return comparison.differences
  }

  /// Compares what two objects had before a migration that has not converted one of them.
  ///
  /// - Parameter compared: The properties that were compared already, or are not to be.
  private func compareAsTheyWere(
    _ before: (reader: ClassTable, entry: ObjectWalk.Entry),
    _ after: (reader: ClassTable, entry: ObjectWalk.Entry), without compared: Set<PropertyID>,
    _ comparison: inout ValueComparison
  ) throws {
    let properties = after.reader.resolved.properties
    for (position, property) in properties.enumerated() where !compared.contains(property.id) {
      let other = before.reader.resolved.properties.firstIndex {
        $0.name == property.name && $0.type == property.type
      }
      guard let other else { continue }
      let left = try before.reader.value(other, of: before.entry.record, before.entry.id)
      let right = try after.reader.value(position, of: after.entry.record, after.entry.id)
      if left.isIdentical(to: right) { continue }
      let (old, new) = (
        try old.compared(left, property.type), try new.compared(right, property.type)
      )
      if old != new { comparison.compare(property.name, old, new) }
    }
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
