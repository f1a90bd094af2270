internal import Foundation
internal import WhimbrelLMDB

/// A scan that aggregates a property of all objects, or of those that meet a condition.
///
/// A number that has a slot of its own is read in place. Other values take the general path.
struct AggregatingScan: ObjectScan {
  private let aggregate: QueryAggregate
  private let path: BoundPath
  private var filter: ConditionFilter?
  private var place: Place?
  private var rest: QueryAccumulator
  private var count = 0
  private var whole: Int128 = 0
  private var floating = 0.0
  private var leastWhole = Int64.max
  private var greatestWhole = Int64.min
  private var leastFloating = Double.infinity
  private var greatestFloating = -Double.infinity

  /// The position of a number in the records of one layout.
  private struct Place {
    var layoutID: LayoutID
    var fixedSize: Int
    /// The kind of the number, or nil if values take the general path.
    var kind: ConditionProgram.Instruction.Kind?
    var offset = 0
    var presence = -1
  }

  init(_ aggregate: QueryAggregate, _ path: BoundPath, _ condition: BoundCondition?) {
    self.aggregate = aggregate
    self.path = path
    filter = condition.map(ConditionFilter.init)
    rest = QueryAccumulator(aggregate)
  }

  var firstOffset: Int { filter?.firstOffset ?? place?.offset ?? 0 }

  @inline(__always)
  mutating func take(_ id: ObjectID, _ record: PageBytes, _ source: QuerySource) throws {
    if filter != nil, try filter?.accepts(id, record, source) != true { return }
    let record = try filter?.current(record, id, source) ?? record
    if let place, record.count >= 8, record.layoutID == place.layoutID,
      record.count >= place.fixedSize
    {
      return try add(place, id, record, source)
    }
    let place = try findPlace(record, id)
    self.place = place
    try add(place, id, record, source)
  }

  @inline(__always)
  private mutating func add(
    _ place: Place, _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws {
    if place.presence >= 0, !record.hasBit(place.presence) { return }
    switch place.kind {
    case .double?: add(record.double(at: place.offset))
    case .float?: add(Double(record.float(at: place.offset)))
    case nil: try addGenerally(id, record, source)
    case let kind?: add(record.whole(kind, at: place.offset))
    }
  }

  @inline(__always)
  private mutating func add(_ number: Double) {
    switch aggregate {
    case .sum, .average:
      floating += number
      count += 1
    case .minimum, .maximum:
      if number.isNaN { return }
      leastFloating = number < leastFloating ? number : leastFloating
      greatestFloating = number > greatestFloating ? number : greatestFloating
      count += 1
    }
  }

  @inline(__always)
  private mutating func add(_ number: Int64) {
    count += 1
    switch aggregate {
    case .sum, .average: whole += Int128(number)
    case .minimum: leastWhole = min(leastWhole, number)
    case .maximum: greatestWhole = max(greatestWhole, number)
    }
  }

  @inline(never)
  private mutating func addGenerally(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws {
    _ = try path.forEachValue(id, record, source) { value in
      rest.add(value)
      return true
    }
  }

  @inline(never)
  private func findPlace(_ record: PageBytes, _ id: ObjectID) throws -> Place {
    let layout = try path.table.layout(of: record, id)
    var place = Place(layoutID: layout.layout.id, fixedSize: layout.layout.fixedSize)
    guard let position = path.position, layout.slots[position].access != .conversion,
      let field = layout.fields[position],
      let kind = field.wholeKind ?? field.type.floatingKind
    else { return place }
    place.kind = kind
    place.offset = field.slot.offset
    place.presence = field.presence ?? -1
    return place
  }
}

// MARK: - Results

extension AggregatingScan {
  mutating func append(_ next: AggregatingScan) {
    rest.merge(next.accumulator)
  }

  func result() throws -> PropertyValue { try accumulator.result(of: path) }

  /// The accumulator of all values.
  private var accumulator: QueryAccumulator {
    var all = rest
    guard count > 0 else { return all }
    let isFloating =
      switch path.storedType {
      case .double?, .float?, .date?: true
      default: false
      }
    switch aggregate {
    case .sum, .average:
      if isFloating {
        all.add(floating: floating, count: count)
      } else {
        all.add(whole: whole, count: count)
      }
    case .minimum: all.add(isFloating ? value(leastFloating) : .int(leastWhole))
    case .maximum: all.add(isFloating ? value(greatestFloating) : .int(greatestWhole))
    }
    return all
  }

  private func value(_ number: Double) -> PropertyValue {
    switch path.storedType {
    case .date?: .date(Date(timeIntervalSinceReferenceDate: number))
    case .float?: .float(Float(number))
    default: .double(number)
    }
  }
}
