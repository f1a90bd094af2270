/// Finds the shape of a text: what is a number, a date, an address, and what are just letters.
///
/// It goes from left to right and takes at each place what fits first; what nothing fits is taken
/// by the character.
struct TextScanner {
  let alphabets: Alphabets
  let scalars: [Unicode.Scalar]
  var shape: TextShape
  /// Where the next character is.
  var position = 0
  /// Whether `%` may begin a byte of a URL here.
  var isInURL = false
  /// The addresses that have been found and not been reached yet, the last first.
  var addresses: [(local: Range<Int>, domain: Range<Int>)] = []

  /// Texts that stay: what they say, no other text could, and a migration may read them.
  private static let constants: Set<[Unicode.Scalar]> = [
    Array("true".unicodeScalars), Array("false".unicodeScalars),
  ]

  init(_ scalars: [Unicode.Scalar], _ alphabets: Alphabets) {
    self.alphabets = alphabets
    self.scalars = scalars
    shape = TextShape(scalars: scalars)
  }

  /// The shape of the text.
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

  /// Takes what is known by its whole form.
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
  /// Adds a place, unless only one symbol may stand there.
  mutating func add(_ alphabet: Int, _ symbol: UInt32, at start: Int, part: Int = 0) {
    guard alphabets.sizes[alphabet] > 1 else { return }
    shape.slots.append(TextShape.Slot(start: start, alphabet: alphabet, part: part))
    shape.symbols.append(symbol)
  }

  /// Takes one character as what it is.
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
  /// Whether no letter and no digit stands in front.
  var isWordBegin: Bool { position == 0 || !isAlphanumeric(position - 1) }

  /// The value of an ASCII character, or 0 when there is none.
  func byte(_ index: Int) -> UInt8 {
    guard index >= 0, index < scalars.count, scalars[index].isASCII else { return 0 }
    return UInt8(truncatingIfNeeded: scalars[index].value)
  }

  func isDigit(_ index: Int) -> Bool { byte(index) &- 0x30 < 10 }

  func isLetter(_ index: Int) -> Bool { (byte(index) | 0x20) &- 0x61 < 26 }

  func isAlphanumeric(_ index: Int) -> Bool { isDigit(index) || isLetter(index) }

  /// The value of a hexadecimal digit, or nil.
  func hexadecimal(_ index: Int) -> UInt32? {
    let lower = byte(index) | 0x20
    if isDigit(index) { return UInt32(byte(index)) - 0x30 }
    return lower >= 0x61 && lower <= 0x66 ? UInt32(lower) - 0x61 + 10 : nil
  }

  /// The decimal number that digits at a place make, or nil when there are fewer.
  func number(_ start: Int, _ count: Int) -> UInt32? {
    var value: UInt32 = 0
    for index in start..<start + count {
      guard isDigit(index) else { return nil }
      value = value * 10 + UInt32(byte(index)) - 0x30
    }
    return value
  }

  /// Whether there is a character, of those given.
  func has(_ index: Int, _ character: Unicode.Scalar) -> Bool {
    index >= 0 && index < scalars.count && scalars[index] == character
  }
}
