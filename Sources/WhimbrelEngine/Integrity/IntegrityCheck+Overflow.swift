internal import WhimbrelLMDB

extension IntegrityCheck {
  /// Checks that each overflow entry belongs to a record that refers to it.
  ///
  /// - Parameter counted: The number of entries that records refer to. The entries are searched
  ///   only when the table has a different number.
  mutating func checkOverflowOwners(of table: ScannedClass, counted: Int) throws {
    guard let overflow = table.overflow, let objects = table.objects,
      try view.count(overflow) != counted
    else { return }
    let cursor = try view.cursor(overflow)
    var last: (id: ObjectID, property: PropertyID)?
    var isInside = try cursor.move(to: .first)
    while isInside, !findings.isFull {
      let key = cursor.key
      if key.count == 16 {
        let id = ObjectID(rawValue: key.loadBigEndian(at: 0))
        let property = PropertyID(
          rawValue: UInt32(truncatingIfNeeded: key.loadBigEndian(at: 8) >> 32))
        if last?.id != id || last?.property != property {
          try checkOwner(of: property, id, table, objects)
          last = (id, property)
        }
      } else {
        findings.add(.part, table, nil, "an overflow entry has an invalid key")
      }
      isInside = try cursor.move(to: .next)
    }
  }

  private mutating func checkOwner(
    of property: PropertyID, _ id: ObjectID, _ table: ScannedClass, _ objects: Table
  ) throws {
    let record = try view.value(objects, id.rawValue)
    // The scan has already reported a damaged record.
    if let record, table.resolved.layout(of: record) == nil { return }
    let field = record.flatMap { table.resolved.layout(of: $0) }?.layout.fields.first {
      $0.property == property
    }
    guard let record, let field, field.type.isVariable, record.isExternal(at: field.slot) else {
      let name = table.resolved.properties.first { $0.id == property }?.name
      return findings.add(
        .part, table, id, property: name, "it has stored parts that its record does not refer to")
    }
  }
}
