internal import Foundation
internal import WhimbrelEngine

/// What an unmanaged object hands its values to when it is added to a store.
@_documentation(visibility: internal)
public struct ObjectEncoder {
  private let destination: (table: ClassTable, adder: ObjectAdder)?
  /// The position of the one property that is wanted, or nil for all.
  let wanted: Int?
  private(set) var found: PropertyValue = .null
  /// What takes the values as they are, instead of a store.
  @usableFromInline let collector: ValueCollector?

  init(_ table: ClassTable, _ adder: ObjectAdder, wanted: Int? = nil) {
    destination = (table, adder)
    self.wanted = wanted
    collector = nil
  }

  init(_ collector: ValueCollector) {
    destination = nil
    wanted = nil
    self.collector = collector
  }

  var table: ClassTable { required.table }
  var adder: ObjectAdder { required.adder }

  private var required: (table: ClassTable, adder: ObjectAdder) {
    // Whoever collects is given the values before anything asks for the store.
    guard let destination else { stopProgram("The values are for no store.") }
    return destination
  }

  /// Takes the value of a property.
  @inlinable
  public mutating func encode<Value: ModelValue>(_ value: Value, at index: Int) throws {
    if let collector { return collector.take(value, at: index) }
    try Value._$encode(value, into: &self, at: index)
  }

  /// Takes the value of a property that must have one.
  ///
  /// - Throws: ``StoreError`` with `missingValue` when it was never set.
  @inlinable
  public mutating func encode<Value: ModelValue>(required value: Value?, at index: Int) throws {
    if let collector {
      if let value { collector.take(value, at: index) }
      return
    }
    guard let value else { throw _$missing(index) }
    try Value._$encode(value, into: &self, at: index)
  }

  /// The error that a required property was never set.
  public func _$missing(_ index: Int) -> any Error {
    StoreError.missingValue(
      class: table.name, property: table.resolved.properties[index].name)
  }

  /// Stores the bits of a slot.
  public mutating func _$set(_ index: Int, bits: UInt64) {
    if let wanted {
      if wanted == index { found = keyValue(bits, table.resolved.properties[index].type) }
      return
    }
    table.encoder.set(index, bits: bits)
  }

  /// Makes a property nil.
  public mutating func _$setNull(_ index: Int) {
    if wanted == nil { table.encoder.setNull(index) }
  }

  mutating func _$set(_ index: Int, _ text: String) throws {
    if let wanted {
      if wanted == index { found = .string(text) }
      return
    }
    try table.encoder.set(index, text)
  }

  mutating func _$set(_ index: Int, _ data: Data) throws {
    if wanted == nil { try table.encoder.set(index, data) }
  }

  mutating func _$set(_ index: Int, value: PropertyValue) throws {
    if let wanted {
      if wanted == index { found = value }
      return
    }
    try table.encoder.set(index, value)
  }

  /// The elements of a collection; objects among them are added with the object.
  mutating func _$setElements<Element: CollectionElement>(
    _ index: Int, _ elements: some Sequence<Element>, of collection: CollectionStorage
  ) throws {
    guard wanted == nil else { return }
    let values = try elements.map { try $0._$elementValue(adder) }
    try table.encoder.set(index, .list(values.filter { !Element._$isMissing($0) }))
    adder.adopt(collection, index)
  }

  /// The elements of a map.
  mutating func _$setElements<Element: CollectionElement>(
    _ index: Int, _ elements: [String: Element], of collection: CollectionStorage
  ) throws {
    guard wanted == nil else { return }
    let values = try elements.mapValues { try $0._$elementValue(adder) }
    try table.encoder.set(index, .map(values.filter { !Element._$isMissing($0.value) }))
    adder.adopt(collection, index)
  }

  mutating func _$set(_ index: Int, _ uuid: UUID) {
    if let wanted {
      if wanted == index { found = .uuid(uuid) }
      return
    }
    table.encoder.set(index, uuid)
  }

  /// Makes a link lead to an object, or to none.
  public mutating func _$setLink(_ index: Int, _ object: (any Model)?) throws {
    guard wanted == nil else { return }
    guard let object, let target = try adder.link(to: object) else {
      return table.encoder.setNull(index)
    }
    try table.encoder.set(index, .link(target))
  }

  /// The whole number that a primary key's bits are.
  private func keyValue(_ bits: UInt64, _ type: PropertyType) -> PropertyValue {
    switch type {
    case .int8: .int(Int64(Int8(truncatingIfNeeded: bits)))
    case .int16: .int(Int64(Int16(truncatingIfNeeded: bits)))
    case .int32: .int(Int64(Int32(truncatingIfNeeded: bits)))
    default: .int(Int64(bitPattern: bits))
    }
  }
}

/// Takes the values of an unmanaged object as they are.
@usableFromInline
final class ValueCollector {
  /// The values by the positions of their properties; those that were never set are
  /// not in it.
  private(set) var values: [Int: Any] = [:]

  @usableFromInline
  func take(_ value: Any, at index: Int) { values[index] = value }
}
