import ArgumentParser

/// A verb whose exit code is an answer, as that of `diff`: 0 for no, 1 for yes, and 2 when there
/// is trouble.
protocol ReportsDifferences: ParsableCommand {
  /// Whether it is, as it was called; by default it is.
  var reportsDifferences: Bool { get }
}

extension ReportsDifferences {
  var reportsDifferences: Bool { true }
}
