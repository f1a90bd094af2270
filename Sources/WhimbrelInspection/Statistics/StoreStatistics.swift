public import WhimbrelEngine
internal import WhimbrelLMDB

/// The statistics of the properties of a class, as `whimbrel stats` writes them: the number of nils
/// and of distinct values, the bounds, a histogram, and the most frequent values.
///
/// ```swift
/// let statistics = try StoreStatistics(of: ObjectSelection("Zone"), in: inspector)
/// print(try statistics.text())
/// ```
///
/// For a collection the statistics describe its elements. All numbers are exact, except the number
/// of distinct values if it reaches 131,072: then it is an estimate and marked so. The most frequent
/// values are found if they make up more than 1 in 1,024.
public struct StoreStatistics: Sendable {
  /// The name of the class.
  public let className: String
  /// The number of objects that were looked at.
  public let objects: Int
  /// Whether these are all objects of the selection, and not only the first of them.
  public let isComplete: Bool
  /// The properties in the declared order, or those asked for in their order.
  public let properties: [PropertyStatistics]

  /// Computes the statistics of objects of a class.
  ///
  /// - Parameters:
  ///   - selection: The objects.
  ///   - names: The names of properties separated by commas, such as `latitude, area`. A name with
  ///     a comma needs quotes. The default, nil, is all properties.
  ///   - limit: The limit of objects to look at: the first ones of the selection. The default is
  ///     all.
  ///   - inspector: The store.
  ///   - monitor: Receives the progress.
  /// - Throws: `StoreError` with `unknownClass` or `invalidQuery`, or for a damaged object, and
  ///   ``InspectionError`` with `cancelled`, or with `badArgument` for a name of no property.
  /// - Complexity: O(*n*). Memory: some megabytes per property, and 8 bytes per object if there is
  ///   a query or a limit. The objects are read twice.
  public init(
    of selection: ObjectSelection, properties names: String? = nil, limit: Int? = nil,
    in inspector: StoreInspector, monitor: WorkMonitor = .silent
  ) throws {
    let table = try selection.table(in: inspector.session)
    let limit = limit.map { max(0, $0) }
    // One object more says whether there are more.
    let rows = ObjectRows(
      table: table, selection: selection, offset: 0,
      limit: limit.flatMap { $0 < .max ? $0 + 1 : nil })
    let positions =
      try names.map { try ObjectColumn.positions($0, of: table) }
      ?? Array(table.resolved.properties.indices)
    let tallies = try positions.map { try PropertyTally($0, of: table) }
    let total = selection.query.isEmpty ? try min(table.count(), limit ?? .max) : nil
    var (count, isComplete) = (0, true)
    func forEach(_ step: String, _ body: (PropertyTally, ObjectID, PageBytes) throws -> Void) throws
    {
      count = 0
      try rows.forEach { id, record in
        if let limit, count == limit {
          isComplete = false
          return
        }
        let reader = try table.reading(record, id).table
        for (position, tally) in zip(positions, tallies)
        where table.position(position, in: reader) != nil { try body(tally, id, record) }
        count += 1
        if count % 1_000 == 0 {
          try monitor.update(
            "\(step) \(PlainText.escaped(table.name))", count, of: total,
            orThrow: InspectionError.cancelled(inspector.path, "read the values of"))
        }
      }
    }
    properties = try inspector.explaining {
      try forEach("Reading") { try $0.look($1, $2) }
      let needsSecondPass = tallies.map { $0.beginSecondPass() }.contains(true)
      if needsSecondPass { try forEach("Counting") { try $0.count($1, $2) } }
      let texts = ValueText(inspector.session, limit: 60)
      return try tallies.map { try $0.result(texts) }
    }
    className = table.name
    objects = count
    self.isComplete = isComplete
  }
}

/// The statistics of a property.
public struct PropertyStatistics: Hashable, Sendable {
  /// The name of the class.
  public let className: String
  /// The name of the property.
  public let name: String
  /// The type as schemas spell it, with a trailing `?` if the property may be nil.
  public let type: String
  /// The number of objects.
  public let objects: Int
  /// The number of nils.
  public let nils: Int
  /// The number of values that are not nil. For a collection it is the number of elements.
  public let values: Int
  /// The number of distinct values.
  public let distinct: Int
  /// Whether ``distinct`` is exact and not an estimate.
  public let isDistinctExact: Bool
  /// The least number or date, or nil.
  public internal(set) var minimum: PropertyValue?
  /// The greatest number or date, or nil.
  public internal(set) var maximum: PropertyValue?
  /// The mean of the finite numbers or dates, or nil.
  public internal(set) var mean: PropertyValue?
  /// The least and the greatest length of strings in characters or of data in bytes, or nil.
  public internal(set) var lengths: ClosedRange<Int>?
  /// The least and the greatest number of elements of a collection, or nil.
  public internal(set) var sizes: ClosedRange<Int>?
  /// The histogram of numbers or dates: ten bars of equal width from the minimum to the maximum.
  public internal(set) var histogram: [Bar] = []
  /// The most frequent values, at most five.
  public internal(set) var top: [Frequency] = []

  /// The limit of the most frequent values.
  static let topCount = 5

  /// A bar of a histogram.
  public struct Bar: Hashable, Sendable {
    /// The lower bound, a number or a date.
    public let from: PropertyValue
    /// The upper bound, which belongs to the bar only in the last bar.
    public let to: PropertyValue
    /// The number of values in the bar.
    public let count: Int
  }

  /// A value and its frequency.
  public struct Frequency: Hashable, Sendable {
    /// The value. A string of more than 200 bytes is cut.
    public let value: PropertyValue
    /// The value for people. A link is the class and the key of its target.
    public let text: String
    /// The number of times the value occurs.
    public let count: Int
  }
}
