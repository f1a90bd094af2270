package import WhimbrelInspection

/// Replaces texts by others of the same shape.
///
/// 1. The same text always becomes the same, with the same key.
/// 2. Different texts become different texts, unless both hold e-mail addresses: see
///    `replaceDomain`.
/// 3. A text that has a letter or a digit does not stay as it is, but for zeros, `true`, `false`,
///    the names in JSON, and parts that have only one form.
///
/// It remembers what characters are, so it is for one thread.
package struct TextReplacement {
  private let alphabets = Alphabets()
  private let permutation: SymbolPermutation
  private let key: SipHash.Key
  /// Is asked while a text is permuted whether to stop. Whoever stops throws away what was made.
  private let isCancelled: () -> Bool

  package init(_ key: AnonymizationKey, isCancelled: @escaping () -> Bool = { false }) {
    self.init(key.key(for: .text), isCancelled: isCancelled)
  }

  package init(_ key: SipHash.Key, isCancelled: @escaping () -> Bool = { false }) {
    self.key = key
    self.isCancelled = isCancelled
    permutation = SymbolPermutation(key)
  }

  /// What a text becomes.
  ///
  /// - Complexity: O(*n*).
  package func replacement(of text: String) -> String {
    if let json = JSONText(text) { return json.replacing(replacement) }
    let scalars = Array(text.unicodeScalars)
    var shape = TextScanner.shape(of: scalars, alphabets)
    if shape.slots.isEmpty, shape.domains.isEmpty { return text }
    let places = shape.slotsOfParts()
    let tweaks = shape.parts.indices.map { tweak(of: $0, places[$0], of: shape) }
    for domain in shape.domains { replaceDomain(domain, of: scalars, in: &shape.scalars) }
    // Invariant: the shape stays. A permutation of the texts of one shape and some others, run
    // until the shape is right, is one of the texts of that shape.
    var attempts = 0
    repeat {
      permute(&shape, places, tweaks)
      shape.fixAccounts()
      attempts += 1
    } while attempts < Self.attemptLimit(scalars.count) && !isOfShape(shape) && !isCancelled()
    return String(shape.scalars)
  }

  /// How often a text is permuted at most.
  ///
  /// In a long list of codes some word or other may always look like something else. Such a text has
  /// so many others of nearly its shape that two of them become the same by no chance that counts.
  private static func attemptLimit(_ count: Int) -> Int {
    count < 40 ? .max : max(16, 40_000 / count)
  }

  /// Whether the characters of a shape have it: what is no JSON does not become any.
  private func isOfShape(_ shape: TextShape) -> Bool {
    TextScanner.shape(of: shape.scalars, alphabets).matches(shape)
      && (!JSONText.mayBeJSON(shape.scalars) || JSONText(String(shape.scalars)) == nil)
  }

  private func permute(_ shape: inout TextShape, _ places: [[Int]], _ tweaks: [SipHash.Key]) {
    let sizes = shape.slots.map { alphabets.sizes[$0.alphabet] }
    if shape.parts.count == 1 {
      permutation.replace(&shape.symbols, sizes: sizes, tweak: tweaks[0])
    } else {
      for (places, tweak) in zip(places, tweaks) {
        var row = places.map { shape.symbols[$0] }
        permutation.replace(&row, sizes: places.map { sizes[$0] }, tweak: tweak)
        for (place, symbol) in zip(places, row) { shape.symbols[place] = symbol }
      }
    }
    for (slot, symbol) in zip(shape.slots, shape.symbols) {
      alphabets.alphabets[slot.alphabet].put(symbol, at: slot.start, of: &shape.scalars)
    }
  }

  /// What the replacement of a part depends on: its kind, the form of it, and for addresses the
  /// domain.
  private func tweak(of part: Int, _ places: [Int], of shape: TextShape) -> SipHash.Key {
    let kind = shape.parts[part].kind
    var hash = SipHash(key, .wide)
    hash.append(kind.rawValue)
    let domain = shape.parts[part].context
    for index in domain { hash.append(UInt64(lower(shape.scalars[index]))) }
    // A domain that ends with letters only has one more than `.test` and `.zz`.
    let cases = endCases(of: domain, in: shape.scalars)
    if cases.count == endLength(of: domain) { hash.append(cases.first == .upper ? 1 : 0) }
    if kind == .plain { appendLiterals(of: shape, to: &hash) }
    var begin: Int?
    for slot in places.map({ shape.slots[$0] }) {
      let first = begin ?? slot.start
      begin = first
      hash.append(UInt64(bitPattern: Int64(slot.start - first)))
      // An identifier is the same in both cases.
      hash.append(kind == .identifier ? 0 : alphabets.alphabets[slot.alphabet].identity)
    }
    return hash.wideResult()
  }

  /// Takes all characters that stay, and where they are.
  private func appendLiterals(of shape: TextShape, to hash: inout SipHash) {
    var isLiteral = [Bool](repeating: true, count: shape.scalars.count)
    for slot in shape.slots {
      for index in slot.start..<slot.start + alphabets.alphabets[slot.alphabet].width {
        isLiteral[index] = false
      }
    }
    for domain in shape.domains { for index in domain { isLiteral[index] = false } }
    for (index, scalar) in shape.scalars.enumerated() where isLiteral[index] {
      hash.append(UInt64(truncatingIfNeeded: index) << 32 | UInt64(scalar.value))
    }
  }

  private func lower(_ scalar: Unicode.Scalar) -> UInt32 {
    ("A"..."Z").contains(scalar) ? scalar.value | 0x20 : scalar.value
  }
}

