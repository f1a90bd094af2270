internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection
internal import WhimbrelLMDB

struct PrunedFile {
  let path: String
  let plan: PruningPlan

  /// Writes the file within its limit, then checks that it shows every facet.
  func write() throws -> PruningReport {
    let (choice, bytes) = try writeWithinLimit()
    do {
      let made = try StoreFacets(StoreInspector(path: path), monitor: plan.monitor)
      try plan.requireFacets(in: made)
    } catch {
      remove()
      throw error
    }
    return plan.report(choice, bytes: bytes)
  }

  /// Writes as many objects of each class as the limit allows, at most those asked for. Removes the
  /// file after an error.
  ///
  /// - Complexity: Writes the store O(log *m*) times for *m* objects asked for.
  private func writeWithinLimit() throws -> (PruningPlan.Choice, Int) {
    var choice = try plan.choose()
    let wanted = choice.perClass
    var bytes = try write(choice)
    guard let limit = plan.options.byteLimit, bytes > limit else { return (choice, bytes) }
    remove()
    // Invariant: `low` fits or is -1, and `high` does not fit.
    var (low, high) = (-1, wanted)
    while high - low > 1 {
      let middle = (low + high) / 2
      bytes = try write(try plan.choose(perClass: middle))
      remove()
      if bytes <= limit { low = middle } else { high = middle }
    }
    choice = try plan.choose(perClass: max(low, 0))
    guard low >= 0 else { throw try tooLarge(choice, limit) }
    return (choice, try write(choice))
  }

  /// Removes the file and its lock file, which this pruning created.
  private func remove() {
    try? FileManager.default.removeItem(atPath: path)
    try? FileManager.default.removeItem(atPath: path + "-lock")
  }

  /// Writes the kept objects and returns the size of the file.
  private func write(_ choice: PruningPlan.Choice) throws -> Int {
    let (scan, monitor) = (plan.scan, plan.monitor)
    let copy = try StoreCopy(of: plan.inspector.session, to: path, dropping: scan.dropped)
    for (classIndex, table) in scan.numbers.tables.enumerated() {
      let range = scan.numbers.range(of: classIndex)
      for index in range where choice.kept.contains(ObjectNumber(index)) {
        let object = ObjectNumber(index)
        if index % 1_024 == 0 {
          try monitor.update(
            "Copying \(table.name)", index - range.lowerBound, of: range.count,
            orThrow: PruningPlan.cancelled(plan.inspector))
        }
        try copy.add(
          scan.numbers.id(of: object, in: classIndex), of: table,
          changing: scan.changes(of: object, in: classIndex, among: choice.kept))
      }
    }
    let isNamed = try copy.finish { name, completed, total in
      try monitor.update(
        "Indexing \(name)", completed, of: total, orThrow: PruningPlan.cancelled(plan.inspector))
    }
    guard isNamed else { throw InspectionError.fileExists(path, "prune the store into") }
    return FileManager.default.byteCount(atPath: path) ?? 0
  }

  /// Returns the error for a limit that is too small even for the objects that show the facets.
  private func tooLarge(_ choice: PruningPlan.Choice, _ limit: Int) throws -> InspectionError {
    let scan = plan.scan
    var largest: (bytes: Int, table: ClassTable, id: ObjectID)?
    var total = 0
    for (classIndex, table) in scan.numbers.tables.enumerated() {
      for index in scan.numbers.range(of: classIndex)
      where choice.kept.contains(ObjectNumber(index)) {
        let id = scan.numbers.id(of: ObjectNumber(index), in: classIndex)
        let bytes = try byteCount(of: id, in: table)
        total += bytes
        if bytes > largest?.bytes ?? 0 { largest = (bytes, table, id) }
      }
    }
    return InspectionError.tooLarge(
      path, limit: limit, objects: choice.kept.count, bytes: total,
      largest: try largest.map {
        "object \(try $0.table.objectName($0.id)) of class \(PlainText.quoted($0.table.name)), with "
          + "\($0.bytes)"
      })
  }

  /// Returns the number of bytes of an object, in its record and in overflow.
  private func byteCount(of id: ObjectID, in table: ClassTable) throws -> Int {
    guard let record = try table.record(id) else { return 0 }
    let overflow = table.overflow(of: id)
    return try table.layout(of: record, id).layout.propertiesWithOverflow(record)
      .reduce(record.count) { try $0 + overflow.byteCount(of: $1) }
  }
}
