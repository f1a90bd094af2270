package import Foundation

/// A date in ISO 8601 as other programs write it: a day, or a day and a time with a zone.
///
/// `2025-05-01` is midnight in UTC. The time may lack the seconds. The zone is `Z` or an offset
/// such as `+02:00`. A time without a zone is not an instant and is not read.
package struct ImportedDate {
  package let date: Date
  package let form: Form

  package enum Form {
    case day
    case instant
    /// An instant whose text has more than a date keeps: an offset, or too many decimals.
    case inexactInstant
  }

  package init?(_ text: String) {
    guard (10...40).contains(text.utf8.count), text.utf8.allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    if text.utf8.count == 10 {
      guard let date = DateText.date(iso8601: text + "T00:00:00Z") else { return nil }
      (self.date, form) = (date, .day)
      return
    }
    guard let zone = Zone(text) else { return nil }
    var time = String(Substring(text.utf8.dropLast(zone.length)))
    if time.utf8.count == 16 { time += ":00" }
    guard let date = DateText.date(iso8601: time + "Z") else { return nil }
    self.date = date.addingTimeInterval(-zone.offset)
    guard zone.offset == 0 else {
      form = .inexactInstant
      return
    }
    // Whole seconds are always exact.
    let isExact =
      time.utf8.count == 19
      || DateText.iso8601(date).map(Self.withoutZeros) == Self.withoutZeros(time + "Z")
    form = isExact ? .instant : .inexactInstant
  }

  /// Returns a text without the trailing zeros of its decimals.
  private static func withoutZeros(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
    var bytes = Array(text.utf8.dropLast())
    while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self) + "Z"
  }

  /// The zone at the end of a text.
  private struct Zone {
    /// The offset in seconds east of Greenwich.
    let offset: Double
    /// The length in bytes.
    let length: Int

    init?(_ text: String) {
      if text.utf8.last == UInt8(ascii: "Z") {
        (offset, length) = (0, 1)
        return
      }
      let end = Array(text.utf8.suffix(6))
      guard end.count == 6, end[3] == UInt8(ascii: ":"),
        end[0] == UInt8(ascii: "+") || end[0] == UInt8(ascii: "-"),
        let hours = Int(String(decoding: end[1...2], as: UTF8.self)), (0..<24).contains(hours),
        let minutes = Int(String(decoding: end[4...5], as: UTF8.self)),
        (0..<60).contains(minutes)
      else { return nil }
      let seconds = Double(hours * 3_600 + minutes * 60)
      (offset, length) = (end[0] == UInt8(ascii: "-") ? -seconds : seconds, 6)
    }
  }
}
