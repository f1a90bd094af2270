import Foundation
import Testing
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

@testable import WhimbrelInspection

/// Numbers and dates are written without the texts that Swift makes of them, and the same.
struct NumberWritingTests {
  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Numbers with few digits, and any.
  private func numbers(seed: UInt64) -> [Double] {
    var random = SeededGenerator(seed: seed)
    return (0..<2_000).map { _ in
      let bits = random.next()
      let short = Double(Int64(bitPattern: bits) >> Int64(bits % 62))
      switch bits % 4 {
      case 0: return Double(bitPattern: random.next())
      case 1: return short
      case 2: return [1, 2, 4, 8, 64, 128].randomElement(using: &random).map { short / $0 } ?? 0
      default:
        return [1e1, 1e2, 1e3, 1e5, 1e7, 1e9].randomElement(using: &random).map { short / $0 } ?? 0
      }
    }
  }

  @Test(arguments: seeds(10, long: 100))
  func `a number is written as Swift describes it`(seed: UInt64) {
    for number in numbers(seed: seed) where number.isFinite && !(number == 0 && 1 / number < 0) {
      #expect(text { $0.append(number: number) } == number.description)
      let float = Float(number)
      if float.isFinite, !(float == 0 && float.sign == .minus) {
        #expect(text { $0.append(number: float) } == float.description)
      }
    }
  }

  @Test(arguments: seeds(10, long: 100))
  func `a whole number is written with all of its digits`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for shift in 0..<64 as Range<UInt64> {
      let number = random.next() >> shift
      #expect(text { $0.append(number) } == "\(number)")
      #expect(text { $0.append(Int64(bitPattern: number)) } == "\(Int64(bitPattern: number))")
    }
    for edge in [0, 9, 10, 99, 100, .max] as [UInt64] {
      #expect(text { $0.append(edge) } == "\(edge)")
    }
    #expect(text { $0.append(Int64.min) } == "\(Int64.min)")
    #expect(text { $0.append(Int8.min) } == "-128")
  }

  @Test(arguments: seeds(10, long: 100))
  func `a date has the decimals of the text of its seconds, and comes back`(seed: UInt64) throws {
    for number in numbers(seed: seed) where abs(number) < 6e10 {
      let date = Date(timeIntervalSinceReferenceDate: number)
      let expected = number.description.split(separator: ".").last ?? ""
      guard let text = DateText.iso8601(date) else {
        let isNegativeZero = number == 0 && number.sign == .minus
        #expect(expected.contains("e") || expected.count > 17 || isNegativeZero)
        continue
      }
      let back = try #require(DateText.date(iso8601: text))
      #expect(back.timeIntervalSinceReferenceDate.bitPattern == number.bitPattern)
      let decimals = text.dropFirst(19).dropLast().drop { $0 == "." }
      #expect(decimals.count == (expected == "0" ? 0 : expected.count))
    }
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `text is written with its escapes wherever they stand`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scalars = (0..<Int.random(in: 0...40, using: &random)).map { _ in
      ["a", "é", "\"", "\\", "\n", "\u{1}", "\u{7F}", "東"].randomElement(using: &random) ?? "a"
    }
    let original = scalars.joined()
    let written = text { $0.append(original) }
    #expect(!written.utf8.contains { $0 < 0x20 || $0 == 0x7F })
    guard case .string(let back) = try JSONParser.parse(Array(written.utf8)).content else {
      Issue.record("\(written) is no string.")
      return
    }
    #expect(Array(back.utf8) == Array(original.utf8))
  }
}
