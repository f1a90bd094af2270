import WhimbrelInspectionTestSupport

/// The verbs of the tool, as its help lists them.
enum ToolVerbs {
  static let all: [String] = {
    guard let help = try? ToolRun(["--help"], in: TestFolder()).output,
      let lists = help.firstRange(of: "SUBCOMMANDS:")
    else { return [] }
    return help[lists.upperBound...].split(separator: "\n").compactMap { line in
      // A verb stands behind two spaces, and what it does behind more.
      guard line.hasPrefix("  "), !line.hasPrefix("   ") else { return nil }
      let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      return words.count == 2 && words[1].hasPrefix(" ") ? String(words[0]) : nil
    }
  }()
}
