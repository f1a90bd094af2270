internal import WhimbrelEngine

extension EditRun {
  /// Takes an edit back. Calls `report` with each object that is not embedded, and with embedded
  /// objects whose values change.
  ///
  /// - Throws: ``InspectionError`` with `changedMeanwhile`, and `StoreError` if others have taken a
  ///   unique value or a primary key that is to be restored.
  mutating func reverse(
    _ reversal: EditReversal, _ report: (EditedObject) throws -> Void
  ) throws {
    guard reversal.store == session.loaded.header.uuid else {
      throw InspectionError.otherStore(path)
    }
    let objects = try reversal.objects.map { try ReversedObject($0, session, path) }
    var restored: [ObjectReference: Set<Int>] = [:]
    for (object, recorded) in zip(objects, reversal.objects) {
      restored[recorded.reference] = Set(object.positions)
    }
    for object in objects { try object.requireUnchanged(among: restored) }
    let before = try objects.map { try ObjectLook($0, side) }
    try removeAdded(objects)
    for object in objects.reversed() { try object.restoreValues() }
    for object in objects.reversed() { try object.restoreLinks() }
    for (object, look) in zip(objects, before) {
      try object.requireRestored()
      guard let edited = try difference(of: object, look) else { continue }
      try report(edited)
    }
  }

  private func removeAdded(_ objects: [ReversedObject]) throws {
    let added = objects.filter { !$0.wasThere }
    for (_, group) in Dictionary(grouping: added, by: \.table.name).sorted(by: { $0.key < $1.key })
    {
      try group.first?.table.remove(group.map(\.id))
    }
  }

  private mutating func difference(
    of object: ReversedObject, _ before: ObjectLook
  ) throws -> EditedObject? {
    let after = try ObjectLook(object, side)
    var comparison = ValueComparison()
    switch (before.values, after.values) {
    case (let old?, let new?):
      for (position, values) in zip(object.positions, zip(old, new)) {
        comparison.compare(object.table.resolved.properties[position].name, values.0, values.1)
      }
      if comparison.differences.isEmpty { return nil }
      summary.changed += 1
      return EditedObject(
        ObjectDifference(
          kind: .changed, object: after.name, properties: comparison.differences))
    case (nil, let new?):
      if object.table.resolved.isEmbedded { return nil }
      for (position, value) in zip(object.positions, new) {
        comparison.add(object.table.resolved.properties[position].name, value)
      }
      summary.added += 1
      return EditedObject(
        ObjectDifference(kind: .added, object: after.name, properties: comparison.differences))
    case (_?, nil):
      if object.table.resolved.isEmbedded { return nil }
      summary.removed += 1
      return EditedObject(
        ObjectDifference(kind: .removed, object: before.name, properties: []))
    case (nil, nil): return nil
    }
  }
}

/// The name and the recorded values of an object, as people see them.
private struct ObjectLook {
  let name: NamedObject
  /// The values in the order of the positions, or nil if the object does not exist.
  let values: [ComparedValue]?

  init(_ object: ReversedObject, _ side: StoreSide) throws {
    let (table, id) = (object.table, object.id)
    name = try side.name(of: id, table.name)
    values = try table.record(id).map { record in
      try object.positions.map { position in
        try side.compared(
          table.value(position, of: record, id), table.resolved.properties[position].type)
      }
    }
  }
}
