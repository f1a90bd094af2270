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
