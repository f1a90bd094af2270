import Testing

@testable import WhimbrelEngine

/// What `print` shows of a migration's progress.
struct ProgressTextTests {
  @Test(arguments: [
    (
      MigrationProgress(
        phase: .rewriting, className: "Zone", completed: 120, total: 418, bytes: 16_384,
        totalBytes: 53_000), "rewriting 'Zone', 120 of 418 objects, 16 of about 52 KiB written"
    ),
    (
      MigrationProgress(
        step: 2, stepCount: 3, phase: .indexing, className: "Zone", completed: 0, total: 1,
        bytes: 0, totalBytes: 0), "step 2 of 3: building the indexes of 'Zone', 0 of 1 object"
    ),
    (
      MigrationProgress(
        phase: .finishing, className: nil, completed: 0, total: 1, bytes: 0, totalBytes: 0),
      "finishing"
    ),
  ])
  func `progress says what is done and how far it is`(progress: MigrationProgress, text: String) {
    #expect("\(progress)" == text)
  }
}
