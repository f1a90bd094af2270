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
      let paths = words.dropFirst(2).filter { FileManager.default.fileExists(atPath: $0) }
      for path in paths {
        if let schema = try? StoreOverview(path: path).schema {
          return schema.classes.map { PlainText.escaped($0.name) }
        }
      }
      return []
    }
  }
}
