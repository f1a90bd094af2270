import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// The order of keys is the order of values, over extreme and random values.
struct KeyOrderTests {
  @Test(arguments: [false, true])
  func `whole numbers keep their order`(isOptional: Bool) {
    var random = SeededGenerator(seed: 1)
    var numbers: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    for width in 0..<64 {
      numbers += [1 << Int64(width), ~(1 << Int64(width)), .max >> Int64(width)]
      numbers += (0..<10).map { _ in Int64.random(in: .min ... .max, using: &random) >> width }
    }
    check(Set(numbers).sorted().map(PropertyValue.int), isOptional: isOptional)
  }

  @Test(arguments: [false, true])
  func `doubles keep their order`(isOptional: Bool) {
    var random = SeededGenerator(seed: 2)
    var numbers: [Double] = [
      0, 1, .infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude,
      .ulpOfOne, 1.0.nextUp, 1.0.nextDown,
    ]
    numbers += (0..<1_000).map { _ in Double(bitPattern: random.next()) }.filter { !$0.isNaN }
    numbers += numbers.map { -$0 }
    let sorted = Set(numbers).sorted()
    check(sorted.map(PropertyValue.double) + [.double(.nan)], isOptional: isOptional)
    let dates = sorted.map { PropertyValue.date(Date(timeIntervalSinceReferenceDate: $0)) }
    check(dates, isOptional: isOptional)
  }

  @Test func `floats keep their order`() {
    var random = SeededGenerator(seed: 3)
    let patterns = (0..<1_000).map { _ in UInt32(truncatingIfNeeded: random.next()) }
    let numbers = patterns.map(Float.init(bitPattern:)).filter { !$0.isNaN }
    check(Set(numbers).sorted().map(PropertyValue.float), isOptional: false)
  }

  @Test(arguments: [false, true])
  func `strings keep the order of their UTF-8`(isOptional: Bool) {
    var random = SeededGenerator(seed: 4)
    let alphabet: [Unicode.Scalar] = ["\0", "\u{1}", "a", "b", "\u{7F}", "é", "\u{FFFF}", "🐦"]
    var texts: Set<[UInt8]> = []
    for _ in 0..<600 {
      var text = ""
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        text.unicodeScalars.append(alphabet.randomElement(using: &random) ?? "a")
      }
      texts.insert(Array(text.utf8))
    }
    let sorted = texts.sorted { $0.lexicographicallyPrecedes($1) }
    check(sorted.map { .string(String(decoding: $0, as: UTF8.self)) }, isOptional: isOptional)
  }

  @Test func `UUIDs, booleans and links keep their order`() {
    var random = SeededGenerator(seed: 5)
    let uuids = (0..<300).compactMap { _ in
      let text = random.next().hexadecimal + random.next().hexadecimal
      let cuts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
      let parts = cuts.map { String(text.dropFirst($0.lowerBound).prefix($0.count)) }
      return UUID(uuidString: parts.joined(separator: "-")).map { (text, $0) }
    }
    #expect(uuids.count == 300)
    let sorted = uuids.sorted { $0.0 < $1.0 }
    check(sorted.map { .uuid($0.1) }, isOptional: true)
    check([.bool(false), .bool(true)], isOptional: true)
    let links: [UInt64] = [0, 1, 255, 256, 1 << 63, .max]
    check(links.map { .link(ObjectID(rawValue: $0)) }, isOptional: true)
  }

  /// Checks that the keys of rising values rise and that none is a prefix of
  /// another.
  private func check(
    _ values: [PropertyValue], isOptional: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let all = isOptional && values.first?.kind != "link" ? [.null] + values : values
    let keys = all.map { encoding(of: $0, isOptional: isOptional) }
    // The keys rise, so if one is a prefix of any, it is one of the next.
    for (index, key) in keys.enumerated().dropFirst() {
      let previous = keys[index - 1]
      if !previous.lexicographicallyPrecedes(key) || key.starts(with: previous) {
        Issue.record(
          "\(all[index - 1]) and \(all[index]) are out of order", sourceLocation: sourceLocation)
      }
    }
    #expect(keys.count == all.count, sourceLocation: sourceLocation)
  }
}

extension UInt64 {
  /// The number in 16 hexadecimal digits.
  fileprivate var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
