package import WhimbrelLMDB

/// How to read the properties that a class has now from the records of one
/// layout, which may be older.
///
/// It is worked out once for each layout; a read then goes by offset.
@safe
package final class ResolvedLayout: Sendable {
  /// The way to one property.
  package struct Slot: BitwiseCopyable, Sendable {
    package var offset: Int32
    /// The number of the bit that says whether there is a value.
    package var presence: Int32
    package var access: Access
  }

  /// How a property is read.
  package enum Access: UInt8, BitwiseCopyable, Sendable {
    /// The slot has a value of the type wanted.
    case direct
    /// The slot has a value of the type wanted if the bit is set.
    case present
    /// Something else has to be done: see ``Detour``.
    case detour
  }

  /// The way to a property whose value is not simply stored.
  package enum Detour: Sendable {
    /// The records do not have it: all have this value.
    case filled(PropertyValue)
    /// It is stored as another type, or may be nil where nil is not wanted.
    case converted(RecordField, Conversion, nilBecomes: PropertyValue)
  }

  package let layout: RecordLayout
  /// By the position of the property in its class.
  package let slots: [Slot]
  /// The same, for reading without counting references.
  private let slotArray: StaticArray<Slot>
  package var slotView: StaticArray<Slot>.View { slotArray.view }
  let detours: [Int: Detour]
  /// By the position of the property in its class.
  let fields: [RecordField?]

  /// - Parameter properties: the properties of the class, in its order.
  package init(_ layout: RecordLayout, for properties: [CatalogProperty]) {
    self.layout = layout
    var slots: [Slot] = []
    var detours: [Int: Detour] = [:]
    var fields: [RecordField?] = []
    for (index, property) in properties.enumerated() {
      let field =
        layout.fields.first { $0.property == property.id }
        ?? layout.fields.first { $0.property == property.source }
      var slot = Slot(offset: 0, presence: -1, access: .detour)
      if let field {
        slot.offset = Int32(field.offset)
        slot.presence = Int32(field.presence ?? -1)
        // An optional value read as a required one may be nil all the same: it
        // then gives what nil became when the property was made required.
        let mayMeetNil = field.presence != nil && !property.isOptional
        let conversion = Conversion.lossless(from: field.type, to: property.type) ?? .identity
        if field.type.hasSameStorage(as: property.type), !mayMeetNil {
          slot.access = field.presence == nil ? .direct : .present
        } else {
          // What may be nil stays nil, whatever its default.
          detours[index] = .converted(
            field, conversion, nilBecomes: property.isOptional ? .null : property.nilFill)
        }
        fields.append(field.type.hasSameStorage(as: property.type) ? field : nil)
      } else {
        detours[index] = .filled(property.fill)
        fields.append(nil)
      }
      slots.append(slot)
    }
    self.slots = slots
    slotArray = StaticArray(slots)
    self.detours = detours
    self.fields = fields
  }
}

extension PropertyType {
  /// Whether values of both types are the same bytes: links are, whatever they
  /// lead to, and so are collections of links.
  func hasSameStorage(as other: PropertyType) -> Bool {
    if self == other { return true }
    return switch (self, other) {
    case (.link, .link): true
    case (.list(let left), .list(let right)), (.set(let left), .set(let right)),
      (.map(let left), .map(let right)):
      left.isOptional == right.isOptional && left.type.hasSameStorage(as: right.type)
    default: false
    }
  }
}

extension ResolvedLayout {
  /// The value of a property of a record, whatever its type.
  ///
  /// - Parameter extents: what of the object lies outside of the record.
  /// - Throws: ``DamagedRecord``.
  package func value(
    _ index: Int, of record: PageBytes, _ extents: Extents
  ) throws -> PropertyValue {
    let slot = slots[index]
    if slot.access == .present, !record.hasBit(Int(slot.presence)) { return .null }
    if slot.access != .detour, let field = fields[index] {
      return try record.value(field, extents)
    }
    return try detour(index, of: record, extents)
  }

  /// The value of a property that is not simply stored.
  private func detour(
    _ index: Int, of record: PageBytes, _ extents: Extents
  ) throws -> PropertyValue {
    switch detours[index] {
    case .filled(let value):
      return value
    case .converted(let field, let conversion, let nilBecomes):
      if let presence = field.presence, !record.hasBit(presence) { return nilBecomes }
      return conversion.apply(try record.value(field, extents)) ?? .null
    case nil:
      return .null
    }
  }

  /// Whether a migration's code has given the property a value, as far as that
  /// is recorded.
  package func isAssigned(_ index: Int, of record: PageBytes) -> Bool {
    guard let assigned = fields[index]?.assigned else { return true }
    return record.hasBit(assigned)
  }
}

extension PageBytes {
  /// The layout that a record says it has.
  @inline(__always)
  package var layoutID: LayoutID {
    LayoutID(rawValue: UInt16(littleEndian: load(UInt16.self, at: 0)))
  }

  /// The bytes that a slot points to, or nil when they lie outside of the record.
  package func variable(at offset: Int) -> PageBytes? {
    let start = UInt32(littleEndian: load(UInt32.self, at: offset))
    let length = UInt32(littleEndian: load(UInt32.self, at: offset + 4))
    return slice(at: Int(start), count: Int(length))
  }
}
