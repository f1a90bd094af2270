public import Testing

extension Trait where Self == TimeLimitTrait {
  /// For a test that would never end, or take hours, with the defect that it looks for.
  ///
  /// The clock of a time limit also runs while the test waits for its turn behind thousands of
  /// others. So the limit is far beyond what the whole suite takes; it is no measure of speed.
  public static var mustEnd: Self { .timeLimit(.minutes(30)) }
}
