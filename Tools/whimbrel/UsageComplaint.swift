import ArgumentParser
import Foundation
import WhimbrelEngine
import WhimbrelInspection

/// What is said to who uses the tool wrongly: what is wrong, what was probably meant, and how
/// it is done.
struct UsageComplaint: Equatable {
  /// What is wrong, as sentences.
  let message: String
  /// What was probably meant, and where to read on.
  let hint: String
  /// The usage of the verb, or nil.
  let usage: String?

  /// What the process says of it.
  let status: ExitStatus

  /// Puts a verb that there is not into words; nil when there is one. Who asks for help with one gets
  /// the code of what is in trouble, as of a manual page that is not there.
  init?(ofUnknownVerbIn arguments: [String]) {
    var arguments = arguments[...]
    status = arguments.first == "help" ? .trouble : .wrongUsage
    if status == .trouble { arguments.removeFirst() }
    guard let verb = arguments.first, !verb.hasPrefix("-"), verb != "help" else { return nil }
    let known = Whimbrel.verbNames
    guard !known.contains(verb) else { return nil }
    message = "There is no verb \(PlainText.quoted(verb))."
    let all = "'whimbrel --help' lists all verbs."
    hint = Spelling.closest(to: verb, among: known).map { "Did you mean '\($0)'? \(all)" } ?? all
    usage = nil
  }

  /// Puts an error of the argument parser into words.
  init(_ error: any Error) {
    self.init(
      message: Whimbrel.message(for: error), fullMessage: Whimbrel.fullMessage(for: error))
  }

  /// - Parameters:
  ///   - message: the parser's message, which may end with a suggestion.
  ///   - fullMessage: the parser's message with the usage, and a line that says how to get help.
  init(message: String, fullMessage: String) {
    status = .wrongUsage
    var parts = message.components(separatedBy: ". Did you mean ")
    let suggestion = parts.count > 1 ? "Did you mean \(parts.removeLast()) " : ""
    let text = parts.joined(separator: ". Did you mean ")
    self.message = PlainText.escaped(text.hasSuffix(".") ? text : text + ".")
    let lines = fullMessage.split(separator: "\n")
    usage = lines.first { $0.hasPrefix("Usage: ") }.map(String.init)
    let more = lines.last { $0.contains("See '") }.map {
      $0.trimmingCharacters(in: .whitespaces)
        .replacing(" for more information.", with: " for what it takes.")
    }
    hint = PlainText.escaped(suggestion) + (more ?? "See 'whimbrel --help'.")
  }

  /// The lines for standard error.
  var text: String {
    "Error: \(message)\nHint: \(hint)\n" + (usage.map { $0 + "\n" } ?? "")
  }

  /// Says it, and ends the process.
  func exit() -> Never {
    FileHandle.standardError.write(Data(text.utf8))
    status.exit()
  }
}
