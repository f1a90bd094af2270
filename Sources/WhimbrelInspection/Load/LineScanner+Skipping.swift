/// Going past values of which nothing is needed.
extension LineScanner {
  /// Goes past a value, whatever it is; returns false where there is none.
  mutating func skipValue() -> Bool {
    let start = position
    var depth = 0
    while !isAtEnd {
      switch current {
      case UInt8(ascii: "\""):
        guard skipString() else { return false }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return position > start }
        depth -= 1
        position += 1
      case UInt8(ascii: ",") where depth == 0: return position > start
      default: position += 1
      }
    }
    return false
  }

  private mutating func skipString() -> Bool {
    position += 1
    while !isAtEnd {
      switch current {
      case UInt8(ascii: "\""):
        position += 1
        return true
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    return false
  }
}
