internal import WhimbrelInspection

/// A text that is an object or an array of JSON: its texts and numbers can be replaced, and it stays
/// JSON with the same names, truth values and spaces.
struct JSONText {
  private let scalars: [Unicode.Scalar]

  /// Makes it of a text, or returns nil for one that is something else.
  init?(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    guard Self.mayBeJSON(scalars) else { return nil }
    // The parser takes lines.
    let bytes = text.utf8.map { $0 == 0x0A ? 0x20 : $0 }
    guard (try? JSONParser.parse(bytes)) != nil else { return nil }
    self.scalars = scalars
  }

  /// Whether a text begins and ends as an object or an array does.
  static func mayBeJSON(_ scalars: [Unicode.Scalar]) -> Bool {
    let first = scalars.first { !isSpace($0) }
    let last = scalars.last { !isSpace($0) }
    return first == "{" && last == "}" || first == "[" && last == "]"
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
  }

  /// The text with other texts and numbers in it.
  ///
  /// - Parameter replace: gives another text of as many scalars.
  /// - Complexity: O(*n*) besides what `replace` takes.
  func replacing(_ replace: (String) -> String) -> String {
    var result: [Unicode.Scalar] = []
    result.reserveCapacity(scalars.count)
    var position = 0
    while position < scalars.count {
      let start = position
      switch scalars[position] {
      case "\"":
        position = end(ofStringAt: position)
        if isName(before: position) {
          result += scalars[start..<position]
        } else {
          result.append("\"")
          result += JSONStringText(scalars[start + 1..<position - 1]).replacing(replace)
          result.append("\"")
        }
      case "-", "0"..."9":
        while position < scalars.count, Self.isOfNumber(scalars[position]) { position += 1 }
        result += replace(String(Array(scalars[start..<position]))).unicodeScalars
      case "a"..."z":
        // True, false or null.
        while position < scalars.count, ("a"..."z").contains(scalars[position]) { position += 1 }
        result += scalars[start..<position]
      default:
        result.append(scalars[position])
        position += 1
      }
    }
    return String(result)
  }

  private static func isOfNumber(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar) || "+-.eE".unicodeScalars.contains(scalar)
  }

  /// The place behind the closing quote of a string.
  private func end(ofStringAt start: Int) -> Int {
    var position = start + 1
    while position < scalars.count, scalars[position] != "\"" {
      position += scalars[position] == "\\" ? 2 : 1
    }
    return min(position + 1, scalars.count)
  }

  /// Whether the string in front is the name of a member.
  private func isName(before position: Int) -> Bool {
    scalars[position...].first { !Self.isSpace($0) } == ":"
  }
}

/// What stands between the quotes of a string of JSON: its characters, and how each is written.
private struct JSONStringText {
  private var characters: [(scalar: Unicode.Scalar, form: Form)] = []

  private enum Form {
    case plain
    /// With a backslash and a letter.
    case escaped(Unicode.Scalar)
    /// With its number, in digits of a case.
    case numbered(isUpper: Bool)
  }

  /// - Parameter spelled: what is known to be right.
  init(_ spelled: ArraySlice<Unicode.Scalar>) {
    var position = spelled.startIndex
    while position < spelled.endIndex {
      guard spelled[position] == "\\", position + 1 < spelled.endIndex else {
        characters.append((spelled[position], .plain))
        position += 1
        continue
      }
      let letter = spelled[position + 1]
      guard letter == "u" else {
        characters.append((Self.meaning(of: letter), .escaped(letter)))
        position += 2
        continue
      }
      let digits = spelled[position...].dropFirst(2).prefix(4)
      let isUpper = digits.contains { ("A"..."F").contains($0) }
      var number = Self.number(digits)
      position += 6
      if (0xD800..<0xDC00).contains(number) {
        let low = Self.number(spelled[position...].dropFirst(2).prefix(4))
        number = 0x10000 + (number - 0xD800) << 10 + (low &- 0xDC00)
        position += 6
      }
      characters.append((Unicode.Scalar(number) ?? "\u{FFFD}", .numbered(isUpper: isUpper)))
    }
  }

  private static func number(_ digits: some Sequence<Unicode.Scalar>) -> UInt32 {
    digits.reduce(0) { $0 << 4 | UInt32(Character($1).hexDigitValue ?? 0) }
  }

  private static func meaning(of letter: Unicode.Scalar) -> Unicode.Scalar {
    switch letter {
    case "b": "\u{8}"
    case "f": "\u{C}"
    case "n": "\n"
    case "r": "\r"
    case "t": "\t"
    default: letter
    }
  }

  /// The characters with others in their place, each written as the one before.
  func replacing(_ replace: (String) -> String) -> [Unicode.Scalar] {
    let new = Array(replace(String(characters.map(\.scalar))).unicodeScalars)
    // What is replaced has as many characters, and no other ones that need a backslash; anything
    // else is written as JSON writes it.
    guard new.count == characters.count else {
      var writer = JSONWriter()
      writer.append(String(new))
      return Array(
        String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self).unicodeScalars)
    }
    return zip(new, characters).flatMap { scalar, character -> [Unicode.Scalar] in
      switch character.form {
      case .plain: [scalar]
      case .escaped(let letter): ["\\", letter]
      case .numbered(let isUpper):
        Array(String(Character(scalar)).utf16).flatMap { unit in
          let digits = String(unit, radix: 16, uppercase: isUpper)
          let padded = String(repeating: "0", count: 4 - digits.count) + digits
          return ["\\", "u"] + Array(padded.unicodeScalars)
        }
      }
    }
  }
}
