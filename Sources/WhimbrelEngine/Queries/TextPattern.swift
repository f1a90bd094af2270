internal import WhimbrelLMDB

/// A pattern in which `*` matches any characters and `?` matches one Unicode scalar. `\` makes the
/// next character literal.
struct TextPattern: Sendable {
  /// The bytes of UTF-8 and the two wildcards.
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

  /// The rest of a pattern, from the first wildcard on.
  enum Rest {
    case nothing
    /// Only `*`: the pattern matches every text that begins with the text before it.
    case anything
    case more
  }

  /// Returns the text before the first wildcard of a pattern, and the kind of the rest.
  static func beginning(of pattern: String) -> (text: String, rest: Rest) {
    var text = String.UnicodeScalarView()
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.first, scalar != "*", scalar != "?" {
      rest.removeFirst()
      text.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
    }
    if rest.isEmpty { return (String(text), .nothing) }
    return (String(text), rest.allSatisfy { $0 == "*" } ? .anything : .more)
  }

  /// Returns whether the pattern matches the whole text.
  ///
  /// - Complexity: O(*n* · *m*) for a text of *n* bytes and a pattern of *m* bytes.
  func matches(_ text: PageBytes, _ form: some ByteForm) -> Bool {
    var (offset, item) = (0, 0)
    // Only the last `*` is retried, at one scalar after another. Earlier ones have already matched
    // the shortest possible text.
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
  /// Returns the end of the Unicode scalar that starts at an offset.
  fileprivate func endOfScalar(at offset: Int) -> Int {
    var end = offset + 1
    while end < count, load(UInt8.self, at: end) & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
