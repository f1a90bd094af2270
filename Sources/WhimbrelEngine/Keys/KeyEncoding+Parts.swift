package import WhimbrelLMDB

/// Keys of indexes over several properties, and of unique indexes.
///
/// A key consists of the encoded values, one after another, and the object ID. All values are
/// encoded as optionals, links too. The limit of each string is lower if there are more values: see
/// ``KeyEncoding/textLimit(parts:)``. Rules 1 to 3 of ``KeyEncoding`` hold for each part, so they
/// also hold for the whole key and for its leading parts.
extension KeyEncoding {
  /// The length limit of LMDB keys.
  private static let longestKey = 511

  /// Returns how many bytes of each string are kept in a key of several values.
  package static func textLimit(parts count: Int) -> Int {
    // The optional byte, the mark and the hash take 11 more bytes.
    min(textLimit, (longestKey - 8) / max(count, 1) - 11)
  }

  /// Appends one value of a key of several values.
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

  /// Returns the length of the part of a key at an offset, and whether the part is a truncated
  /// string. Returns nil if the bytes are not a valid part.
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
