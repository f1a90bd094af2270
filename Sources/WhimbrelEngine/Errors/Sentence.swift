/// The wording of one error, in parts.
///
/// Every error reads `Could not <verb> <what> '<name>'<where>: <reason>. <What to do>.` The reason
/// may be followed by a list.
struct Sentence: Wording {
  /// The failed action, which follows "Could not".
  let action: String
  /// The reason with its full stop, followed by the list or the excerpt.
  let reason: String
  /// The advice.
  let recovery: String

  /// The action and the reason, with the list.
  var message: String { "Could not \(action): \(reason)" }

  /// Creates a sentence with an optional list below the reason.
  init(_ action: String, _ reason: String, items: [String] = [], _ recovery: String) {
    let list = items.map { "\n- " + $0 }.joined()
    self.action = action
    self.reason = reason + (items.isEmpty ? "." : ":" + list)
    self.recovery = recovery
  }

  /// Creates a sentence about a text, with an excerpt of the text below the reason.
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

  /// Returns the sentence with a path into the given values.
  func at(_ path: String) -> Sentence {
    Sentence(
      action: "\(action) at \(Self.quoted(path))", reason: reason, recovery: recovery)
  }

  /// Returns the sentence with the name of one file in the place of another.
  func naming(_ path: String, insteadOf other: String) -> Sentence {
    let (old, new) = (Self.quoted(other), Self.quoted(path))
    return Sentence(
      action: action.replacing(old, with: new), reason: reason.replacing(old, with: new),
      recovery: recovery.replacing(old, with: new))
  }
}

// MARK: Kinds of sentences

extension Sentence {
  /// Returns "Could not open the store at 'zones.whimbrel': …".
  static func store(
    _ verb: String, _ path: String, _ reason: String, items: [String] = [], _ recovery: String
  ) -> Sentence {
    Sentence("\(verb) the store at \(quoted(path))", reason, items: items, recovery)
  }

  /// Returns "Could not set 'Zone.latitude': …".
  static func setting(
    _ className: String, _ property: String, _ reason: String, _ recovery: String
  ) -> Sentence {
    Sentence("set \(quoted(className + "." + property))", reason, recovery)
  }
}
