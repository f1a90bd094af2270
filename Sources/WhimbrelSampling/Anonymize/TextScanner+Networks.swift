/// Addresses of machines: IPv4, IPv6 and MAC.
extension TextScanner {
  /// Takes an address of IPv4: each number becomes one of as many digits up to 255. Those for no
  /// machine in particular stay, and so do a port and the length of a prefix behind it.
  mutating func takeIPv4() -> Bool {
    guard !(has(position - 1, ".") && isDigit(position - 2)) else { return false }
    var (end, octets) = (position, [(start: Int, width: Int, value: UInt32)]())
    for index in 0..<4 {
      if index > 0 {
        guard has(end, ".") else { return false }
        end += 1
      }
      let width = (0..<4).prefix { isDigit(end + $0) }.count
      guard (1...3).contains(width), let value = number(end, width), value < 256,
        width == 1 || byte(end) != 0x30
      else { return false }
      octets.append((end, width, value))
      end += width
    }
    guard !isAlphanumeric(end), !(has(end, ".") && isDigit(end + 1)) else { return false }
    if !Self.specialAddresses.contains(octets.map(\.value)) {
      let part = addIdentifier()
      for octet in octets {
        let first: UInt32 = [0, 10, 100][octet.width - 1]
        let count: UInt32 = [10, 90, 156][octet.width - 1]
        let alphabet = alphabets.numbers(from: first, count: count, width: octet.width)
        add(alphabet, octet.value - first, at: octet.start, part: part)
      }
    }
    position = end
    skipPortOrPrefix(longest: 32)
    return true
  }

  /// The addresses of no machine, of this one, and of all.
  private static let specialAddresses: Set<[UInt32]> = [
    [0, 0, 0, 0], [127, 0, 0, 1], [255, 255, 255, 255],
  ]

  /// Leaves `:8080`, and `/24`.
  private mutating func skipPortOrPrefix(longest: UInt32) {
    let isPort = has(position, ":")
    guard isPort || has(position, "/") else { return }
    let width = (0..<6).prefix { isDigit(position + 1 + $0) }.count
    guard width > 0, width < 6, !isAlphanumeric(position + 1 + width),
      let value = number(position + 1, width), value <= (isPort ? 65_535 : longest)
    else { return }
    position += 1 + width
  }

  /// Takes an address of IPv6: hexadecimal digits become such. The short forms `::` and `::1` stay,
  /// and an address of IPv4 at the end is one.
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
    if isV4 { _ = takeIPv4() } else { skipPortOrPrefix(longest: 128) }
    // A port behind the brackets of a URL.
    if has(position, "]"), has(position + 1, ":") {
      position += 1
      skipPortOrPrefix(longest: 0)
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

  /// Takes a MAC address, `00:1a:2b:3c:4d:5e` or with hyphens, or `001a.2b3c.4d5e`: its second digit
  /// stays, which tells whether it is one of many and who has given it, and so do those of all zeros
  /// and all ones.
  mutating func takeMAC() -> Bool {
    let groups: [Range<Int>]
    let separator: Unicode.Scalar
    if has(position + 2, ":") || has(position + 2, "-") {
      separator = scalars[position + 2]
      groups = (0..<6).map { position + 3 * $0..<position + 3 * $0 + 2 }
    } else if has(position + 4, ".") {
      separator = "."
      groups = (0..<3).map { position + 5 * $0..<position + 5 * $0 + 4 }
    } else {
      return false
    }
    guard let end = groups.last?.upperBound, !isAlphanumeric(end), !has(end, separator),
      groups.dropLast().allSatisfy({ has($0.upperBound, separator) }),
      let letters = letterCase(of: groups.joined())
    else { return false }
    // Numbers with dots are more often something else.
    if separator == ".", groups.joined().allSatisfy(isDigit) { return false }
    let values = groups.joined().compactMap { hexadecimal($0) }
    if !values.allSatisfy({ $0 == 0 }), !values.allSatisfy({ $0 == 15 }) {
      let part = addIdentifier()
      for (index, place) in groups.joined().enumerated() where index != 1 {
        if let value = hexadecimal(place) { add(letters, value, at: place, part: part) }
      }
    }
    position = end
    return true
  }
}
