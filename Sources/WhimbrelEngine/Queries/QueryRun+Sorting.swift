internal import WhimbrelLMDB

extension QueryRun {
  /// Sorts objects, and returns the first ones or all.
  ///
  /// - Parameter fill: A closure that adds the objects to the buffer.
  mutating func sort(
    _ order: QueryOrder, upTo most: Int?,
    _ fill: (inout SortBuffer, inout QueryTally) throws -> Void
  ) throws -> [ObjectID] {
    let limit = try sortLimit(upTo: most)
    tally.sorts.append(limit)
    var buffer = SortBuffer(order, limit: limit)
    try fill(&buffer, &tally)
    return buffer.sorted()
  }

  /// Returns the number of objects that a sort keeps at a time, or nil for all.
  ///
  /// A heap of few objects saves memory and comparisons. A heap of a quarter of the class or more
  /// costs more than sorting all objects once. The objects of a migration or a rule are those of a
  /// collection, and their class cannot be counted.
  func sortLimit(upTo most: Int?) throws -> Int? {
    if table.isOfMigration { return nil }
    return try most.flatMap { try $0 < table.count() / 4 ? $0 : nil }
  }

  /// Returns the first object of each group with the same values.
  mutating func distinct(
    _ ids: [ObjectID], _ order: QueryOrder, upTo most: Int?
  ) throws -> [ObjectID] {
    var reader = OrderReader(order, isJoined: true)
    var known: Set<DistinctValues> = []
    var result: [ObjectID] = []
    for id in ids where result.count < most ?? .max {
      let entry = try reader.entry(of: table.requiredRecord(id, &tally), id)
      if known.insert(DistinctValues(entry: entry)).inserted { result.append(id) }
    }
    return result
  }
}

/// The values of an object as bytes. They must not outlive the reader that created them.
private struct DistinctValues: Hashable {
  let entry: SortEntry

  private var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: entry.text, count: Int(entry.length) - 1)
  }

  static func == (left: DistinctValues, right: DistinctValues) -> Bool {
    unsafe left.entry.length == right.entry.length && left.bytes.elementsEqual(right.bytes)
  }

  func hash(into hasher: inout Hasher) {
    unsafe hasher.combine(bytes: bytes)
  }
}
