package import WhimbrelLMDB

/// The positions of all properties in the records of one class. A class gets a new layout when its
/// stored properties change.
///
/// A record is
///
/// | bytes | content |
/// |---|---|
/// | 0 ..< 2 | layout ID |
/// | 2 ..< 4 | the smallest slots, or zero |
/// | 4 ..< 8 | checksum |
/// | 8 ..< 8 + *m* | bits; bit 0 is the lowest bit of byte 8 |
/// | … ``fixedSize`` | slots, in order of size |
/// | … | text, data, small collections and long numbers, which slots point to |
///
/// All numbers are little-endian. ``RecordSlot`` says what slots hold.
///
/// A layout with wide slots has bits in multiples of 8 bytes and zero in bytes 2 ..< 4, and its
/// records end with zeros up to a multiple of 8 bytes.
///
/// Invariant: Every slot and bit lies inside ``fixedSize``, and no two overlap. ``isValid`` checks
/// it for layouts from a file.
package struct RecordLayout: Hashable, Sendable, Codable {
  package let id: LayoutID
  package let fields: [RecordField]
  /// The size of the header, the bits and the slots, in bytes.
  package let fixedSize: Int
  /// Whether the layout has compact slots: see ``RecordSlot``. Records of other layouts are padded
  /// to a multiple of eight bytes.
  ///
  /// A layout that would be the same in both forms counts as wide: its records do not need padding.
  let isCompact: Bool

  package static let checksumOffset = 4
  /// The bytes that small slots can have before the checksum.
  private static let gap = 2..<4
  package static let bitsOffset = 8
  /// The layout ID that marks an object as deleted while its class is rewritten. No layout has this
  /// ID.
  package static let tombstone = LayoutID(rawValue: .max)
}

/// The slot and the bits of one property.
package struct RecordField: Hashable, Sendable {
  package let property: PropertyID
  /// The type of the stored values. The type of the property may have changed since.
  package let type: PropertyType
  package let slot: RecordSlot
  /// The number of the bit that is set if there is a value. Only optional properties have one.
  package let presence: Int?
  /// The number of the bit that is set once a migration block has set a value. Only properties that
  /// need one have it.
  package let assigned: Int?
}

extension RecordLayout {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SchemaKey.self)
    self.init(
      id: try container.decode(LayoutID.self, forKey: "id"),
      fields: try container.decode([RecordField].self, forKey: "fields"),
      fixedSize: try container.decode(Int.self, forKey: "fixedSize"))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SchemaKey.self)
    try container.encode(id, forKey: "id")
    try container.encode(fields, forKey: "fields")
    try container.encode(fixedSize, forKey: "fixedSize")
  }
}

extension RecordField: Codable {
  /// Decodes a field. If the key `size` is missing, the slot is wide.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SchemaKey.self)
    property = try container.decode(PropertyID.self, forKey: "property")
    type = try container.decode(PropertyType.self, forKey: "type")
    slot = RecordSlot(
      offset: try container.decode(Int.self, forKey: "offset"),
      size: try container.decodeIfPresent(Int.self, forKey: "size") ?? type.slotSize)
    presence = try container.decodeIfPresent(Int.self, forKey: "presence")
    assigned = try container.decodeIfPresent(Int.self, forKey: "assigned")
  }

  /// Encodes the field. The size is omitted if it is that of a wide slot.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SchemaKey.self)
    try container.encode(property, forKey: "property")
    try container.encode(type, forKey: "type")
    try container.encode(slot.offset, forKey: "offset")
    if Int(slot.size) != type.slotSize { try container.encode(slot.size, forKey: "size") }
    try container.encodeIfPresent(presence, forKey: "presence")
    try container.encodeIfPresent(assigned, forKey: "assigned")
  }
}

/// A request to lay out one property.
package struct RecordFieldRequest {
  package var property: PropertyID
  package var type: PropertyType
  package var isOptional: Bool
  package var needsCode: Bool
}

