/// The alphabets of text: for each character, the characters that may replace it.
///
/// A letter is replaced by a letter of the same script, the same case and the same length in UTF-8;
/// a mark by a mark of the same script with the same combining class; an emoji by an emoji; a digit
/// of any script by a digit of that script. White space, punctuation, symbols, accents (U+0300 to
/// U+036F) and unassigned characters stay.
///
/// A script is a block of 128 scalars, as Unicode lays scripts out; the table below lists the
/// exceptions. All scalars of a block have the same length in UTF-8, because that length changes
/// only at multiples of 128. The Unicode tables of the Swift runtime decide which scalars are
/// letters.
///
/// Blocks are built when one of their characters first occurs. So this is a class, and one thread
/// uses it.
final class Alphabets {
  /// The alphabet of a character, and the character's position in it.
  struct Place {
    /// The index of the alphabet, or nil if the character stays.
    var alphabet: Int?
    /// The index of the symbol in its alphabet.
    var symbol: UInt32

    static let fixed = Place(alphabet: nil, symbol: 0)
  }

  private(set) var alphabets: [Alphabet] = []
  /// The number of symbols of each alphabet. It is read more often than anything else, so it has an
  /// array of its own.
  private(set) var sizes: [UInt32] = []
  private var numbers: [UInt64: Int] = [:]
  private var blocks: [UInt32: [Place]] = [:]
  private var ascii: [Place] = []
  private var ranges: [Int] = []

  /// The indexes of the alphabets of all digits, of the digits 1 to 9, and of the hexadecimal
  /// digits in lower and upper case.
  let (digit, leadingDigit, lowerHexadecimal, upperHexadecimal) = (0, 1, 2, 3)
  /// The indexes of the alphabets of the hexadecimal digits a to f, in lower and upper case.
  let (lowerHexadecimalLetter, upperHexadecimalLetter) = (4, 5)

  /// Emoji, and the scripts that are larger than a block or lie elsewhere. Every scalar of a range
  /// is assigned.
  private static let scripts: [ClosedRange<UInt32>] = [
    0x1100...0x1112, 0x1161...0x1175, 0x11A8...0x11C2,  // Hangul's parts, by their place
    0x3041...0x3096, 0x30A1...0x30FA,  // Hiragana, Katakana
    0x3400...0x4DB5, 0x4E00...0x9FA5, 0x20000...0x2A6D6,  // Chinese characters
    0xAC00...0xD7A3,  // Hangul
    0x1F300...0x1F321, 0x1F400...0x1F4FC, 0x1F600...0x1F64F, 0x1F680...0x1F6C5,
    0x1F910...0x1F939, 0x1F1E6...0x1F1FF,  // Emoji but skin tones; flags are two of the last
  ]
  private static let accents: ClosedRange<UInt32> = 0x0300...0x036F
  /// The position of the consonants in each block from Devanagari to Malayalam. Consonants join
  /// into clusters and vowels do not, so the two do not replace each other.
  private static let consonants: ClosedRange<UInt32> = 0x15...0x39
  private static let blocksWithConsonants: ClosedRange<UInt32> = 0x0900...0x0D7F
  /// Thai and Lao vowels that Unicode calls letters, but that belong to the character before them.
  private static let attached: Set<UInt32> = [0x0E33, 0x0EB3]

  init() {
    let first = [
      Alphabet(numbersFrom: 0, count: 10, width: 1), Alphabet(numbersFrom: 1, count: 9, width: 1),
      Alphabet(Array("0123456789abcdef".unicodeScalars), identity: 3 << 62 | 0x61),
      Alphabet(Array("0123456789ABCDEF".unicodeScalars), identity: 3 << 62 | 0x41),
      Alphabet(0x61...0x66), Alphabet(0x41...0x46),
    ]
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

  /// Returns the alphabet of a character and the character's position in it.
  func place(of scalar: Unicode.Scalar) -> Place {
    let value = scalar.value
    if value < 0x80 { return ascii[Int(value)] }
    if value >= 0x1100, let place = placeInRanges(value) { return place }
    let number = value >> 7
    if let block = blocks[number] { return block[Int(value & 0x7F)] }
    // Most blocks have no letters, so no block is built for a character that stays.
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

  /// Returns the index of the alphabet of `count` decimal numbers of a width, and adds it if
  /// needed.
  func numbers(from first: UInt32, count: UInt32, step: UInt32 = 1, width: Int) -> Int {
    let identity = Alphabet.identity(first, count, step, width)
    if let known = numbers[identity] { return known }
    numbers[identity] = alphabets.count
    append(Alphabet(numbersFrom: first, count: count, step: step, width: width))
    return alphabets.count - 1
  }
}

extension Alphabets {
  /// Groups the characters of a block into alphabets.
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

  /// Returns the number of the group of a character within its block, or nil if the character
  /// stays.
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

/// The symbols that may replace each other at one position of a text. They all have the same number
/// of scalars and of UTF-8 bytes.
struct Alphabet {
  /// A number that stands for the alphabet, the same in every run. Its two highest bits keep the
  /// kinds of alphabets apart.
  let identity: UInt64
  let count: UInt32
  private let content: Content

  private enum Content {
    case scalars([Unicode.Scalar])
    /// `count` consecutive scalars.
    case range(first: UInt32)
    /// Decimal numbers with leading zeros: the first number, and the distance to the next.
    case numbers(first: UInt32, step: UInt32, width: Int)
  }

  private static let zero: UInt32 = 0x30
}

extension Alphabet {
  init(_ scalars: [Unicode.Scalar], identity: UInt64) {
    self.identity = identity
    count = UInt32(scalars.count)
    content = .scalars(scalars)
  }

  /// Creates an alphabet of consecutive scalars, which must all be assigned.
  init(_ range: ClosedRange<UInt32>) {
    identity = UInt64(range.lowerBound) << 32 | UInt64(range.upperBound)
    count = UInt32(range.count)
    content = .range(first: range.lowerBound)
  }

  init(numbersFrom first: UInt32, count: UInt32, step: UInt32 = 1, width: Int) {
    identity = Self.identity(first, count, step, width)
    self.count = count
    content = .numbers(first: first, step: step, width: width)
  }

  static func identity(_ first: UInt32, _ count: UInt32, _ step: UInt32, _ width: Int) -> UInt64 {
    1 << 63 | UInt64(first) << 32 | UInt64(count) << 16 | UInt64(step) << 8 | UInt64(width)
  }
}

extension Alphabet {
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

  /// The number of scalars of each symbol.
  var width: Int {
    if case .numbers(_, _, let width) = content { width } else { 1 }
  }

  /// Returns the range of consecutive scalars of the alphabet around a symbol.
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
