extension TextScanner {
  mutating func findAddresses() {
    var end = 0
    for at in scalars.indices where scalars[at] == "@" {
      var start = at
      while start > end, isOfLocalPart(start - 1) { start -= 1 }
      while start < at, !isNameCharacter(start) { start += 1 }
      guard start < at, let domain = domain(after: at) else { continue }
      addresses.append((local: start..<at, domain: domain))
      end = domain.upperBound
    }
    addresses.reverse()
  }

  private func isOfLocalPart(_ index: Int) -> Bool {
    isNameCharacter(index) || "._+-'".unicodeScalars.contains(scalars[index])
  }

  /// Returns whether a character is a letter or a digit of any script.
  private func isNameCharacter(_ index: Int) -> Bool {
    scalars[index].isASCII
      ? isAlphanumeric(index) : alphabets.place(of: scalars[index]).alphabet != nil
  }

  /// Returns the domain after an `@`, or nil if there is no domain with a dot.
  private func domain(after at: Int) -> Range<Int>? {
    let start = at + 1
    var end = start
    while end < scalars.count, isNameCharacter(end) || has(end, ".") || has(end, "-") { end += 1 }
    while end > start, !isNameCharacter(end - 1) { end -= 1 }
    guard start < end, isNameCharacter(start) else { return nil }
    let last = scalars[start..<end].lastIndex(of: ".")
    guard let last, end - last > 2, !(last + 1..<end).contains(where: isDigit) else { return nil }
    let hasEmptyLabel = (start..<end - 1).contains { has($0, ".") && has($0 + 1, ".") }
    return hasEmptyLabel ? nil : start..<end
  }

  mutating func takeAddress() -> Bool {
    guard let address = addresses.last, address.local.lowerBound == position else { return false }
    addresses.removeLast()
    let part = shape.parts.count
    shape.parts.append(TextShape.Part(kind: .address, context: address.domain))
    shape.domains.append(address.domain)
    while position < address.local.upperBound {
      if isDigit(position) { takeNumber(part: part) } else { takeCharacter(part: part) }
    }
    position = address.domain.upperBound
    return true
  }
}

// MARK: - URLs

extension TextScanner {
  /// Takes the scheme of a URL, which stays. A word may be directly before `http` or `https`, as in
  /// `Ask Peter.https://…`. It is replaced.
  mutating func takeScheme() -> Bool {
    if schemeEnd <= position {
      schemeEnd = position
      while isAlphanumeric(schemeEnd) || "+-.".utf8.contains(byte(schemeEnd)) { schemeEnd += 1 }
    }
    let end = schemeEnd
    guard has(end, ":") else { return false }
    let isHierarchical = has(end + 1, "/") && has(end + 2, "/")
    let scheme = scalars[position..<end]
    let isKnown = [Array("mailto".unicodeScalars), Array("tel".unicodeScalars)].contains {
      scheme.elementsEqual($0)
    }
    guard isHierarchical || isKnown else { return false }
    if isHierarchical, let begin = webScheme(before: end), begin > position {
      if scalars[position..<begin].contains(where: { "+-.".unicodeScalars.contains($0) }) {
        return false
      }
      while position < begin {
        if isDigit(position) { takeNumber(part: 0) } else { takeCharacter(part: 0) }
      }
    }
    position = end + (isHierarchical ? 3 : 1)
    isInURL = true
    return true
  }

  /// Returns where `http` or `https` begins, if it ends at a position.
  private func webScheme(before end: Int) -> Int? {
    ["http", "https"].lazy.map { Array($0.unicodeScalars) }
      .first { self.scalars[..<end].suffix($0.count).elementsEqual($0) }.map { end - $0.count }
  }

