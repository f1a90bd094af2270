extension TextScanner {
  /// Takes an IPv6 address and replaces its hexadecimal digits. The short forms `::` and `::1`
  /// stay, and an IPv4 address at its end is replaced as one.
  mutating func takeIPv6() -> Bool {
    guard !has(position - 1, ":") else { return false }
    var (end, groups, hasGap) = (position, [Range<Int>](), false)
    if has(end, ":") {
      guard has(end + 1, ":") else { return false }
      (end, hasGap) = (end + 2, true)
    }
    var isV4 = false
    while true {
      let width = (0..<5).prefix { hexadecimal(end + $0) != nil }.count
      if width == 0 { break }
      if width < 4, has(end + width, "."), isDigit(end) {
        isV4 = true
        break
      }
      guard width < 5 else { return false }
      groups.append(end..<end + width)
      end += width
      guard has(end, ":") else { break }
      if has(end + 1, ":") {
        guard !hasGap else { return false }
        (end, hasGap) = (end + 2, true)
      } else {
        guard hexadecimal(end + 1) != nil else { break }
        end += 1
      }
    }
    let count = groups.count + (isV4 ? 2 : 0)
    guard hasGap ? count < 8 : count == 8, isV4 || !isAlphanumeric(end), !has(end, ":"),
      let letters = letterCase(of: groups.joined())
    else { return false }
    if hasGap, count == 0 || count == 1 && groups.first?.count == 1 && has(end - 1, "1") {
      position = end
      return true
    }
    takeGroups(groups, letters)
    position = end
    if isV4 {
      _ = take(oneOf: TextPattern.ofDigits)
    } else {
      position = endOfPort(at: position, longestPrefix: 128)
    }
    // A port after the brackets of a URL.
    if has(position, "]"), has(position + 1, ":") {
      position += 1
      position = endOfPort(at: position, longestPrefix: 0)
    }
    return true
  }

  private mutating func takeGroups(_ groups: [Range<Int>], _ letters: Int) {
    guard !groups.isEmpty else { return }
    let part = addIdentifier()
    for place in groups.joined() {
      if let value = hexadecimal(place) { add(letters, value, at: place, part: part) }
    }
  }
}
