internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// A guess of the narrowest type that holds texts without loss: `int`, `double`, `bool`, `date`,
/// `uuid`, else `string`.
///
/// A type holds a text without loss if converting the text and back gives the same number, date or
/// identifier. `00123` and `+5` are not numbers. Whole numbers are `int` up to 64 bits, else text.
/// A number is a `double` only if a double has all of its digits.
struct TextGuess {
  /// The types that hold all texts so far.
  private var candidates: [Candidate]
  private(set) var count = 0
  private var hasNumber = false
  /// The text that ruled out the last type other than `string`.
  private(set) var firstText: Sample?

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

  /// A guess about texts that may be anything, as in CSV.
  static var bare: TextGuess { TextGuess([.bool, .int, .double, .day, .instant, .uuid]) }
  /// A guess about texts in quotes, as in JSON, which writes numbers and truth values without
  /// quotes.
  static var quoted: TextGuess { TextGuess([.day, .instant, .uuid]) }

  private init(_ candidates: [Candidate]) { self.candidates = candidates }

  /// The type of all texts, or nil if there were none.
  var type: PropertyType? {
    if count == 0 { return nil }
    // Special words such as `nan` alone do not make a number.
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
