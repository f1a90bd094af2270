internal import Foundation

/// A line that says how far a piece of work is, as it is drawn over itself.
///
/// It knows no clock and no terminal: it is told how long the work has taken and how wide the
/// line may be, and says what to write.
package struct ProgressLine {
  /// How long a piece of work takes before it is worth a bar.
  static let patience = Duration.milliseconds(500)
  /// How long a bar stands before it is drawn anew.
  static let interval = Duration.milliseconds(100)
  /// What takes the line away: back to its start, and empty to its end.
  static let wiping = "\r\u{1B}[K"

  private var lastDrawing: Duration?
  private var step: String?
  private var rate = WorkRate()

  package init() {}

  /// What to write now, or nil for nothing.
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

  /// What wipes the line, or nil when there is none.
  package mutating func wipe() -> String? {
    defer { lastDrawing = nil }
    return lastDrawing.map { _ in Self.wiping }
  }

  /// The line, which takes less than `width` columns, so that no terminal breaks it.
  ///
  /// - Parameter rate: how much is done in a second, or nil when nobody knows yet.
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
    // What is said last is left out first: the bar, the facts, and the step's end.
    let bar = min(30, room - step.count - facts.count - 6)
    if bar < 4 { return String("\(step)  \(facts)".prefix(room)) }
    let filled = Int(Double(bar) * part)
    let cells = String(repeating: "#", count: filled) + String(repeating: "-", count: bar - filled)
    return "\(step)  [\(cells)]  \(facts)"
  }

  /// A time in the two units that matter: `1 h 05 min left`.
  static func timeLeft(_ seconds: Double) -> String {
    guard seconds < 360_000 else { return "days left" }
    let whole = Int(seconds.rounded(.up))
    if whole < 60 { return "\(whole) s left" }
    if whole < 3_600 { return String(format: "%d min %02d s left", whole / 60, whole % 60) }
    return String(format: "%d h %02d min left", whole / 3_600, whole % 3_600 / 60)
  }
}

/// How much is done in a second, as it was in the last seconds: an average in which what lies
/// five seconds back counts for a third of what is new.
struct WorkRate {
  private static let memory = 5.0
  private var last: (completed: Int, seconds: Double)?
  private var average: Double?

  /// The rate, or nil before there was any work.
  var perSecond: Double? { average }

  /// Notes how much is done at a time.
  mutating func add(_ completed: Int, at time: Duration) {
    let seconds = time / .seconds(1)
    guard let before = last else {
      last = (completed, seconds)
      return
    }
    let passed = seconds - before.seconds
    // Too short a time says nothing of the rate.
    guard passed >= 0.05 else { return }
    let rate = Double(max(0, completed - before.completed)) / passed
    let weight = 1 - exp(-passed / Self.memory)
    average = average.map { $0 + (rate - $0) * weight } ?? rate
    last = (completed, seconds)
  }
}

/// A number of objects, bytes or pages as people read it.
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

  /// The number with a comma for each thousand, whatever the language of the system.
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
