package import Foundation
internal import WhimbrelLMDB

/// The encoding of values as keys whose bytes sort as the values do.
///
/// An index key is the encoding of a value, followed by the encoding of an object ID. Encodings
/// follow these rules, which tests check with random values:
///
/// 1. Of two values of one property, the lesser has the lesser encoding, byte by byte. Long strings
///    can tie: see below.
/// 2. An encoding is not a prefix of another one of the same property. A key can therefore be split
///    into its parts, and a scan for one value does not meet others.
/// 3. Widening a property (`int8` to `int`, `float` to `double`) changes no encoding, so its index
///    stays valid.
/// 4. An encoding has at most ``maximumLength`` bytes.
///
/// | type | bytes |
/// |---|---|
/// | `bool` | one: 0 or 1 |
/// | integers | 8 of the 64-bit number, big-endian, sign bit flipped |
/// | `float`, `double`, `date` | 8 of the double, big-endian: see below |
/// | `uuid` | its 16 |
/// | `string`, `data` | see below |
/// | `decimal` | 23: see `Decimal.append(toKey:)` |
/// | `objectId` | its 12 |
/// | link | 8 of the object ID, big-endian |
///
/// An optional property has an extra byte in front: 0 for nil, with nothing after it, and 1 for a
/// value. Links do not have this byte, because nil links are not indexed. The exception are indexes
/// of several properties: see `KeyEncoding+Parts.swift`.
///
/// **Doubles** have all bits flipped if they are negative, otherwise only the sign bit. −0 is
/// encoded as 0. All NaNs have the same encoding, which follows +∞.
///
/// **Strings** are encoded as their UTF-8, with 00 FF for each 00, and end with 00 00. They sort by
/// their UTF-8, which is the order of their Unicode scalars. If a string has more than
/// ``textLimit`` bytes before the end, only its first ``textLimit`` bytes are kept, or one fewer if
/// the cut would separate a 00 from its FF. Then follow 00 01 and 8 bytes: the 64-bit FNV-1a hash
/// of the UTF-8, big-endian. 00 01 sorts after the end of a string and before anything that can
/// continue it. A truncated string therefore sorts correctly among all strings that differ from it
/// in the kept bytes. Strings with the same kept bytes are adjacent, in the order of their hashes.
/// An ordered scan must sort them, and a search must check the record, because two strings can have
/// the same hash.
package enum KeyEncoding {
  /// The limit of a string's bytes in a key, with its zeros escaped.
  package static let textLimit = 400

  /// The maximum length of an encoding, in bytes: the optional byte, the text, the mark and the
  /// hash.
  ///
  /// With an object ID after it, a key has at most 419 bytes. LMDB accepts 511.
  package static let maximumLength = 1 + textLimit + 2 + 8

  package static func encoding(of value: PropertyValue, isOptional: Bool) -> [UInt8] {
    var key: [UInt8] = []
    append(value, isOptional: isOptional, to: &key)
    return key
  }

  /// Appends the encoding of a value.
  ///
  /// Nil is encoded as the byte 0, whether `isOptional` or not.
  package static func append(
    _ value: PropertyValue, isOptional: Bool, to key: inout some KeyBytes
  ) {
    switch value {
    case .null:
      key.append(0)
      return
    case .link(let id):
      append(id, to: &key)
      return
    default:
      if isOptional { key.append(1) }
    }
    value.appendScalar(toKey: &key)
  }

  /// Appends an object ID: 8 bytes, big-endian.
  package static func append(_ id: ObjectID, to key: inout some KeyBytes) {
    append(bigEndian: id.rawValue, to: &key)
  }

  /// Appends the encoding of an integer of any width.
  package static func append(_ number: Int64, to key: inout some KeyBytes) {
    append(bigEndian: UInt64(bitPattern: number) ^ signBit, to: &key)
  }

  /// Appends the encoding of a floating-point number of either width.
  package static func append(_ number: Double, to key: inout some KeyBytes) {
    let bits =
      if number.isNaN {
        Double.nan.bitPattern
      } else if number == 0 {
        // This includes −0.
        UInt64(0)
      } else {
        number.bitPattern
      }
    append(bigEndian: bits & signBit == 0 ? bits | signBit : ~bits, to: &key)
  }

  /// Appends the encoding of a UUID: its bytes in their order.
  package static func append(_ uuid: UUID, to key: inout some KeyBytes) {
    var bytes = uuid.uuid
    PageBytes.with(&bytes) { key.append($0) }
  }

  /// Appends the number of a class or a property: 4 bytes, big-endian.
  static func append(_ number: UInt32, to key: inout some KeyBytes) {
    for shift in [24, 16, 8, 0] { key.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  private static let signBit: UInt64 = 1 << 63

  /// Appends 8 bytes, the most significant first.
  static func append(bigEndian number: UInt64, to key: inout some KeyBytes) {
    var bytes = number.bigEndian
    PageBytes.with(&bytes) { key.append($0) }
  }
}

extension ObjectID {
  /// The ID as a key of a table that is not ordered by numbers.
  var key: [UInt8] {
    var key: [UInt8] = []
    KeyEncoding.append(self, to: &key)
    return key
  }
}
