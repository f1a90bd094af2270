internal import Foundation

/// A progress line that is redrawn in place.
///
/// It uses neither a clock nor a terminal: the caller passes the elapsed time and the width, and
/// writes the result.
package struct ProgressLine {
  /// The elapsed time before the first drawing. Short work gets no line.
  static let patience = Duration.milliseconds(500)
  /// The time between two drawings.
  static let interval = Duration.milliseconds(100)
  /// The text that wipes the line: a return to its start, and an erasure to its end.
  static let wiping = "\r\u{1B}[K"

  private var lastDrawing: Duration?
  private var step: String?
  private var rate = WorkRate()

  package init() {}

  /// Returns the text to write now, or nil.
  package mutating func update(_ progress: WorkProgress, after time: Duration, width: Int)
    -> String?
  {
    if progress.step != step {
      step = progress.step
      rate = WorkRate()
    }
    rate.add(progress.completed, at: time)
    guard time >= Self.patience, time - (lastDrawing ?? .zero) >= Self.interval else { return nil }
    lastDrawing = time
    return Self.wiping + Self.text(progress, rate: rate.perSecond, width: width)
  }

  /// Returns the text that wipes the line, or nil if the line is not drawn.
  package mutating func wipe() -> String? {
    defer { lastDrawing = nil }
    return lastDrawing.map { _ in Self.wiping }
  }

  /// Returns the line. It takes less than `width` columns, so that the terminal does not wrap it.
  ///
  /// - Parameter rate: The completed units per second, or nil if it is not known yet.
  static func text(_ progress: WorkProgress, rate: Double?, width: Int) -> String {
    let room = max(0, width - 1)
    let step = PlainText.escaped(progress.step)
    let amount = Amount(unit: progress.unit)
    guard let total = progress.total, total > 0 else {
      var text = "\(step)  \(amount.words(progress.completed))"
      if let rate { text += ", \(amount.words(Int(rate.rounded()))) a second" }
      return String(text.prefix(room))
    }
    let part = min(1, max(0, Double(progress.completed) / Double(total)))
    let percent = String(format: "%3d%%", Int(part * 100))
    var facts = "\(percent)  \(amount.words(min(progress.completed, total), of: total))"
    if let rate, rate > 0 {
      let seconds = Double(max(0, total - progress.completed)) / rate
      facts += "  \(timeLeft(seconds))"
    }
    // A narrow line first loses the bar, then the end of the facts.
    let bar = min(30, room - step.count - facts.count - 6)
    if bar < 4 { return String("\(step)  \(facts)".prefix(room)) }
    let filled = Int(Double(bar) * part)
    let cells = String(repeating: "#", count: filled) + String(repeating: "-", count: bar - filled)
    return "\(step)  [\(cells)]  \(facts)"
  }

  /// Returns a time in its two largest units: `1 h 05 min left`.
  static func timeLeft(_ seconds: Double) -> String {
    guard seconds < 360_000 else { return "days left" }
    let whole = Int(seconds.rounded(.up))
    if whole < 60 { return "\(whole) s left" }
    if whole < 3_600 { return String(format: "%d min %02d s left", whole / 60, whole % 60) }
    return String(format: "%d h %02d min left", whole / 3_600, whole % 3_600 / 60)
  }
}

/// The recent speed of the work, as a moving average: a speed measured five seconds ago has about a
/// third (1/e) of the weight of a new one.
struct WorkRate {
  private static let memory = 5.0
  private var last: (completed: Int, seconds: Double)?
  private var average: Double?

  /// The units per second, or nil before the second measurement.
  var perSecond: Double? { average }

  mutating func add(_ completed: Int, at time: Duration) {
    let seconds = time / .seconds(1)
    guard let before = last else {
      last = (completed, seconds)
      return
    }
    let passed = seconds - before.seconds
    // Over a very short time the measured rate is mostly noise.
    guard passed >= 0.05 else { return }
    let rate = Double(max(0, completed - before.completed)) / passed
    let weight = 1 - exp(-passed / Self.memory)
    average = average.map { $0 + (rate - $0) * weight } ?? rate
    last = (completed, seconds)
  }
}

/// A number of objects, bytes or pages in words.
private struct Amount {
  let unit: WorkProgress.Unit

  func words(_ count: Int) -> String {
    unit == .bytes ? megabytes(count) + " MB" : "\(grouped(count)) \(unit.rawValue)"
  }

  func words(_ count: Int, of total: Int) -> String {
    unit == .bytes
      ? "\(megabytes(count)) of \(megabytes(total)) MB"
      : "\(grouped(count)) of \(grouped(total)) \(unit.rawValue)"
  }

  private func megabytes(_ count: Int) -> String {
    String(format: "%.1f", Double(count) / 1_000_000)
  }

  /// Returns a number with a comma for each thousand, whatever the system's language.
  private func grouped(_ count: Int) -> String {
    var digits = String(count.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (count < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }
}
