internal import WhimbrelInspection

/// A text that is a JSON object or array. Its strings and numbers can be replaced, while its names,
/// truth values and spacing stay.
struct JSONText {
  private let bytes: [UInt8]
  private let root: JSONNode

  /// Parses a text. Returns nil if the text is not a JSON object or array.
  init?(_ text: String) {
    guard Self.mayBeJSON(text.unicodeScalars) else { return nil }
    bytes = Array(text.utf8)
    guard let root = try? JSONParser.parse(bytes) else { return nil }
    self.root = root
  }

  /// Returns whether a text begins and ends like a JSON object or array.
  static func mayBeJSON(_ scalars: some BidirectionalCollection<Unicode.Scalar>) -> Bool {
    let first = scalars.first { !isSpace($0) }
    let last = scalars.last { !isSpace($0) }
    return first == "{" && last == "}" || first == "[" && last == "]"
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
  }

  /// Returns the text with its strings and numbers replaced.
  ///
  /// - Parameter replace: Returns a replacement with the same number of scalars.
  /// - Complexity: O(*n*), plus the time of `replace`.
  func replacing(_ replace: (String) -> String) -> String {
    var result: [UInt8] = []
    var position = 0
    forEachLeaf(of: root) { node in
      result += bytes[position..<node.offset]
      position = node.offset
      switch node.content {
      case .number(let text):
        result += replace(text).utf8
        position += text.utf8.count
      case .string(let text):
        let end = end(ofStringAt: position)
        let spelled = String(decoding: bytes[position..<end], as: UTF8.self)
        result += Self.respell(spelled, as: replace(text)).utf8
        position = end
      default: break
      }
    }
    return String(decoding: result + bytes[position...], as: UTF8.self)
  }

  private func forEachLeaf(of node: JSONNode, _ body: (JSONNode) -> Void) {
    switch node.content {
    case .array(let nodes): for node in nodes { forEachLeaf(of: node, body) }
    case .object(let members): for member in members { forEachLeaf(of: member.value, body) }
    default: body(node)
    }
  }

  /// Returns the position after the closing quote of a string.
  private func end(ofStringAt start: Int) -> Int {
    var position = start + 1
    while bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return position + 1
  }

  /// Writes a text in the spelling of a quoted string. Each character is written as the character
  /// that it replaces; a character after a backslash stays.
  private static func respell(_ spelled: String, as text: String) -> String {
    let old = Array(spelled.unicodeScalars)
    var new: [Unicode.Scalar] = ["\""]
    var position = 1
    for scalar in text.unicodeScalars {
      var count = 1
      if old[position] == "\\" {
        // The old character decides: a domain gets ASCII letters in place of any others.
        count = old[position + 1] != "u" ? 2 : isHighSurrogate(old[(position + 2)...]) ? 12 : 6
      }
      let form = old[position..<position + count]
      switch count {
      case 1: new.append(scalar)
      case 2: new += form
      default:
        let isUpper = form.contains { ("A"..."F").contains($0) }
        for unit in String(Character(scalar)).utf16 {
          let digits = String(unit, radix: 16, uppercase: isUpper)
          new += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
        }
      }
      position += count
    }
    return String(new + ["\""])
  }

  /// Returns whether hexadecimal digits begin with D8 to DB. In JSON, a low surrogate follows then.
  private static func isHighSurrogate(_ digits: ArraySlice<Unicode.Scalar>) -> Bool {
    let digits = Array(digits.prefix(2))
    return ["D", "d"].contains(digits[0]) && "89ABab".unicodeScalars.contains(digits[1])
  }
}
