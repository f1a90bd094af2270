internal import WhimbrelLMDB

/// A text in which `*` stands for any characters and `?` for one Unicode scalar; `\` takes
/// the next character as it is.
struct TextPattern: Sendable {
  /// Bytes of UTF-8, or one of these.
  private let items: [UInt16]
  private static let anything: UInt16 = 256
  private static let scalar: UInt16 = 257

  init(_ pattern: String, _ options: TextOptions) {
    var items: [UInt16] = []
    var plain = String.UnicodeScalarView()
    func endPlain() {
      items += options.folded(String(plain)).utf8.map(UInt16.init)
      plain = String.UnicodeScalarView()
    }
    var scalars = pattern.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "*", "?":
        endPlain()
        items.append(scalar == "*" ? Self.anything : Self.scalar)
      case "\\": plain.append(scalars.next() ?? scalar)
      default: plain.append(scalar)
      }
    }
    endPlain()
    self.items = items
  }

  /// Whether all of a text is like this.
  ///
  /// - Complexity: O(*n* · *m*) for a text of *n* bytes and a pattern of *m*.
  func matches(_ text: PageBytes, _ form: some ByteForm) -> Bool {
    var (offset, item) = (0, 0)
    // What follows the last `*` is tried at each scalar: earlier ones need no other try.
    var retry: (offset: Int, item: Int)?
    while offset < text.count {
      if item < items.count, items[item] == Self.anything {
        item += 1
        retry = (offset, item)
      } else if item < items.count, items[item] == Self.scalar {
        offset = text.endOfScalar(at: offset)
        item += 1
      } else if item < items.count, UInt16(form(text.load(UInt8.self, at: offset))) == items[item] {
        offset += 1
        item += 1
      } else if let last = retry {
        offset = text.endOfScalar(at: last.offset)
        item = last.item
        retry = (offset, item)
      } else {
        return false
      }
    }
    return items[item...].allSatisfy { $0 == Self.anything }
  }
}

extension PageBytes {
  /// Where the Unicode scalar ends whose first byte is at an offset.
  fileprivate func endOfScalar(at offset: Int) -> Int {
    var end = offset + 1
    while end < count, load(UInt8.self, at: end) & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
