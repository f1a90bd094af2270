import Foundation
import Testing
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

@testable import WhimbrelInspection

struct DateTextTests {
  static let known: [(seconds: Double, text: String)] = [
    (0, "2001-01-01T00:00:00Z"),
    (-1, "2000-12-31T23:59:59Z"),
    (-0.25, "2000-12-31T23:59:59.75Z"),
    (-1.25, "2000-12-31T23:59:58.75Z"),
    (0.1, "2001-01-01T00:00:00.1Z"),
    (788_918_400.123456, "2026-01-01T00:00:00.123456Z"),
    (-978_307_200, "1970-01-01T00:00:00Z"),
    (-26_524_800, "2000-02-29T00:00:00Z"),
    (-63_113_904_000, "0001-01-01T00:00:00Z"),
    (252_423_993_599, "9999-12-31T23:59:59Z"),
  ]

  @Test(arguments: known)
  func `a date has a text that leads back to it`(seconds: Double, text: String) {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(DateText.iso8601(date) == text)
    #expect(DateText.date(iso8601: text) == date)
  }

  @Test(arguments: [
    -0.0, 1e-5, -63_113_904_001, 252_423_993_600, 1e20, .nan, .infinity, -.infinity,
    .greatestFiniteMagnitude,
  ])
  func `a date that no text leads back to has none`(seconds: Double) {
    #expect(DateText.iso8601(Date(timeIntervalSinceReferenceDate: seconds)) == nil)
  }

  @Test(arguments: [
    "", "2026", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00:00+00:00",
    "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00.123456789012345678Z", "0000-01-01T00:00:00Z", "+026-01-01T00:00:00Z",
    "2026-01-01T00:00:00.-1Z", "2026--1-01T00:00:00Z",
  ])
  func `what is no date is none`(text: String) {
    #expect(DateText.date(iso8601: text) == nil)
  }

  @Test func `random dates come back to the bit`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let seconds =
        Double.random(in: -7e10...3e11, using: &random) / [1, 1e3, 1e9][Int(random.next() % 3)]
      guard let text = DateText.iso8601(Date(timeIntervalSinceReferenceDate: seconds)) else {
        continue
      }
      #expect(DateText.date(iso8601: text)?.timeIntervalSinceReferenceDate == seconds)
    }
  }
}
