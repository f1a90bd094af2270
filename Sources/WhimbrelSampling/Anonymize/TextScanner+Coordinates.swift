extension TextScanner {
  /// Takes a text that is a place as ISO 6709 writes it, `±DDMM±DDDMM` or `±DDMMSS±DDDMMSS`:
  /// degrees, minutes and seconds that a globe has stay such, and those that it has not stay so.
  mutating func takeCoordinates() -> Bool {
    let widths: (latitude: Int, longitude: Int)
    switch scalars.count {
    case 11: widths = (5, 6)
    case 15: widths = (7, 8)
    default: return false
    }
    let halves = [0..<widths.latitude, widths.latitude..<scalars.count]
    let isPlace = halves.allSatisfy { half in
      (has(half.lowerBound, "+") || has(half.lowerBound, "-"))
        && half.dropFirst().allSatisfy(isDigit)
    }
    guard isPlace else { return false }
    addAngle(halves[0], degreeDigits: 2, limit: 90)
    addAngle(halves[1], degreeDigits: 3, limit: 180)
    position = scalars.count
    return true
  }

  private mutating func addAngle(_ range: Range<Int>, degreeDigits: Int, limit: UInt32) {
    let start = range.lowerBound + 1
    guard let degrees = number(start, degreeDigits) else { return }
    // What is at the limit, or beyond it, is of no secret place.
    if degrees == limit { return }
    let all: UInt32 = degreeDigits == 2 ? 100 : 1000
    let bounds = degrees < limit ? 0..<limit : limit + 1..<all
    let alphabet = alphabets.numbers(
      from: bounds.lowerBound, count: UInt32(bounds.count), width: degreeDigits)
    add(alphabet, degrees - bounds.lowerBound, at: start)
    for place in stride(from: start + degreeDigits, to: range.upperBound, by: 2) {
      guard let value = number(place, 2) else { continue }
      let bounds: Range<UInt32> = value < 60 ? 0..<60 : 60..<100
      let alphabet = alphabets.numbers(
        from: bounds.lowerBound, count: UInt32(bounds.count), width: 2)
      add(alphabet, value - bounds.lowerBound, at: place)
    }
  }
}
