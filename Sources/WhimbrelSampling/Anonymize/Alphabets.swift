/// Knows for each character which others may take its place.
///
/// A letter is replaced by one of the same script, the same case, and the same length in UTF-8; a
/// mark by one of the same script that stands at the same place of a letter; an emoji by an emoji;
/// a digit of any script by a digit. White space, punctuation, symbols, accents (U+0300 to
/// U+036F), and what Unicode says nothing of stay.
///
/// Scripts are blocks of 128 scalars, as Unicode has laid them out, but for those in the table
/// below; all of a block have the same length in UTF-8, which changes at multiples of 128. What is a letter is what the Unicode tables of the Swift runtime say.
///
/// It fills itself as characters come up, so it is a class, for one thread.
final class Alphabets {
  /// What can be at a place of a text.
  struct Place {
    /// The number of the alphabet, or nil where the character stays.
    var alphabet: Int?
    /// Which of the alphabet's symbols it is.
    var symbol: UInt32

    static let fixed = Place(alphabet: nil, symbol: 0)
  }

  private(set) var alphabets: [Alphabet] = []
  /// How many symbols each alphabet has: what is asked most often, apart from the rest.
  private(set) var sizes: [UInt32] = []
  private var numbers: [UInt64: Int] = [:]
  private var blocks: [UInt32: [Place]] = [:]
  private var ascii: [Place] = []
  private var ranges: [Int] = []

  /// All digits, the digits but zero, and hexadecimal digits of both cases.
  let digit, leadingDigit, lowerHexadecimal, upperHexadecimal: Int
  /// The hexadecimal digits that are letters, of both cases.
  let lowerHexadecimalLetter, upperHexadecimalLetter: Int

  /// Scripts whose blocks are larger, or lie elsewhere, and emoji; every scalar is one.
  private static let scripts: [ClosedRange<UInt32>] = [
    0x1100...0x1112, 0x1161...0x1175, 0x11A8...0x11C2,  // Hangul's parts, by their place
    0x3041...0x3096, 0x30A1...0x30FA,  // Hiragana, Katakana
    0x3400...0x4DB5, 0x4E00...0x9FA5, 0x20000...0x2A6D6,  // Chinese characters
    0xAC00...0xD7A3,  // Hangul
    0x1F300...0x1F321, 0x1F400...0x1F4FC, 0x1F600...0x1F64F, 0x1F680...0x1F6C5,
    0x1F910...0x1F939, 0x1F1E6...0x1F1FF,  // Emoji but skin tones; flags are two of the last
  ]
  private static let accents: ClosedRange<UInt32> = 0x0300...0x036F
  /// Where the consonants are in each block from Devanagari to Malayalam; they join, and vowels do
  /// not.
  private static let consonants: ClosedRange<UInt32> = 0x15...0x39
  private static let blocksWithConsonants: ClosedRange<UInt32> = 0x0900...0x0D7F
  /// Thai and Lao vowels that are letters to Unicode and yet part of the character before them.
  private static let attached: Set<UInt32> = [0x0E33, 0x0EB3]

  init() {
    let first = [
      Alphabet(numbersFrom: 0, count: 10, width: 1), Alphabet(numbersFrom: 1, count: 9, width: 1),
      Alphabet(Array("0123456789abcdef".unicodeScalars), identity: 3 << 62 | 0x61),
      Alphabet(Array("0123456789ABCDEF".unicodeScalars), identity: 3 << 62 | 0x41),
      Alphabet(0x61...0x66), Alphabet(0x41...0x46),
    ]
    (digit, leadingDigit, lowerHexadecimal, upperHexadecimal) = (0, 1, 2, 3)
    (lowerHexadecimalLetter, upperHexadecimalLetter) = (4, 5)
    for alphabet in first { append(alphabet) }
    for range in Self.scripts {
      ranges.append(alphabets.count)
      append(Alphabet(range))
    }
    ascii = makeBlock(0)
  }

  private func append(_ alphabet: Alphabet) {
    alphabets.append(alphabet)
    sizes.append(alphabet.count)
  }

  /// What may take the place of a character.
  func place(of scalar: Unicode.Scalar) -> Place {
    let value = scalar.value
    if value < 0x80 { return ascii[Int(value)] }
    if value >= 0x1100, let place = placeInRanges(value) { return place }
    let number = value >> 7
    if let block = blocks[number] { return block[Int(value & 0x7F)] }
    // Most blocks have no letters: nothing is made for what stays.
    if group(of: scalar) == nil { return .fixed }
    let block = makeBlock(number)
    blocks[number] = block
    return block[Int(value & 0x7F)]
  }

  private func placeInRanges(_ value: UInt32) -> Place? {
    for (index, range) in Self.scripts.enumerated() where range.contains(value) {
      return Place(alphabet: ranges[index], symbol: value - range.lowerBound)
    }
    return nil
  }

  /// Decimal numbers of a width.
  func numbers(from first: UInt32, count: UInt32, step: UInt32 = 1, width: Int) -> Int {
    let identity = Alphabet.identity(first, count, step, width)
    if let known = numbers[identity] { return known }
    numbers[identity] = alphabets.count
    append(Alphabet(numbersFrom: first, count: count, step: step, width: width))
    return alphabets.count - 1
  }
}

