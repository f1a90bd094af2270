package import WhimbrelLMDB

/// The positions of all properties in the records of one class. A class gets a new layout when its
/// stored properties change.
///
/// A record is
///
/// | bytes | content |
/// |---|---|
/// | 0 ..< 2 | layout ID |
/// | 2 ..< 4 | zero |
/// | 4 ..< 8 | checksum |
/// | 8 ..< 8 + 8 *m* | bits; bit 0 is the lowest bit of byte 8 |
/// | … ``fixedSize`` | slots, in order of size: 24 bytes, then 16, 8, 12, 4, 2 and 1 |
/// | … | text, data and small collections, which slots point to |
/// | … | zeros up to a multiple of eight |
///
/// All numbers are little-endian. A slot that points to bytes has their offset and their length, 4
/// bytes each. The offset ``external`` means that the bytes are not in the record but in the
/// overflow of the class: see ``Overflow``.
///
/// Invariant: every slot lies inside ``fixedSize``, and every bit precedes the first slot.
/// ``isValid`` checks that slots and bits of layouts from a file lie inside ``fixedSize`` and apart.
package struct RecordLayout: Hashable, Sendable, Codable {
  package let id: LayoutID
  package let fields: [RecordField]
  /// The size of the header, the bits and the slots, in bytes.
  package let fixedSize: Int

  /// The offset in a slot whose bytes are in the overflow.
  package static let external = UInt32.max
  package static let checksumOffset = 4
  package static let bitsOffset = 8
  /// The layout ID that marks an object as deleted while its class is rewritten. No layout has this
  /// ID.
  package static let tombstone = LayoutID(rawValue: .max)
}

/// The slot and the bits of one property.
package struct RecordField: Hashable, Sendable, Codable {
  package let property: PropertyID
  /// The type of the stored values. The property may have another type since.
  package let type: PropertyType
  package let offset: Int
  /// The number of the bit that is set if there is a value, for optional properties.
  package let presence: Int?
  /// The number of the bit that is set once a migration block gives a value, for properties that
  /// need one.
  package let assigned: Int?
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
  package init(id: LayoutID, _ requests: [RecordFieldRequest]) {
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
    var offset = Self.bitsOffset + (bits + 63) / 64 * 8
    var fields: [RecordField] = []
    for width in [24, 16, 8, 12, 4, 2, 1] {
      for place in places where place.request.type.slotSize == width {
        fields.append(
          RecordField(
            property: place.request.property, type: place.request.type, offset: offset,
            presence: place.presence, assigned: place.assigned))
        offset += width
      }
    }
    self.init(id: id, fields: fields, fixedSize: (offset + 7) & ~7)
  }

  /// Whether slots can point to bytes outside the slots.
  package var hasVariableFields: Bool { fields.contains { $0.type.isVariable } }

  /// Returns the properties of a record whose values are in the overflow.
  package func propertiesWithOverflow(_ record: PageBytes) -> [PropertyID] {
    fields.compactMap { field in
      field.type.isVariable && record.isExternal(at: field.offset) ? field.property : nil
    }
  }

  /// Whether all slots and bits are inside the record, and no two of them in the same place. A
  /// damaged file can contain any numbers.
  package var isValid: Bool {
    guard fixedSize >= Self.bitsOffset, fixedSize <= 1 << 16, fixedSize & 7 == 0,
      id != Self.tombstone
    else { return false }
    // In bits.
    var taken: [Range<Int>] = []
    for field in fields {
      guard field.offset >= Self.bitsOffset, field.offset <= fixedSize - field.type.slotSize else {
        return false
      }
      taken.append(8 * field.offset..<8 * (field.offset + field.type.slotSize))
      for bit in [field.presence, field.assigned].compactMap(\.self) {
        guard bit >= 0, Self.bitsOffset + bit / 8 < fixedSize else { return false }
        taken.append(8 * Self.bitsOffset + bit..<8 * Self.bitsOffset + bit + 1)
      }
    }
    taken.sort { $0.lowerBound < $1.lowerBound }
    return zip(taken, taken.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
  }
}
