/// The wording of one error, before it is put together.
///
/// Every error reads `Could not <verb> <what> '<name>'<where>: <reason>. <What
/// to do>.` The reason may be followed by a list.
struct Sentence: Wording {
  /// What could not be done: what follows "Could not".
  let action: String
  /// Why, with its full stop, and the list or the excerpt.
  let reason: String
  /// What to do.
  let recovery: String

  /// What could not be done and why, with the list.
  var message: String { "Could not \(action): \(reason)" }

  /// Puts a sentence together: `action` is what follows "Could not".
  init(_ action: String, _ reason: String, items: [String] = [], _ recovery: String) {
    let list = items.map { "\n- " + $0 }.joined()
    self.action = action
    self.reason = reason + (items.isEmpty ? "." : ":" + list)
    self.recovery = recovery
  }

  /// Puts a sentence together that is about a text, and shows a piece of that below it.
  init(_ action: String, _ reason: String, excerpt: String, _ recovery: String) {
    self.action = action
    self.reason = "\(reason).\n\(excerpt)"
    self.recovery = recovery
  }

  private init(action: String, reason: String, recovery: String) {
    self.action = action
    self.reason = reason
    self.recovery = recovery
  }

  /// The same with a place in the values that were given.
  func at(_ path: String) -> Sentence {
    Sentence(
      action: "\(action) at \(Self.quoted(path))", reason: reason, recovery: recovery)
  }
}

// MARK: Kinds of sentences

extension Sentence {
  /// "Could not open the store at 'zones.whimbrel': …"
  static func store(
    _ verb: String, _ path: String, _ reason: String, items: [String] = [], _ recovery: String
  ) -> Sentence {
    Sentence("\(verb) the store at \(quoted(path))", reason, items: items, recovery)
  }

  /// "Could not set 'Zone.latitude': …"
  static func setting(
    _ className: String, _ property: String, _ reason: String, _ recovery: String
  ) -> Sentence {
    Sentence("set \(quoted(className + "." + property))", reason, recovery)
  }
}