extension Alphabets {
  /// Groups the characters of a block.
  private func makeBlock(_ number: UInt32) -> [Place] {
    var groups: [UInt64: [Unicode.Scalar]] = [:]
    for value in (number << 7)..<((number + 1) << 7) {
      guard let scalar = Unicode.Scalar(value), let group = group(of: scalar) else { continue }
      groups[group, default: []].append(scalar)
    }
    var places = [Place](repeating: .fixed, count: 128)
    for (group, scalars) in groups.sorted(by: { $0.key < $1.key }) where scalars.count > 1 {
      for (symbol, scalar) in scalars.enumerated() {
        places[Int(scalar.value & 0x7F)] = Place(
          alphabet: alphabets.count, symbol: UInt32(symbol))
      }
      append(Alphabet(scalars, identity: 1 << 62 | UInt64(number) << 24 | group))
    }
    return places
  }

  /// Which characters of its block may take the place of one, as a number, or nil when it stays.
  private func group(of scalar: Unicode.Scalar) -> UInt64? {
    if Self.accents.contains(scalar.value) || Self.attached.contains(scalar.value) { return nil }
    if scalar.value >= 0x1100, placeInRanges(scalar.value) != nil { return nil }
    let kind: UInt64
    switch scalar.properties.generalCategory {
    case .lowercaseLetter: kind = 1
    case .uppercaseLetter: kind = 2
    case .titlecaseLetter: kind = 3
    case .modifierLetter: kind = 4
    case .otherLetter:
      let isConsonant =
        Self.blocksWithConsonants.contains(scalar.value)
        && Self.consonants.contains(scalar.value & 0x7F)
      kind = isConsonant ? 9 : 5
    case .decimalNumber: kind = 6
    case .nonspacingMark: kind = 7
    case .spacingMark: kind = 8
    default: return nil
    }
    return kind << 8 | UInt64(scalar.properties.canonicalCombiningClass.rawValue)
  }
}

/// The symbols that one another may replace at a place of a text: as many scalars each, and as
/// many bytes of UTF-8.
struct Alphabet {
  /// What the alphabet is, the same in every run.
  let identity: UInt64
  /// How many symbols there are.
  let count: UInt32
  private let content: Content

  private enum Content {
    /// Letters, marks or emoji.
    case scalars([Unicode.Scalar])
    /// `range.count` scalars one after the other.
    case range(first: UInt32)
    /// Decimal numbers with leading zeros: the first of them, and how far it is to the next.
    case numbers(first: UInt32, step: UInt32, width: Int)
  }

  private static let zero: UInt32 = 0x30
}

extension Alphabet {
  /// Scalars of one kind.
  init(_ scalars: [Unicode.Scalar], identity: UInt64) {
    self.identity = identity
    count = UInt32(scalars.count)
    content = .scalars(scalars)
  }

  /// Scalars in a row; all of them are there.
  init(_ range: ClosedRange<UInt32>) {
    identity = UInt64(range.lowerBound) << 32 | UInt64(range.upperBound)
    count = UInt32(range.count)
    content = .range(first: range.lowerBound)
  }

  /// Decimal numbers of a width.
  init(numbersFrom first: UInt32, count: UInt32, step: UInt32 = 1, width: Int) {
    identity = Self.identity(first, count, step, width)
    self.count = count
    content = .numbers(first: first, step: step, width: width)
  }

  /// What identifies decimal numbers.
  static func identity(_ first: UInt32, _ count: UInt32, _ step: UInt32, _ width: Int) -> UInt64 {
    1 << 63 | UInt64(first) << 32 | UInt64(count) << 16 | UInt64(step) << 8 | UInt64(width)
  }
}

extension Alphabet {
  /// Puts a symbol into a text.
  func put(_ symbol: UInt32, at start: Int, of scalars: inout [Unicode.Scalar]) {
    switch content {
    case .scalars(let known):
      scalars[start] = known[Int(symbol)]
    case .range(let first):
      scalars[start] = Unicode.Scalar(first + symbol) ?? scalars[start]
    case .numbers(let first, let step, let width):
      var rest = first + symbol * step
      for place in (start..<start + width).reversed() {
        scalars[place] = Unicode.Scalar(UInt8(truncatingIfNeeded: Self.zero + rest % 10))
        rest /= 10
      }
    }
  }

  /// How many scalars a symbol has.
  var width: Int {
    if case .numbers(_, _, let width) = content { width } else { 1 }
  }

  /// The symbols around one that stand one after the other in Unicode.
  func neighbours(of symbol: UInt32) -> ClosedRange<UInt32>? {
    switch content {
    case .range(let first): return first...first + count - 1
    case .scalars(let known):
      var (first, last) = (Int(symbol), Int(symbol))
      while first > 0, known[first - 1].value + 1 == known[first].value { first -= 1 }
      while last + 1 < known.count, known[last].value + 1 == known[last + 1].value { last += 1 }
      return known[first].value...known[last].value
    case .numbers: return nil
    }
  }
}
