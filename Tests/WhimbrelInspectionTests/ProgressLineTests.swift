import Testing

@testable import WhimbrelInspection

struct ProgressLineTests {
  private func progress(
    _ completed: Int, of total: Int? = 1_000, _ unit: WorkProgress.Unit = .objects,
    step: String = "Copying Zone"
  ) -> WorkProgress {
    WorkProgress(step: step, completed: completed, total: total, unit: unit)
  }

  @Test func `a line has step, bar, percent, amount and time left`() {
    #expect(
      ProgressLine.text(progress(500), rate: 50, width: 120)
        == "Copying Zone  [###############---------------]   50%  500 of 1,000 objects  10 s left")
    #expect(
      ProgressLine.text(progress(1_234_567, of: nil), rate: 1_000.4, width: 80)
        == "Copying Zone  1,234,567 objects, 1,000 objects a second")
    #expect(
      ProgressLine.text(progress(1_500_000, of: 3_000_000, .bytes), rate: nil, width: 60)
        == "Copying Zone  [###########-----------]   50%  1.5 of 3.0 MB")
    #expect(
      ProgressLine.text(progress(2_000), rate: 1, width: 100).hasSuffix(
        "100%  1,000 of 1,000 objects  0 s left"))
  }

  @Test(arguments: 0...130)
  func `no line is as wide as the terminal`(width: Int) {
    for total in [nil, 0, 1_000] {
      let line = ProgressLine.text(progress(999, of: total), rate: 0.001, width: width)
      #expect(line.count < max(width, 1))
    }
  }

  @Test func `a name of a class does not reach the terminal as it is`() {
    let line = ProgressLine.text(progress(1, step: "Copying \u{1B}[2J"), rate: nil, width: 200)
    #expect(!line.contains("\u{1B}"))
  }

  @Test(
    arguments: [
      (0, "0 s"), (59.2, "1 min 00 s"), (61, "1 min 01 s"), (3_599, "59 min 59 s"),
      (3_660, "1 h 01 min"), (360_001, "days"), (.infinity, "days"),
    ] as [(Double, String)])
  func `the time left is in the units that matter`(seconds: Double, words: String) {
    #expect(ProgressLine.timeLeft(seconds) == words + " left")
  }

  @Test func `what is done in half a second needs no line`() {
    var line = ProgressLine()
    for step in 0..<500 {
      #expect(line.update(progress(step), after: .milliseconds(step), width: 80) == nil)
    }
    #expect(line.wipe() == nil)
  }

  @Test func `the line is drawn ten times a second, and wiped at the end`() {
    var line = ProgressLine()
    let drawn = (0..<3_000).compactMap {
      line.update(progress($0 / 3), after: .milliseconds($0), width: 80)
    }
    #expect(drawn.count == 25)
    #expect(drawn.allSatisfy { $0.hasPrefix("\r\u{1B}[K") && !$0.contains("\n") })
    #expect(line.wipe() == "\r\u{1B}[K")
    #expect(line.wipe() == nil)
  }

  @Test func `the rate follows the work, and starts anew with each step`() throws {
    var rate = WorkRate()
    #expect(rate.perSecond == nil)
    for second in 0...10 { rate.add(second * 100, at: .seconds(second)) }
    #expect(rate.perSecond == 100)
    for second in 11...14 { rate.add(1_000 + (second - 10) * 200, at: .seconds(second)) }
    let later = try #require(rate.perSecond)
    #expect(later > 130 && later < 200)

    var line = ProgressLine()
    _ = line.update(progress(0, step: "First"), after: .zero, width: 80)
    _ = line.update(progress(900, step: "First"), after: .seconds(1), width: 80)
    let text = line.update(progress(5, step: "Second"), after: .seconds(2), width: 80)
    #expect(text?.contains("left") == false)
  }
}
