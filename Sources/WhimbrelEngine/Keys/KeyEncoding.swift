package import Foundation
internal import WhimbrelLMDB

/// Makes keys whose bytes sort as the values do.
///
/// A key of an index is the encoding of a value, followed by that of an object
/// ID. Encodings keep these rules, and tests prove them over random values:
///
/// 1. Of two values of one property, the lesser has the lesser encoding, byte
///    by byte. Long strings may tie: see below.
/// 2. No encoding is a prefix of another of the same property, so a key may be
///    taken apart, and so a scan for one value meets no other.
/// 3. Widening a property (`int8` to `int`, `float` to `double`) changes no
///    encoding, so its index stays valid.
/// 4. An encoding has ``maximumLength`` bytes at most.
///
/// | type | bytes |
/// |---|---|
/// | `bool` | one: 0 or 1 |
/// | whole numbers | 8 of the 64-bit number, big-endian, sign bit flipped |
/// | `float`, `double`, `date` | 8 of the double, big-endian: see below |
/// | `uuid` | its 16 |
/// | `string`, `data` | see below |
/// | `decimal` | 23: see `Decimal.append(toKey:)` |
/// | `objectId` | its 12 |
/// | link | 8 of the object ID, big-endian |
///
/// An optional property has a byte more in front: 0 for nil, with nothing after
/// it, and 1 for a value. Links have no such byte: nil links are not indexed, but in
/// an index of several properties: see `KeyEncoding+Parts.swift`.
///
/// **Doubles** have all bits flipped if they are negative, and else the sign
/// bit. −0 is 0, and every NaN is the same and follows +∞.
///
/// **Strings** are their UTF-8, with 00 FF for each 00, and end with 00 00. They
/// sort by their UTF-8, which is the order of their scalars. When the part in
/// front of the end has more than ``textLimit`` bytes, its first ``textLimit``
/// are kept (one less where the cut would part a 00 from its FF), and 00 01 and
/// 8 bytes follow: the FNV-1a hash of 64 bits of the UTF-8, big-endian. 00 01
/// sorts after the end of a string and before whatever may continue it, so a
/// cut string sorts right among all strings that differ from it in those
/// bytes. Those that do not are neighbours in the order of their hashes: an
/// ordered scan must sort them, and a search must look at the record, for two
/// strings may have the same hash.
package enum KeyEncoding {
  /// How many bytes of a string are kept, with its zeros escaped.
  package static let textLimit = 400

  /// The greatest number of bytes of an encoding: the byte of optionals, the
  /// text, the mark and the hash.
  ///
  /// With an object ID after it a key has 419, and LMDB takes 511.
  package static let maximumLength = 1 + textLimit + 2 + 8

  /// The encoding of a value.
  package static func encoding(of value: PropertyValue, isOptional: Bool) -> [UInt8] {
    var key: [UInt8] = []
    append(value, isOptional: isOptional, to: &key)
    return key
  }

  /// Appends the encoding of a value.
  ///
  /// Nil is the byte 0, whether `isOptional` or not.
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

  /// Appends the encoding of a whole number of any width.
  package static func append(_ number: Int64, to key: inout some KeyBytes) {
    append(bigEndian: UInt64(bitPattern: number) ^ signBit, to: &key)
  }

  /// Appends the encoding of a floating-point number of either width.
  package static func append(_ number: Double, to key: inout some KeyBytes) {
    let bits =
      if number.isNaN {
        Double.nan.bitPattern
      } else if number == 0 {
        // −0 too.
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
