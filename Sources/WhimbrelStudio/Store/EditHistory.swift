internal import Synchronization
internal import WhimbrelInspection

/// The edits that pages have made and that can be taken back, until the server ends.
final class EditHistory: Sendable {
  /// The limit of objects in all steps. The oldest steps make room for a new one.
  private static let objectLimit = 20_000
  private static let stepLimit = 100

  /// An edit that can be taken back.
  struct Step: Sendable {
    let number: Int
    /// The edit in a few words.
    let title: String
    /// Whether it took back another edit.
    let takesBack: Bool
    let reversal: EditReversal

    var id: String { "u\(number)" }
  }

  private struct State {
    /// The steps, oldest first.
    var steps: [Step] = []
    var lastNumber = 0
  }

  private let state = Mutex(State())

  init() {}

  /// The steps as JSON, newest first.
  var json: [UInt8] {
    let steps = state.withLock { $0.steps }.reversed().map { step in
      #"{"id":"\#(step.id)","summary":\#(JSONText.of(step.title))"#
        + #","takesBack":\#(step.takesBack)}"#
    }
    return Array(#"{"steps":\#(JSONText.array(steps))}"#.utf8)
  }

  /// Adds an edit, and returns its ID. Returns nil if the edit changed nothing or cannot be taken back.
  func add(_ title: String, takesBack: Bool = false, _ reversal: EditReversal?) -> String? {
    guard let reversal, reversal.count > 0 else { return nil }
    return state.withLock { state in
      state.lastNumber += 1
      let step = Step(
        number: state.lastNumber, title: title, takesBack: takesBack, reversal: reversal)
      state.steps.append(step)
      var (room, kept) = (Self.objectLimit, 0)
      for step in state.steps.reversed().prefix(Self.stepLimit) {
        room -= step.reversal.count
        if room < 0, kept > 0 { break }
        kept += 1
      }
      state.steps.removeFirst(state.steps.count - kept)
      return step.id
    }
  }

  /// Returns a step, or throws if it is not there any more.
  func step(_ id: String) throws(WebError) -> Step {
    guard let step = state.withLock({ $0.steps.first { $0.id == id } }) else {
      throw WebError(
        status: .notFound, code: "notFound", message: "This edit can no longer be undone.")
    }
    return step
  }

  /// Removes a step that was taken back.
  func remove(_ id: String) { state.withLock { $0.steps.removeAll { $0.id == id } } }
}
