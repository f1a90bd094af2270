internal import Foundation
public import Whimbrel
public import XCTest

extension SampleStore {
  /// Interrupts the migration of copies of the file at many places, and looks each time that the
  /// file is the old store or the new one, never a mixture, and that the next opening completes it.
  /// Of a migration in steps, the file may also be what a step between has made of it.
  ///
  /// ```swift
  /// @Test(arguments: try SampleStore.all(in: .module))
  /// func `an interrupted migration loses nothing`(sample: SampleStore) throws {
  ///   try sample.expectSurvival(with: .zones(url: sample.url))
  /// }
  /// ```
  ///
  /// Processes that are killed, and those whose disk is full, are real: the running test is started
  /// again in a child process, which migrates a copy when it comes to this call, and ends there.
  /// What stands before the call in the test runs in each child too. Some dozens of children take
  /// some seconds. Where processes cannot be started, as on iOS, those interruptions make the test
  /// fail: leave them out there.
  ///
  /// A migration is expected to come to the same result each time. Where it does not, because it
  /// makes UUIDs or takes the time, the numbers of objects are compared.
  ///
  /// - Parameters:
  ///   - interruptions: which ones. The default is all.
  ///   - configuration: the app's own; its URL is not used.
  ///   - testCase: in XCTest, the test case: `self`. Swift Testing knows the running test.
  ///   - fileID: the module and file of the test, for its failures.
  ///   - filePath: the path of that file.
  ///   - line: the line in it.
  ///   - column: the column in that line.
  /// - Throws: an error of the file system.
  public func expectSurvival(
    of interruptions: [Interruption] = Interruption.allCases,
    with configuration: Store.Configuration,
    in testCase: XCTestCase? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    if let order = ChildOrder.current {
      // This process was started to come here, for one sample.
      return order.carryOut(for: name, at: place, configuration)
    }
    let test = SurvivalTest(self, configuration, place, RunningTest(testCase, place))
    try test.run(interruptions)
  }
}
