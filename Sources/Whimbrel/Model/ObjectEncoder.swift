internal import Foundation
internal import WhimbrelEngine

/// An encoder that receives the values of an unmanaged object when it is added to a store.
@safe
@_documentation(visibility: internal)
public struct ObjectEncoder {
  // Safe: an encoder exists only while its adder encodes an object, and the adder keeps the session,
  // which keeps its tables.
  @safe private let unsafeTable: Unmanaged<ClassTable>?
  @safe private let unsafeAdder: Unmanaged<ObjectAdder>?
  /// The index of the only property to encode; nil to encode all.
  let wanted: Int?
  private(set) var found: PropertyValue = .null
  /// The collector that receives the values when there is no store.
  @usableFromInline let collector: ValueCollector?

  init(_ table: ClassTable, _ adder: ObjectAdder, wanted: Int? = nil) {
    unsafe unsafeTable = .passUnretained(table)
    unsafe unsafeAdder = .passUnretained(adder)
    self.wanted = wanted
    collector = nil
  }

  init(_ collector: ValueCollector) {
    unsafeTable = nil
    unsafeAdder = nil
    wanted = nil
    self.collector = collector
  }

  // With a collector, every value is taken before `table` or `adder` is used.

  var table: ClassTable {
    guard let unsafeTable else { stopProgram("The values are not for a store.") }
    return unsafe unsafeTable.takeUnretainedValue()
  }

  /// Calls `body` with the table, without counting references.
  @inline(__always)
  private func withTable<Result>(_ body: (ClassTable) throws -> Result) rethrows -> Result {
    guard let unsafeTable else { stopProgram("The values are not for a store.") }
    return try unsafe unsafeTable._withUnsafeGuaranteedRef(body)
  }

  var adder: ObjectAdder {
    guard let unsafeAdder else { stopProgram("The values are not for a store.") }
    return unsafe unsafeAdder.takeUnretainedValue()
  }

  /// Encodes the value of a property.
  @inlinable
  public mutating func encode<Value: ModelValue>(_ value: Value, at index: Int) throws {
    if let collector { return collector.take(value, at: index) }
    try Value._$encode(value, into: &self, at: index)
  }

  /// Encodes the value of a required property.
  ///
  /// - Throws: ``StoreError`` with `missingValue` if the property was never set.
  @inlinable
  public mutating func encode<Value: ModelValue>(required value: Value?, at index: Int) throws {
    if let collector {
      if let value { collector.take(value, at: index) }
      return
    }
    guard let value else { throw _$missing(index) }
    try Value._$encode(value, into: &self, at: index)
  }

  /// Returns the error for a required property that was never set.
  public func _$missing(_ index: Int) -> any Error {
    StoreError.missingValue(
      class: table.name, property: table.resolved.properties[index].name)
  }

  /// Sets the bits of a slot.
  public mutating func _$set(_ index: Int, bits: UInt64) {
    if wanted != nil { return find(index, bits) }
    withTable { $0.encode(index, bits: bits) }
  }

  private mutating func find(_ index: Int, _ bits: UInt64) {
    if wanted == index { found = keyValue(bits, table.resolved.properties[index].type) }
  }

  /// Sets a property to nil.
  public mutating func _$setNull(_ index: Int) {
    if wanted == nil { withTable { $0.encodeNull(index) } }
  }

  mutating func _$set(_ index: Int, _ text: String) throws {
    if let wanted {
      if wanted == index { found = .string(text) }
      return
    }
    try withTable { try $0.encode(index, text) }
  }

  mutating func _$set(_ index: Int, _ data: Data) throws {
    if wanted == nil { try withTable { try $0.encode(index, data) } }
  }

  mutating func _$set(_ index: Int, value: PropertyValue) throws {
    if let wanted {
      if wanted == index { found = value }
      return
    }
    try table.encode(index, value)
  }

  /// Encodes the elements of a collection, and adds the objects among them.
  mutating func _$setElements<Element: CollectionElement>(
    _ index: Int, _ elements: some Sequence<Element>, of collection: CollectionStorage
  ) throws {
    guard wanted == nil else { return }
    let values = try table.linking(from: index) {
      try elements.map { try $0._$elementValue(adder) }
    }
    try table.encode(index, .list(values.filter { !Element._$isMissing($0) }))
    adder.adopt(collection, index)
  }

  /// Encodes the entries of a map, and adds the objects among them.
  mutating func _$setElements<Element: CollectionElement>(
    _ index: Int, _ elements: [String: Element], of collection: CollectionStorage
  ) throws {
    guard wanted == nil else { return }
    let values = try table.linking(from: index) {
      try elements.mapValues { try $0._$elementValue(adder) }
    }
    try table.encode(index, .map(values.filter { !Element._$isMissing($0.value) }))
    adder.adopt(collection, index)
  }

  mutating func _$set(_ index: Int, _ uuid: UUID) {
    if let wanted {
      if wanted == index { found = .uuid(uuid) }
      return
    }
    withTable { $0.encode(index, uuid) }
  }

  /// Sets a link to an object, or to nil.
  public mutating func _$setLink(_ index: Int, _ object: (any Model)?) throws {
    guard wanted == nil else { return }
    let target = try object.flatMap { object in
      try table.linking(from: index) { try adder.link(to: object) }
    }
    guard let target else { return table.encodeNull(index) }
    try table.encode(index, .link(target))
  }

  /// Returns the integer that the bits of a primary key represent.
  private func keyValue(_ bits: UInt64, _ type: PropertyType) -> PropertyValue {
    switch type {
    case .int8: .int(Int64(Int8(truncatingIfNeeded: bits)))
    case .int16: .int(Int64(Int16(truncatingIfNeeded: bits)))
    case .int32: .int(Int64(Int32(truncatingIfNeeded: bits)))
    default: .int(Int64(bitPattern: bits))
    }
  }
}

/// A collector of the values of an unmanaged object.
@usableFromInline
final class ValueCollector {
  /// The values by the indexes of their properties. A property that was never set has no entry.
  private(set) var values: [Int: Any] = [:]

  @usableFromInline
  func take(_ value: Any, at index: Int) { values[index] = value }
}
