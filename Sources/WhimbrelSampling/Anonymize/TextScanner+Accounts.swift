/// International bank account numbers.
extension TextScanner {
  /// Takes an IBAN, in one piece or in groups of four. The country stays, digits become digits,
  /// letters become letters, and the check digits match the new number.
  mutating func takeIBAN() -> Bool {
    guard isUpper(position), isUpper(position + 1), isDigit(position + 2), isDigit(position + 3)
    else { return false }
    let isGrouped = has(position + 4, " ")
    var places = Array(position..<position + 4)
    var end = position + 4
    while places.count < 34 {
      if isGrouped, places.count % 4 == 0, has(end, " "), isUpper(end + 1) || isDigit(end + 1) {
        // A longer word after a grouped number is not its last group.
        let next = (1..<6).prefix { isUpper(end + $0) || isDigit(end + $0) }.count
        guard next <= 4, !isAlphanumeric(end + 1 + next) else { break }
        end += 1
      }
      guard isUpper(end) || isDigit(end) else { break }
      places.append(end)
      end += 1
    }
    // Finds the longest part that is valid: other words in capitals may follow the number.
    while places.count >= 15, !isIBAN(places) {
      guard isGrouped else { return false }
      places.removeLast((places.count - 1) % 4 + 1)
    }
    guard places.count >= 15, let last = places.last, !isAlphanumeric(last + 1) else {
      return false
    }
    let part = addIdentifier()
    for place in places.dropFirst(4) {
      if isDigit(place) {
        add(alphabets.digit, UInt32(byte(place)) - 0x30, at: place, part: part)
      } else {
        let symbol = alphabets.place(of: scalars[place])
        if let alphabet = symbol.alphabet {
          add(alphabet, symbol.symbol, at: place, part: part)
        }
      }
    }
    shape.accounts.append(places)
    position = last + 1
    return true
  }

  private func isUpper(_ index: Int) -> Bool { isLetter(index) && byte(index) < 0x61 }

  private func isIBAN(_ places: [Int]) -> Bool {
    TextShape.remainder(of: places.map { scalars[$0] }) == 1
  }
}

extension TextShape {
  /// Writes the check digits of account numbers.
  mutating func fixAccounts() {
    for places in accounts {
      scalars[places[2]] = "0"
      scalars[places[3]] = "0"
      let check = 98 - Self.remainder(of: places.map { scalars[$0] })
      scalars[places[2]] = Unicode.Scalar(UInt8(0x30 + check / 10))
      scalars[places[3]] = Unicode.Scalar(UInt8(0x30 + check % 10))
    }
  }

  /// Returns an account number modulo 97, as ISO 13616 defines it: the country and the check digits
  /// move to the end, and letters count from 10. A valid number has the remainder 1.
  static func remainder(of number: [Unicode.Scalar]) -> Int {
    (number.dropFirst(4) + number.prefix(4)).reduce(0) { remainder, scalar in
      let value = Int(scalar.value)
      return value < 0x41
        ? (remainder * 10 + value - 0x30) % 97 : (remainder * 100 + value - 0x41 + 10) % 97
    }
  }
}
