package import WhimbrelLMDB

/// Where each property stands in the records of one class, at one moment.
///
/// A record is
///
/// | bytes | what |
/// |---|---|
/// | 0 ..< 2 | layout ID |
/// | 2 ..< 4 | zero |
/// | 4 ..< 8 | checksum |
/// | 8 ..< 8 + 8 *m* | bits: bit 0 is the lowest of byte 8 |
/// | … ``fixedSize`` | the slots: those of 24 bytes, then 16, 8, 12, 4, 2 and 1 |
/// | … | text, data and small collections, which slots point to |
/// | … | zeros up to a multiple of eight |
///
/// Everything is little-endian. A slot that points has the offset and the length of
/// its bytes, 4 bytes each; the offset ``external`` says that they are not in the
/// record but among the class's overflow: see ``Overflow``.
///
/// Invariant: every slot lies inside ``fixedSize``, and every bit before the
/// first slot; ``isValid`` says so for layouts read from a file.
package struct RecordLayout: Hashable, Sendable, Codable {
  package let id: LayoutID
  package let fields: [RecordField]
  /// The size of a record without text and data, in bytes.
  package let fixedSize: Int

  /// The offset in a slot whose bytes are not in the record.
  package static let external = UInt32.max
  /// The offset of the checksum.
  package static let checksumOffset = 4
  /// The offset of the first bit.
  package static let bitsOffset = 8
  /// The layout ID of a mark that an object was deleted while its class is being
  /// rewritten; no layout has it.
  package static let tombstone = LayoutID(rawValue: .max)
}

/// The place of one property in a record.
package struct RecordField: Hashable, Sendable, Codable {
  package let property: PropertyID
  /// The type that is stored here, which the property may since have outgrown.
  package let type: PropertyType
  package let offset: Int
  /// The bit that says whether there is a value, for what may be nil.
  package let presence: Int?
  /// The bit that says whether a migration's code has given a value, for
  /// properties that need one.
  package let assigned: Int?
}

/// What a layout is to hold of one property.
package struct RecordFieldRequest {
  package var property: PropertyID
  package var type: PropertyType
  package var isOptional: Bool
  package var needsCode: Bool
}

extension RecordLayout {
  /// Lays out properties in the order given, those of one width together.
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

  /// Whether records may lead to bytes outside of the slots.
  package var hasVariableFields: Bool { fields.contains { $0.type.isVariable } }

  /// The properties of a record of this layout whose bytes are among the overflow.
  package func propertiesOutside(_ record: PageBytes) -> [PropertyID] {
    fields.compactMap { field in
      field.type.isVariable && record.isExternal(at: field.offset) ? field.property : nil
    }
  }

  /// Whether all fields lie where they may: a file can say anything.
  package var isValid: Bool {
    guard fixedSize >= Self.bitsOffset, fixedSize <= 1 << 16, fixedSize & 7 == 0,
      id != Self.tombstone
    else { return false }
    return fields.allSatisfy { field in
      let bits = [field.presence, field.assigned].compactMap(\.self)
      return field.offset >= Self.bitsOffset
        && field.offset <= fixedSize - field.type.slotSize
        && bits.allSatisfy { $0 >= 0 && Self.bitsOffset + $0 / 8 < fixedSize }
    }
  }
}
