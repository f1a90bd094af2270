import ArgumentParser
import Foundation
import WhimbrelInspection

struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Write the shell script that completes verbs, options and class names.",
    discussion: """
      The place for the script depends on the shell: see its manual. A new shell then completes \
      the words after 'whimbrel' when you press Tab.

      Examples:
        whimbrel completions bash > ~/.local/share/bash-completion/completions/whimbrel
        whimbrel completions zsh > "${fpath[1]}/_whimbrel"
        whimbrel completions fish > ~/.config/fish/completions/whimbrel.fish
      """)

  @Argument(help: "The shell.")
  var shell: Shell

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    var completion: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  func run() throws {
    try Output.write(Whimbrel.completionScript(for: shell.completion) + "\n")
  }
}

extension CompletionKind {
  /// Completion with the class names of the store that an earlier argument
  /// names.
  static var classOfStore: CompletionKind {
    .custom { words, _, _ in
      // A path that is not a store, or cannot be opened, contributes no
      // classes.
      for path in words.dropFirst(2).map(path) {
        guard FileManager.default.fileExists(atPath: path) else { continue }
        if let schema = try? StoreOverview(path: path).schema {
          return schema.classes.map { word(PlainText.escaped($0.name)) }
        }
      }
      return []
    }
  }

  /// Returns a word as the shell that asks for it has to get it. Bash expands each word, and would
  /// otherwise run the commands in the name of a class. In zsh, a description follows a colon.
  private static func word(_ name: String) -> String {
    switch CompletionShell.requesting {
    case .bash: "'" + name.replacing("'", with: #"'\''"#) + "'"
    case .zsh: name.replacing(#"\"#, with: #"\\"#).replacing(":", with: #"\:"#)
    default: name
    }
  }

  /// Returns the path that a word of a command line names. Shells pass the words as they were typed:
  /// with quotes, backslashes and `~`.
  private static func path(of word: String) -> String {
    if FileManager.default.fileExists(atPath: word) { return word }
    var path = ""
    var quote: Character?
    var characters = word.makeIterator()
    while let character = characters.next() {
      switch character {
      case "\\" where quote != "'": if let next = characters.next() { path.append(next) }
      case quote: quote = nil
      case "'" where quote == nil, "\"" where quote == nil: quote = character
      default: path.append(character)
      }
    }
    guard word.hasPrefix("~/"), let home = Terminal.environment("HOME") else { return path }
    return home + path.dropFirst()
  }
}