  /// Takes an escaped byte of a URL, like `%C3`. The first digit stays. The second stays within its
  /// class, so that the byte still encodes a letter, a digit or a continuation.
  mutating func takeEscape() -> Bool {
    guard isInURL, has(position, "%"), let high = hexadecimal(position + 1),
      let low = hexadecimal(position + 2)
    else { return false }
    defer { position += 3 }
    let isLower = byte(position + 1) >= 0x61 || byte(position + 2) >= 0x61
    switch (high, low) {
    case (3, 0...9): add(alphabets.digit, low, at: position + 2)
    case (4, 1...9), (6, 1...9): add(alphabets.leadingDigit, low - 1, at: position + 2)
    case (5, 0...9), (7, 0...9): add(alphabets.digit, low, at: position + 2)
    case (8...11, _):
      let letters = isLower ? alphabets.lowerHexadecimal : alphabets.upperHexadecimal
      add(letters, low, at: position + 2)
    default: break
    }
    return true
  }
}

// MARK: - Time zones

extension TextScanner {
  /// Takes the area of a time zone identifier such as `Europe/Andorra`. The area stays: there are
  /// only ten, and programs recognise zones by them. The place is replaced.
  mutating func takeTimeZone() -> Bool {
    var end = position
    while isLetter(end) { end += 1 }
    guard has(end, "/"), byte(end + 1) >= 0x41, isLetter(end + 1), byte(end + 1) < 0x61,
      Self.zoneAreas.contains(Array(scalars[position..<end]))
    else { return false }
    position = end + 1
    return true
  }

  private static let zoneAreas = Set(
    [
      "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe",
      "Indian", "Pacific",
    ].map { Array($0.unicodeScalars) })
}

// MARK: - Identifiers

extension TextScanner {
  /// Takes a word of hexadecimal digits, as in hashes and identifiers: 16 digits or more with a
  /// letter, 7 or more with two letters and two digits, or a colour after `#`. In words under 16
  /// digits letters stay letters, so that the replacement is certainly such a word.
  mutating func takeHexadecimal() -> Bool {
    var end = position
    var (letters, digits) = (0, 0)
    while hexadecimal(end) != nil {
      if isLetter(end) { letters += 1 } else { digits += 1 }
      end += 1
    }
    let count = letters + digits
    if count >= 16 {
      return letters > 0 && takeHexadecimal(from: position, upTo: end, isMixing: true)
    }
    let isColour = has(position - 1, "#") && [3, 4, 6, 8].contains(count)
    let isWord = isColour ? letters > 0 : count >= 7 && letters > 1 && digits > 1
    return isWord && takeHexadecimal(from: position, upTo: end, isMixing: false)
  }

  /// Takes hexadecimal digits after `0x`, of any length.
  mutating func takePrefixedHexadecimal() -> Bool {
    var end = position + 2
    while hexadecimal(end) != nil { end += 1 }
    return has(position, "0") && has(position + 1, "x") && end > position + 2
      && takeHexadecimal(from: position + 2, upTo: end, isMixing: false)
  }

  /// - Parameter isMixing: Whether a letter may become a digit, and a digit a letter.
  private mutating func takeHexadecimal(from start: Int, upTo end: Int, isMixing: Bool) -> Bool {
    guard !isAlphanumeric(end), let all = letterCase(of: start..<end) else { return false }
    let letters =
      all == alphabets.upperHexadecimal
      ? alphabets.upperHexadecimalLetter : alphabets.lowerHexadecimalLetter
    let part = addIdentifier()
    for place in start..<end {
      guard let value = hexadecimal(place) else { continue }
      if isMixing {
        add(all, value, at: place, part: part)
      } else if value < 10 {
        add(alphabets.digit, value, at: place, part: part)
      } else {
        add(letters, value - 10, at: place, part: part)
      }
    }
    position = end
    return true
  }

  mutating func addIdentifier() -> Int {
    shape.parts.append(TextShape.Part(kind: .identifier, context: 0..<0))
    return shape.parts.count - 1
  }

  /// Returns the alphabet of hexadecimal digits. Returns nil for another character or mixed case.
  func letterCase(of places: some Sequence<Int>) -> Int? {
    var hasLower = false
    var hasUpper = false
    for place in places {
      guard hexadecimal(place) != nil else { return nil }
      if byte(place) >= 0x61 { hasLower = true } else if isLetter(place) { hasUpper = true }
    }
    if hasLower, hasUpper { return nil }
    return hasUpper ? alphabets.upperHexadecimal : alphabets.lowerHexadecimal
  }
}
