public import WhimbrelEngine
internal import WhimbrelLMDB

/// What the values of each property of a class are like: how many are nil, how many different ones
/// there are, between which bounds they lie, how they are spread, and which occur most often. This
/// is what `whimbrel stats` writes.
///
/// ```swift
/// let statistics = try StoreStatistics(of: ObjectSelection("Zone"), in: inspector)
/// print(statistics.text())
/// ```
///
/// Of a collection the elements are looked at. All is counted, but for the number of different
/// values where these are more than 65,536: that is estimated then, and said to be. Values that
/// occur most often are found if they are more than one in 1,024.
public struct StoreStatistics: Sendable {
  /// The class.
  public let className: String
  /// How many objects were looked at.
  public let objects: Int
  /// The properties in the order declared.
  public let properties: [PropertyStatistics]

  /// Looks at objects of a class.
  ///
  /// - Throws: `StoreError` with `unknownClass` or `invalidQuery`, or for a damaged object, and
  ///   ``InspectionError`` with `cancelled`.
  /// - Complexity: O(*n*), in memory for some megabytes a property and, where there is a query, for 8
  ///   bytes an object. The objects are gone through twice.
  public init(
    of selection: ObjectSelection, in inspector: StoreInspector, monitor: WorkMonitor = .silent
  ) throws {
    let table = try selection.table(in: inspector.session)
    let rows = ObjectRows(table: table, selection: selection, offset: 0, limit: nil)
    let tallies = try table.resolved.properties.indices.map { try PropertyTally($0, of: table) }
    var count = 0
    func forEach(_ step: String, _ body: (PropertyTally, ObjectID, PageBytes) throws -> Void) throws
    {
      count = 0
      try rows.forEach { id, record in
        for tally in tallies { try body(tally, id, record) }
        count += 1
        if count % 1_000 == 0 {
          try monitor.update(
            "\(step) \(PlainText.escaped(table.name))", count, of: nil,
            orThrow: InspectionError.cancelled(inspector.path, "look at the values of"))
        }
      }
    }
    properties = try inspector.explaining {
      try forEach("Looking at") { try $0.look($1, $2) }
      let needsSecondPass = tallies.map { $0.beginSecondPass() }.contains(true)
      if needsSecondPass { try forEach("Counting") { try $0.count($1, $2) } }
      let texts = ValueText(inspector.session, limit: 60)
      return try tallies.map { try $0.result(texts) }
    }
    className = table.name
    objects = count
  }
}

/// What the values of a property are like.
public struct PropertyStatistics: Hashable, Sendable {
  /// The class.
  public let className: String
  /// The name of the property.
  public let name: String
  /// Its type as schemas spell it, with `?` behind it if it may be nil.
  public let type: String
  /// How many objects there are.
  public let objects: Int
  /// How many values are nil.
  public let nils: Int
  /// How many are not: of a collection the elements.
  public let values: Int
  /// How many different values there are.
  public let distinct: Int
  /// Whether that is exact, and not estimated.
  public let isDistinctExact: Bool
  /// The least and the greatest number or date, or nil.
  public internal(set) var minimum: PropertyValue?
  /// The greatest number or date, or nil.
  public internal(set) var maximum: PropertyValue?
  /// The mean of numbers or dates that are finite, or nil.
  public internal(set) var mean: PropertyValue?
  /// How many characters texts have, or bytes data, or nil.
  public internal(set) var lengths: ClosedRange<Int>?
  /// How many elements collections have, or nil.
  public internal(set) var sizes: ClosedRange<Int>?
  /// How numbers or dates are spread: ten parts from the least to the greatest, of the same width.
  public internal(set) var histogram: [Bar] = []
  /// The values that occur most often, at most five.
  public internal(set) var top: [Frequency] = []

  /// How many of the most frequent values are shown.
  static let topCount = 5

  /// A part of a histogram.
  public struct Bar: Hashable, Sendable {
    /// Where it begins: a number, or a date.
    public let from: PropertyValue
    /// Where it ends; only the last has its end.
    public let to: PropertyValue
    /// How many values lie in it.
    public let count: Int
  }

  /// A value, and how often it occurs.
  public struct Frequency: Hashable, Sendable {
    /// The value; a text of more than 200 bytes is cut.
    public let value: PropertyValue
    /// The value for people: a link is the class and the key of what it leads to.
    public let text: String
    /// How often it occurs.
    public let count: Int
  }
}
