import Testing

@testable import WhimbrelEngine

@Suite struct ReportTimerTests {
  /// How many objects pass from one report to the next, and how many looks at the clock
  /// that takes, when each object takes as long.
  private func run(_ pace: Duration, objects: Int) -> (reports: [Duration], looks: Int) {
    var timer = ReportTimer()
    let start = ContinuousClock.now
    var (now, reports, looks) = (start, [Duration](), 0)
    for _ in 0..<objects {
      now += pace
      let isDue = timer.isDue(isForced: false) {
        looks += 1
        return now
      }
      if isDue { reports.append(now - start) }
    }
    return (reports, looks)
  }

  @Test(arguments: [200, 2_000, 50_000, 700_000, 20_000_000, 90_000_000] as [Int64])
  func `reports are 50 ms apart, and little more`(nanoseconds: Int64) {
    let pace = Duration.nanoseconds(nanoseconds)
    let (reports, _) = run(pace, objects: Int(1_000_000_000 / nanoseconds) + 20)
    #expect(reports.first == pace)
    #expect(reports.count > 10)
    for (earlier, later) in zip(reports, reports.dropFirst()) {
      #expect(later - earlier >= ReportTimer.pause)
      #expect(later - earlier < ReportTimer.pause + .milliseconds(2) + pace)
    }
  }

  @Test func `quick objects do not have the clock looked at for each`() {
    let (_, looks) = run(.nanoseconds(500), objects: 1_000_000)
    #expect(looks < 1_000_000 / ReportTimer.maximumInterval + 20)
  }

  @Test func `objects that become slow are reported all the same`() {
    var timer = ReportTimer()
    var now = ContinuousClock.now
    for _ in 0..<10_000 {
      now += .microseconds(1)
      _ = timer.isDue(isForced: false) { now }
    }
    var reports = 0
    for number in 0..<(ReportTimer.maximumInterval + 50) {
      now += .milliseconds(10)
      let isDue = timer.isDue(isForced: false) { now }
      if isDue, number >= ReportTimer.maximumInterval { reports += 1 }
    }
    // Once the clock has been looked at, every fifth object is late enough.
    #expect(reports == 10)
  }

  @Test func `a report that is forced does not wait`() {
    var timer = ReportTimer()
    let now = ContinuousClock.now
    for _ in 0..<5 { #expect(timer.isDue(isForced: true) { now }) }
    #expect(!timer.isDue(isForced: false) { now })
  }
}