extension RecordLayout {
  /// Lays out properties in the given order, grouped by slot size.
  ///
  /// - Parameter isWide: Whether to use wide slots even if compact ones are possible, as in formats
  ///   before 8.
  package init(id: LayoutID, _ requests: [RecordFieldRequest], isWide: Bool = false) {
    var bits = 0
    var places: [(request: RecordFieldRequest, presence: Int?, assigned: Int?)] = []
    for request in requests {
      var (presence, assigned): (Int?, Int?) = (nil, nil)
      if request.isOptional {
        presence = bits
        bits += 1
      }
      if request.needsCode {
        assigned = bits
        bits += 1
      }
      places.append((request, presence, assigned))
    }
    let sizes = requests.map(\.type.compactSlotSize)
    let size = Self.bitsOffset + (bits + 7) / 8 + sizes.reduce(0, +)
    let isCompact = !isWide && size <= RecordSlot.compactLimit
    var offset = Self.bitsOffset + (isCompact ? (bits + 7) / 8 : (bits + 63) / 64 * 8)
    var gap = isCompact ? Self.gap : Self.gap.prefix(0)
    var fields: [RecordField] = []
    let widths = isCompact ? [24, 16, 12, 8, 4, 3, 2, 1] : [24, 16, 8, 12, 4, 2, 1]
    for width in widths {
      for place in places {
        let type = place.request.type
        guard (isCompact ? type.compactSlotSize : type.slotSize) == width else { continue }
        let isInGap = width <= gap.count
        fields.append(
          RecordField(
            property: place.request.property, type: type,
            slot: RecordSlot(offset: isInGap ? gap.lowerBound : offset, size: width),
            presence: place.presence, assigned: place.assigned))
        if isInGap { gap = gap.dropFirst(width) } else { offset += width }
      }
    }
    self.init(id: id, fields: fields, fixedSize: isCompact ? offset : (offset + 7) & ~7)
  }

  package init(id: LayoutID, fields: [RecordField], fixedSize: Int) {
    (self.id, self.fields, self.fixedSize) = (id, fields, fixedSize)
    isCompact =
      fields.contains { Int($0.slot.size) != $0.type.slotSize } || fixedSize & 7 != 0
  }

  /// Returns whether the values of a record take exactly the bytes that the record has. This holds
  /// for every record of the layout that an encoder has made.
  ///
  /// - Precondition: The record is not shorter than ``fixedSize``.
  func isFilled(by record: PageBytes) -> Bool {
    var size = fixedSize
    for field in fields {
      if field.type == .int, field.slot.size == RecordSlot.compactIntSize {
        guard record.hasInt(at: field.slot) else { return false }
        if record.longIntOffset(at: field.slot) != nil { size += 8 }
      }
      guard field.type.isVariable else { continue }
      let isExternal = record.isExternal(at: field.slot)
      guard let length = isExternal ? 0 : record.variable(at: field.slot)?.count else {
        return false
      }
      let hasHeader = field.slot.isCompactPointer && (isExternal || length >= RecordSlot.longMark)
      size += length + (hasHeader ? RecordSlot.longHeaderSize : 0)
    }
    return (isCompact ? size : (size + 7) & ~7) == record.count
  }

  /// Returns the properties of a record whose values are in the overflow.
  package func propertiesWithOverflow(_ record: PageBytes) -> [PropertyID] {
    fields.compactMap { field in
      field.type.isVariable && record.isExternal(at: field.slot) ? field.property : nil
    }
  }

  /// Whether all slots and bits lie inside the record and no two overlap. A damaged file can
  /// contain any numbers.
  package var isValid: Bool {
    guard fixedSize >= Self.bitsOffset,
      fixedSize <= (isCompact ? RecordSlot.compactLimit : 1 << 16), id != Self.tombstone
    else { return false }
    // In bits.
    var taken: [Range<Int>] = []
    for field in fields {
      let (offset, size) = (field.slot.offset, Int(field.slot.size))
      guard size == field.type.slotSize || size == field.type.compactSlotSize,
        offset >= Self.bitsOffset && offset <= fixedSize - size
          || offset >= Self.gap.lowerBound && offset <= Self.gap.upperBound - size
      else { return false }
      taken.append(8 * offset..<8 * (offset + size))
      for bit in [field.presence, field.assigned].compactMap(\.self) {
        guard bit >= 0, Self.bitsOffset + bit / 8 < fixedSize else { return false }
        taken.append(8 * Self.bitsOffset + bit..<8 * Self.bitsOffset + bit + 1)
      }
    }
    taken.sort { $0.lowerBound < $1.lowerBound }
    return zip(taken, taken.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
  }
}
