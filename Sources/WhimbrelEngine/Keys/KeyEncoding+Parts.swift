package import WhimbrelLMDB

/// Keys of indexes of several properties, and of unique ones.
///
/// Such a key is the encodings of its values as those of optionals, links too, one after
/// the other, and the object ID. Strings in it have less room the more values there are:
/// ``KeyEncoding/textLimit(parts:)``. Rules 1 to 3 of ``KeyEncoding`` hold for each part,
/// so they do for a key as a whole, and for its first parts.
extension KeyEncoding {
  /// The longest key that LMDB takes.
  private static let longestKey = 511

  /// How many bytes of each string are kept in a key of several values.
  package static func textLimit(parts count: Int) -> Int {
    // The byte of optionals, the mark and the hash come on top.
    min(textLimit, (longestKey - 8) / max(count, 1) - 11)
  }

  /// Appends one of the values of a key.
  package static func append(
    part value: PropertyValue, textLimit: Int, to key: inout some KeyBytes
  ) {
    switch value {
    case .link(let id):
      key.append(1)
      append(id, to: &key)
    case .string(let text):
      key.append(1)
      append(utf8: text.utf8, limit: textLimit, to: &key)
    default:
      append(value, isOptional: true, to: &key)
    }
  }

  /// The length of one of the values of a key that begins at an offset, and whether it is
  /// a string of which the key does not have all; nil when the bytes are none.
  package static func part(
    of type: PropertyType, at offset: Int, in key: PageBytes
  ) -> (length: Int, isTruncated: Bool)? {
    guard key.contains(offset: offset, count: 1) else { return nil }
    if key.load(UInt8.self, at: offset) == 0 { return (1, false) }
    guard type == .string else {
      let length = 1 + type.keySize
      return key.contains(offset: offset, count: length) ? (length, false) : nil
    }
    var end = offset + 1
    while key.contains(offset: end, count: 2) {
      if key.load(UInt8.self, at: end) != 0 {
        end += 1
        continue
      }
      switch key.load(UInt8.self, at: end + 1) {
      case 0: return (end + 2 - offset, false)
      case 1: return (end + 10 - offset, true)
      default: end += 2
      }
    }
    return nil
  }
}
