import ArgumentParser
import Foundation
import WhimbrelEngine
import WhimbrelInspection

/// A message about wrong usage: the problem, a suggestion, and the usage of the command.
struct UsageComplaint: Equatable {
  /// The problem, in sentences.
  let message: String
  /// A suggestion, and where to read on.
  let hint: String
  /// The usage of the command, or nil.
  let usage: String?

  let status: ExitStatus

  /// Describes an unknown command, or returns nil when the command exists. For `help` with an
  /// unknown command the exit code is that of trouble, as for a missing manual page.
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

  /// Describes an argument that is not valid UTF-8, or returns nil. Swift replaces what is wrong, so that
  /// another file would be opened, or another text stored.
  init?(ofDamagedTextIn arguments: [String]) {
    let damaged = arguments.indices.first { index in
      // Safe: the arguments end with a zero and live as long as the process.
      let text = unsafe CommandLine.unsafeArgv[index + 1]
      return unsafe text.flatMap { unsafe String(validatingCString: $0) } == nil
    }
    guard let damaged else { return nil }
    message = "The argument \(PlainText.quoted(arguments[damaged])) is not valid UTF-8."
    hint = "Write it in UTF-8, and rename a file whose name is not in UTF-8."
    usage = nil
    status = .wrongUsage
  }

  /// Describes an option such as `--arg=`, or returns nil. The argument parser takes the next
  /// argument as its value, even if that is an option.
  init?(ofEmptyValueIn arguments: [String]) {
    let options = arguments.prefix { $0 != "--" }
    let empty = options.indices.first { index in
      let option = options[index]
      return option.hasPrefix("--") && option.firstIndex(of: "=") == option.indices.last
        && !(index > 0 && options[index - 1] == "--arg")
    }
    guard let empty else { return nil }
    let name = String(options[empty].dropLast())
    message = "\(PlainText.quoted(options[empty])) has no value."
    hint = "Write an empty value as an argument of its own: \(PlainText.escaped(name)) ''."
    usage = nil
    status = .wrongUsage
  }

  /// Describes an error of the argument parser.
  init(_ error: any Error, in arguments: [String]) {
    self.init(
      message: Whimbrel.message(for: error), fullMessage: Whimbrel.fullMessage(for: error),
      negativeKey: Self.negativeKey(in: arguments))
  }

  /// Returns the negative primary key in the arguments of `show`, `set` or `rm` that lacks a `--`
  /// before it, or nil. The argument parser reads such a key as an option and reports that no object
  /// is named.
  private static func negativeKey(in arguments: [String]) -> String? {
    guard let verb = arguments.first, ["show", "set", "rm"].contains(verb) else { return nil }
    let options = arguments.prefix { $0 != "--" }
    return zip(options, options.dropFirst()).first { previous, argument in
      argument.first == "-" && argument.dropFirst().first.map { "0"..."9" ~= $0 } == true
        && !["--depth", "--where", "--backup"].contains(previous)
    }?.1
  }

  /// - Parameters:
  ///   - message: the parser's message, which may end with a suggestion.
  ///   - fullMessage: the message with the usage and a line on how to get help.
  ///   - negativeKey: a primary key that the parser took for an option.
  init(message: String, fullMessage: String, negativeKey: String? = nil) {
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
    let dashes = negativeKey.map {
      "Write '--' before \(PlainText.quoted($0)), and options before '--'. "
    }
    hint = (dashes ?? PlainText.escaped(suggestion)) + (more ?? "See 'whimbrel --help'.")
  }

  var text: String {
    "Error: \(message)\nHint: \(hint)\n" + (usage.map { $0 + "\n" } ?? "")
  }

  /// Writes the text and ends the process.
  func exit() -> Never {
    Output.say(text)
    status.exit()
  }
}
