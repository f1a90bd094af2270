internal import Foundation

extension QueryScanner {
  /// The limit on the digits of a number. It bounds the work for a hostile text.
  private static let longestNumber = 1_000

  /// Reads a number or a date, starting at a digit.
  mutating func number() throws(QueryProblem) -> QueryToken.Kind {
    if let date = try QueryDate.read(bytes, &place) {
      try expectEnd(of: "a date")
      return .literal(.date(date))
    }
    let start = place
    if byte() == UInt8(ascii: "0"), byte(1) | 0x20 == UInt8(ascii: "x") {
      place += 2
      let digits = takeDigits { Character(.init($0)).isHexDigit }
      try expectEnd(of: "a number")
      return .integer(try integer(digits, radix: 16, from: start))
    }
    var digits = takeDigits { 0x30...0x39 ~= $0 }
    var isWhole = true
    if byte() == UInt8(ascii: "."), 0x30...0x39 ~= byte(1) {
      isWhole = false
      place += 1
      takeDigits { 0x30...0x39 ~= $0 }
    }
    if byte() | 0x20 == UInt8(ascii: "e") {
      let isSigned = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-")
      if 0x30...0x39 ~= byte(isSigned ? 2 : 1) {
        isWhole = false
        place += isSigned ? 2 : 1
        takeDigits { 0x30...0x39 ~= $0 }
      }
    }
    try expectEnd(of: "a number")
    if isWhole { return .integer(try integer(digits, radix: 10, from: start)) }
    digits = start..<place
    guard digits.count <= Self.longestNumber, let number = Double(text(digits)), number.isFinite
    else {
      throw QueryProblem(
        start, "the number \(quoted(digits)) is too large for a double",
        "Write 'inf' for an infinite number, or 'decimal(…)' for a decimal one.")
    }
    return .literal(.double(number))
  }

  @discardableResult
  private mutating func takeDigits(_ isDigit: (UInt8) -> Bool) -> Range<Int> {
    let start = place
    while place < bytes.count, bytes[place] < 0x80, isDigit(bytes[place]) { place += 1 }
    return start..<place
  }

  private func integer(
    _ digits: Range<Int>, radix: Int, from start: Int
  ) throws(QueryProblem) -> UInt64 {
    guard !digits.isEmpty else {
      throw QueryProblem(
        start, "expected digits after '0x'", "Write the number as '0x1F', or as '31'.")
    }
    // The largest integer has 20 digits, but zeros may precede them.
    guard digits.count <= Self.longestNumber, let number = UInt64(text(digits), radix: radix) else {
      throw outOfRange(start..<place)
    }
    return number
  }

  /// Returns the error for an integer that is out of range.
  func outOfRange(_ range: Range<Int>) -> QueryProblem {
    QueryProblem(
      range.lowerBound, "the number \(quoted(range)) is too large for a 64-bit integer",
      "Add '.0' for a double, or 'decimal(…)' for a decimal number.")
  }

  private func expectEnd(of what: String) throws(QueryProblem) {
    guard Self.nameLength(bytes, at: place) > 0 else { return }
    let scalar = String(Self.scalar(bytes, at: place))
    throw QueryProblem(
      place, "\(what) is followed directly by \(Sentence.quoted(scalar))",
      "Put a space between them, or write a name that begins with a digit in backquotes.")
  }
}
