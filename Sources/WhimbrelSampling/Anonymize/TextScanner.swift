/// A scanner that finds the shape of a text: its numbers, dates, addresses and plain letters.
///
/// It goes from left to right and at each position takes the first form that fits. If no form fits,
/// it takes one character.
struct TextScanner {
  let alphabets: Alphabets
  let scalars: [Unicode.Scalar]
  var shape: TextShape
  /// The position of the next character.
  var position = 0
  /// Whether `%` may begin an escaped byte of a URL here.
  var isInURL = false
  /// The end of the characters last looked at that the scheme of a URL may have. Until then they do
  /// not need another look: words may be joined by many dots or hyphens.
  var schemeEnd = 0
  /// The addresses that are found and not yet reached, in reverse order.
  var addresses: [(local: Range<Int>, domain: Range<Int>)] = []

  /// Texts that stay, because no other text has their meaning and a migration may parse them.
  private static let constants: Set<[Unicode.Scalar]> = [
    Array("true".unicodeScalars), Array("false".unicodeScalars),
  ]

  init(_ scalars: [Unicode.Scalar], _ alphabets: Alphabets) {
    self.alphabets = alphabets
    self.scalars = scalars
    shape = TextShape(scalars: scalars)
  }

  /// Returns the shape of a text.
  ///
  /// - Complexity: O(*n*).
  static func shape(of scalars: [Unicode.Scalar], _ alphabets: Alphabets) -> TextShape {
    var scanner = TextScanner(scalars, alphabets)
    scanner.scan()
    return scanner.shape
  }

  private mutating func scan() {
    if scalars.count <= 5, Self.constants.contains(scalars) { return }
    shape.slots.reserveCapacity(scalars.count)
    shape.symbols.reserveCapacity(scalars.count)
    if has(0, "+") || has(0, "-"), take(oneOf: TextPattern.places) { return }
    findAddresses()
    while position < scalars.count {
      if takeAddress() { continue }
      if isWordBegin, isAlphanumeric(position) ? takeWord() : has(position, ":") && takeIPv6() {
        continue
      }
      if isDigit(position) {
        takeNumber(part: 0)
      } else if !takeEscape() {
        takeCharacter(part: 0)
      }
    }
  }

  /// Takes a word that is recognised by its whole form.
  private mutating func takeWord() -> Bool {
    if hexadecimal(position) != nil, take(oneOf: TextPattern.hexadecimal) || takeIPv6() {
      return true
    }
    if isDigit(position) {
      return take(oneOf: TextPattern.ofDigits) || takeExponent() || takePrefixedHexadecimal()
        || takeHexadecimal()
    }
    return takeScheme() || isAtDayName && take(oneOf: TextPattern.ofLetters) || takeTimeZone()
      || takeIBAN() || takeHexadecimal()
  }
}

// MARK: - Taking

extension TextScanner {
  /// Adds a slot, unless its alphabet has only one symbol.
  mutating func add(_ alphabet: Int, _ symbol: UInt32, at start: Int, part: Int = 0) {
    guard alphabets.sizes[alphabet] > 1 else { return }
    shape.slots.append(TextShape.Slot(start: start, alphabet: alphabet, part: part))
    shape.symbols.append(symbol)
  }

  mutating func takeCharacter(part: Int) {
    let place = alphabets.place(of: scalars[position])
    if let alphabet = place.alphabet {
      add(alphabet, place.symbol, at: position, part: part)
    } else if isInURL, scalars[position].properties.isWhitespace || scalars[position] == ">" {
      isInURL = false
    }
    position += 1
  }

}

// MARK: - Looking

extension TextScanner {
  /// Whether the character before is neither a letter nor a digit.
  var isWordBegin: Bool { position == 0 || !isAlphanumeric(position - 1) }

  /// Returns an ASCII character, or 0 if there is none at the position.
  func byte(_ index: Int) -> UInt8 {
    guard index >= 0, index < scalars.count, scalars[index].isASCII else { return 0 }
    return UInt8(truncatingIfNeeded: scalars[index].value)
  }

  func isDigit(_ index: Int) -> Bool { byte(index) &- 0x30 < 10 }

  func isLetter(_ index: Int) -> Bool { (byte(index) | 0x20) &- 0x61 < 26 }

  func isAlphanumeric(_ index: Int) -> Bool { isDigit(index) || isLetter(index) }

  func hexadecimal(_ index: Int) -> UInt32? {
    let lower = byte(index) | 0x20
    if isDigit(index) { return UInt32(byte(index)) - 0x30 }
    return lower >= 0x61 && lower <= 0x66 ? UInt32(lower) - 0x61 + 10 : nil
  }

  /// Returns the decimal number of `count` digits at a position, or nil if there are fewer
  /// digits.
  func number(_ start: Int, _ count: Int) -> UInt32? {
    var value: UInt32 = 0
    for index in start..<start + count {
      guard isDigit(index) else { return nil }
      value = value * 10 + UInt32(byte(index)) - 0x30
    }
    return value
  }

  /// Returns whether a character is at a position.
  func has(_ index: Int, _ character: Unicode.Scalar) -> Bool {
    index >= 0 && index < scalars.count && scalars[index] == character
  }
}
