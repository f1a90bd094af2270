internal import Foundation
public import Whimbrel
public import XCTest

extension SampleStore {
  /// Interrupts the migration of copies of the file at many points. Each time, it expects
  /// that the file is the old store or the new one and never a mixture, and that the next
  /// opening completes the migration. If the migration has steps, the file may also be the
  /// result of a step.
  ///
  /// ```swift
  /// @Test(arguments: try SampleStore.all(in: .module))
  /// func `an interrupted migration loses nothing`(sample: SampleStore) throws {
  ///   try sample.expectSurvival(with: .zones(url: sample.url))
  /// }
  /// ```
  ///
  /// Processes are really killed, and a limit on the size of the file acts as a full disk.
  /// For both, the running test is started again in a child process, which migrates a copy
  /// when it reaches this call, and ends there. Each child also runs the part of the test
  /// before the call. Some dozens of children take some seconds. Platforms such as iOS cannot
  /// start processes; leave these interruptions out there, because they fail the test.
  ///
  /// A migration is expected to give the same objects each time. If it generates UUIDs or uses
  /// the current time, name the properties that get these values in `ignoring`. A property that
  /// the file lacks may have a default that differs each time. Its values are not compared
  /// either. If such a property is a primary key, the objects of its class are only counted, and
  /// links to them are not compared.
  ///
  /// - Parameters:
  ///   - interruptions: The interruptions to test. The default is all.
  ///   - configuration: The app's own configuration. Its URL, backup, seed, fresh start and
  ///     compaction are not used.
  ///   - properties: Properties that may get other values each time, such as
  ///     `Zone.comments`, because the migration generates them. The default is none.
  ///   - testCase: In XCTest, the test case: `self`. Swift Testing knows the running
  ///     test.
  ///   - fileID: The module and file of the test, for its failures.
  ///   - filePath: The path of that file.
  ///   - line: The line in it.
  ///   - column: The column in that line.
  /// - Throws: an error of the file system.
  public func expectSurvival(
    of interruptions: [Interruption] = Interruption.allCases,
    with configuration: Store.Configuration, ignoring properties: [String] = [],
    in testCase: XCTestCase? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    if let order = ChildOrder.current {
      // This process was started to carry out one order, for one sample.
      return order.carryOut(for: name, at: place, configuration)
    }
    let test = SurvivalTest(
      self, configuration, properties, place, RunningTest(testCase, place))
    try test.run(interruptions)
  }
}
