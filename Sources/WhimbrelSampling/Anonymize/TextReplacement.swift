package import WhimbrelInspection

/// A keyed replacement of texts by texts of the same shape.
///
/// 1. With the same key, the same text always gets the same replacement.
/// 2. Different texts get different replacements, unless both contain e-mail addresses: see
///    `replaceDomain`.
/// 3. A text with a letter or a digit changes. Exceptions are zeros, `true`, `false`, the names in
///    JSON, and parts that have only one form.
///
/// It caches the alphabets of characters, so one thread uses it.
package struct TextReplacement {
  private let alphabets = Alphabets()
  private let permutation: SymbolPermutation
  private let key: SipHash.Key
  /// A closure that returns whether a running permutation should stop. The result is then
  /// discarded.
  private let isCancelled: () -> Bool

  package init(_ key: AnonymizationKey, isCancelled: @escaping () -> Bool = { false }) {
    self.init(key.key(for: .text), isCancelled: isCancelled)
  }

  package init(_ key: SipHash.Key, isCancelled: @escaping () -> Bool = { false }) {
    self.key = key
    self.isCancelled = isCancelled
    permutation = SymbolPermutation(key)
  }

  /// Returns the replacement of a text.
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
    // Invariant: the shape stays. `permute` permutes a set of texts that contains all texts of this
    // shape. Repeating it until the shape is right gives a permutation of the texts of this shape
    // (cycle walking).
    var attempts = 0
    repeat {
      permute(&shape, places, tweaks)
      shape.fixAccounts()
      attempts += 1
    } while attempts < Self.attemptLimit(scalars.count) && !isOfShape(shape) && !isCancelled()
    return String(shape.scalars)
  }

  /// Returns the limit on the permutations of a text.
  ///
  /// In a long list of codes, some word may always look like something else after a permutation.
  /// That text has so many others of nearly its shape that two texts are not expected to become
  /// equal.
  private static func attemptLimit(_ count: Int) -> Int {
    count < 40 ? .max : max(16, 40_000 / count)
  }

  /// Returns whether the characters of a shape have that shape, and have not become JSON.
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

  /// Returns the tweak of a part: it depends on the kind and form of the part, and for an address
  /// on the domain.
  private func tweak(of part: Int, _ places: [Int], of shape: TextShape) -> SipHash.Key {
    let kind = shape.parts[part].kind
    var hash = SipHash(key, .wide)
    hash.append(kind.rawValue)
    let domain = shape.parts[part].context
    for index in domain { hash.append(UInt64(lower(shape.scalars[index]))) }
    // If the end is letters only, `.test` or `.zz` has a dot where the first letter was, and cannot
    // show its case. So the tweak depends on it.
    let cases = endCases(of: domain, in: shape.scalars)
    if cases.count == endLength(of: domain) { hash.append(cases.first == true ? 1 : 0) }
    if kind == .plain { appendLiterals(of: shape, to: &hash) }
    var begin: Int?
    for slot in places.map({ shape.slots[$0] }) {
      let first = begin ?? slot.start
      begin = first
      hash.append(UInt64(bitPattern: Int64(slot.start - first)))
      // An identifier gets the same replacement in either case.
      hash.append(kind == .identifier ? 0 : alphabets.alphabets[slot.alphabet].identity)
    }
    return hash.wideResult()
  }

  /// Hashes all characters that stay, with their positions.
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
  /// The length, the dots before the end and the case of letters stay. The new end is `.test`,
  /// which RFC 2606 reserves. A domain as short as `gmx.de` ends with `.zz` instead, which ISO 3166
  /// assigns to no country, because `.test` would leave little before it. An address in another
  /// case also gets a reserved domain.
  ///
  /// There are fewer reserved domains than real ones, so two domains of the same form may become
  /// equal. Their addresses still differ, apart from chance, because the replacement of the local
  /// part depends on the old domain.
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

  /// Returns the length of the end of a domain that is replaced.
  private func endLength(of domain: Range<Int>) -> Int { domain.count < 9 ? 3 : 5 }

  /// Returns the new end of a domain. Its last letters have the case of the old last letters.
  private func end(of domain: Range<Int>, in old: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var end = Array((endLength(of: domain) == 3 ? ".zz" : ".test").unicodeScalars)
    let cases = endCases(of: domain, in: old)
    for (place, isUpper) in zip(end.indices.dropFirst().reversed(), cases.reversed()) where isUpper
    {
      end[place] = Unicode.Scalar(UInt8(truncatingIfNeeded: end[place].value & ~0x20))
    }
    return end
  }

  /// Returns whether the ASCII letters at the end of a domain are in upper case, one by one.
  private func endCases(of domain: Range<Int>, in scalars: [Unicode.Scalar]) -> [Bool] {
    domain.suffix(endLength(of: domain)).compactMap { index in
      switch scalars[index] {
      case "A"..."Z": true
      case "a"..."z": false
      default: nil
      }
    }
  }
}

extension String {
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