// MARK: - Domains

extension TextReplacement {
  /// Replaces the domain of an e-mail address by one that does not exist and never will.
  ///
  /// The length stays, and so do the dots in front and the case of letters; its end is `.test`,
  /// which RFC 2606 keeps free, or, where that would leave little before it, as of `gmx.de`, `.zz`,
  /// which ISO 3166 gives to no country. So the same address in other case becomes such a one, too.
  /// There are fewer such domains than real ones, so two of the same form may become the same.
  /// Addresses stay different all the same, as far as chance goes: what stands before the `@`
  /// depends on the domain that was.
  private func replaceDomain(
    _ range: Range<Int>, of old: [Unicode.Scalar], in scalars: inout [Unicode.Scalar]
  ) {
    var hash = SipHash(key, .wide)
    hash.append(UInt64(range.count))
    for index in range { hash.append(UInt64(lower(old[index]))) }
    let stream = hash.wideResult()
    let end = end(of: range, in: old)
    let rest = range.dropLast(end.count)
    for index in rest {
      let isLast = index == rest.upperBound - 1
      let known = alphabets.place(of: old[index]).alphabet
      guard let alphabet = known ?? (isLast ? alphabets.place(of: "a").alphabet : nil) else {
        continue
      }
      var hash = SipHash(stream)
      hash.append(UInt64(index - range.lowerBound))
      let symbol = hash.result() % UInt64(alphabets.sizes[alphabet])
      alphabets.alphabets[alphabet].put(
        UInt32(truncatingIfNeeded: symbol), at: index, of: &scalars)
    }
    scalars.replaceSubrange(rest.upperBound..<range.upperBound, with: end)
  }

  /// How long the end of a domain is that is replaced by another.
  private func endLength(of domain: Range<Int>) -> Int { domain.count < 9 ? 3 : 5 }

  /// What the end of a domain becomes: its last letters have the case of the last ones that were.
  private func end(of domain: Range<Int>, in old: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var end = Array((endLength(of: domain) == 3 ? ".zz" : ".test").unicodeScalars)
    let cases = endCases(of: domain, in: old)
    for (place, letterCase) in zip(end.indices.dropFirst().reversed(), cases.reversed())
    where letterCase == .upper {
      end[place] = Unicode.Scalar(UInt8(truncatingIfNeeded: end[place].value & ~0x20))
    }
    return end
  }

  private enum LetterCase {
    case upper, lower
  }

  /// The cases of the ASCII letters at the end of a domain.
  private func endCases(of domain: Range<Int>, in scalars: [Unicode.Scalar]) -> [LetterCase] {
    domain.suffix(endLength(of: domain)).compactMap { index in
      switch scalars[index] {
      case "A"..."Z": .upper
      case "a"..."z": .lower
      default: nil
      }
    }
  }
}

extension String {
  /// Makes a text of scalars.
  init(_ scalars: [Unicode.Scalar]) {
    if scalars.allSatisfy(\.isASCII) {
      self.init(decoding: scalars.map { UInt8(truncatingIfNeeded: $0.value) }, as: UTF8.self)
    } else {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      self.init(view)
    }
  }
}
