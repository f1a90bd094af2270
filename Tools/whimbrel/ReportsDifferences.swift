import ArgumentParser

/// A command whose exit code is an answer, like that of `diff`: 0 for no, 1 for yes, and 2 for
/// trouble.
protocol ReportsDifferences: ParsableCommand {
  /// Whether this call answers by exit code. The default is true.
  var reportsDifferences: Bool { get }
}

extension ReportsDifferences {
  var reportsDifferences: Bool { true }
}
