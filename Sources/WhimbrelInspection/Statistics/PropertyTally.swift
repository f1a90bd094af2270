internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A collector of the statistics of one property, in two passes.
final class PropertyTally {
  private let position: Int
  private let table: ClassTable
  private let property: CatalogProperty
  private let path: BoundPath
  /// The type of the values. For a collection it is the type of the elements.
  private let type: PropertyType

  private var objects = 0
  private var nils = 0
  private var values = 0
  private var distinct = DistinctCount()
  private var frequent = FrequentValues()
  private var least = QueryAccumulator(.minimum)
  private var greatest = QueryAccumulator(.maximum)
  private var sum = 0.0
  private var measured = 0
  private var bounds: (least: Double, greatest: Double)?
  private var lengths = Range()
  private var sizes = Range()
  private var histogram: Histogram?

  /// The least count, the greatest count, and the sum of the counts.
  private struct Range {
    var least = Int.max
    var greatest = 0
    var sum = 0

    mutating func add(_ count: Int) {
      least = min(least, count)
      greatest = max(greatest, count)
      sum += count
    }
  }

  init(_ position: Int, of table: ClassTable) throws {
    self.position = position
    self.table = table
    property = table.resolved.properties[position]
    path = try BoundPath(QueryPath(property.name), in: table)
    type = property.type.elementType?.type ?? property.type
  }

  /// Adds an object in the first pass.
  func look(_ id: ObjectID, _ record: PageBytes) throws {
    objects += 1
    guard property.type.isCollection else {
      return look(at: try table.value(position, of: record, id))
    }
    try table.readCollection(position, of: id) { reader in
      sizes.add(reader.count)
      try reader.forEach { _, value in look(at: value) }
    }
  }

  private func look(at value: PropertyValue) {
    if value.isNull {
      nils += 1
      return
    }
    values += 1
    let hash = value.statisticalHash
    distinct.add(hash)
    frequent.add(value, hash: hash)
    switch value {
    case .string(let text): lengths.add(text.count)
    case .data(let data): lengths.add(data.count)
    default: break
    }
    guard type != .any, let number = value.measure else { return }
    least.add(value)
    greatest.add(value)
    guard number.isFinite else { return }
    sum += number
    measured += 1
    bounds = (min(bounds?.least ?? number, number), max(bounds?.greatest ?? number, number))
  }

  /// Starts the second pass. Returns whether it has anything to count.
  func beginSecondPass() -> Bool {
    frequent.beginSecondPass()
    histogram = bounds.map { Histogram($0.least, $0.greatest) }
    return histogram != nil || frequent.needsSecondPass
  }

  /// Adds an object in the second pass.
  func count(_ id: ObjectID, _ record: PageBytes) throws {
    guard histogram != nil || frequent.needsSecondPass else { return }
    guard property.type.isCollection else {
      return count(try table.value(position, of: record, id))
    }
    try table.readCollection(position, of: id) { reader in
      try reader.forEach { _, value in count(value) }
    }
  }

  private func count(_ value: PropertyValue) {
    if value.isNull { return }
    if let number = value.measure { histogram?.add(number) }
    if frequent.needsSecondPass { frequent.count(hash: value.statisticalHash) }
  }
}

extension PropertyTally {
  func result(_ texts: ValueText) throws -> PropertyStatistics {
    var result = PropertyStatistics(
      className: table.name, name: property.name,
      type: "\(property.type)\(property.isOptional && property.type.linkTarget == nil ? "?" : "")",
      objects: objects, nils: nils, values: values,
      distinct: property.isPrimaryKey ? values : distinct.count,
      isDistinctExact: property.isPrimaryKey || distinct.isExact)
    // `PropertyValue` has a nil case of its own, so the optional members are
    // set only if there is a value.
    if measured > 0 { result.mean = value(sum / Double(measured)) }
    let (least, greatest) = (try least.result(of: path), try greatest.result(of: path))
    if !least.isNull { result.minimum = least }
    if !greatest.isNull { result.maximum = greatest }
    if lengths.least <= lengths.greatest {
      result.lengths = lengths.least...lengths.greatest
    }
    if property.type.isCollection, sizes.least <= sizes.greatest {
      result.sizes = sizes.least...sizes.greatest
    }
    if let histogram {
      result.histogram = histogram.counts.enumerated().map { index, count in
        PropertyStatistics.Bar(
          from: value(histogram.start(index)), to: value(histogram.start(index + 1)), count: count)
      }
    }
    result.top = try frequent.top(PropertyStatistics.topCount, of: values).map { value, count in
      PropertyStatistics.Frequency(
        value: value, text: try texts.text(value, as: type), count: count)
    }
    return result
  }

  /// Returns a number, or a date if the property holds dates.
  private func value(_ number: Double) -> PropertyValue {
    type == .date ? .date(Date(timeIntervalSinceReferenceDate: number)) : .double(number)
  }
}
