internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// Finds the narrowest type that holds texts without loss: `int`, `double`, `bool`, `date`,
/// `uuid`, else `string`.
///
/// A type holds a text without loss when the same number, date or identifier comes back: `00123`
/// and `+5` are no numbers, whole numbers are `int` up to 64 bits and else text, and a number is a
/// `double` only when that has all of its digits.
struct TextGuess {
  /// The types that all texts so far have.
  private var candidates: [Candidate]
  /// How many texts there were.
  private(set) var count = 0
  private var hasNumber = false
  /// The first text that only `string` holds.
  private(set) var firstText: Sample?

  /// A text, and the line where it stands.
  struct Sample: Hashable {
    let text: String
    let line: Int
  }

  private enum Candidate {
    case bool, int, double, day, instant, uuid

    var type: PropertyType {
      switch self {
      case .bool: .bool
      case .int: .int
      case .double: .double
      case .day, .instant: .date
      case .uuid: .uuid
      }
    }
  }

  /// Texts that may be anything, as in CSV.
  static var bare: TextGuess { TextGuess([.bool, .int, .double, .day, .instant, .uuid]) }
  /// Texts in quotes, as in JSON, which has numbers and truth values of its own.
  static var quoted: TextGuess { TextGuess([.day, .instant, .uuid]) }

  private init(_ candidates: [Candidate]) { self.candidates = candidates }

  /// The type, or nil when there was no text.
  var type: PropertyType? {
    if count == 0 { return nil }
    // Words such as `nan` alone are no numbers.
    return candidates.first { $0 != .double || hasNumber }?.type ?? .string
  }

  mutating func add(_ text: String, line: Int) {
    count += 1
    if candidates.isEmpty { return }
    var remaining: [Candidate] = []
    for candidate in candidates where has(text, candidate) { remaining.append(candidate) }
    candidates = remaining
    if candidates.isEmpty, firstText == nil {
      firstText = Sample(text: text, line: line)
    }
  }

  private mutating func has(_ text: String, _ candidate: Candidate) -> Bool {
    switch candidate {
    case .bool: return text == "true" || text == "false"
    case .int: return ExactNumber.isInteger(text)
    case .double:
      if ExactNumber.isDouble(text) {
        hasNumber = true
        return true
      }
      return NumberText.value(special: text, as: Double.self) != nil
    case .day: return ImportedDate(text)?.form == .day
    case .instant: return ImportedDate(text)?.form == .instant
    case .uuid:
      return text.utf8.count == 36 && UUID(uuidString: text) != nil
    }
  }
}
