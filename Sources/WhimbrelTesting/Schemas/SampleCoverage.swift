internal import Foundation
public import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelInspection
internal import WhimbrelSampling

/// Expects that sample stores together cover what the schema asks for.
///
/// ```swift
/// @Test func `the sample stores cover the schema`() throws {
///   try expectCoverage(
///     of: SampleStore.all(in: .module), with: .zones(url: anywhere), atLeast: 0.9,
///     marks: ["zones of no known country"])
/// }
/// ```
///
/// `SchemaCoverage` defines what must be covered, and `whimbrel coverage` shows it: nil,
/// the default and other values of each property, each case of an enum, collections with
/// no, one and many elements, objects with no, one and many links to them. Stores of older
/// versions count through the names of their classes and properties. The failure lists what
/// is missing and which objects to add.
///
/// - Parameters:
///   - samples: The sample stores.
///   - configuration: The app's own configuration. Its URL, backup, seed, fresh start and
///     compaction are not used.
///   - share: The share that must be covered, from 0 to 1.
///   - marks: The texts that the migration must report with `migration.report(_:)` for at
///     least one sample. The failure names those that it did not report.
///   - fileID: The module and file of the test, for its failures.
///   - filePath: The path of that file.
///   - line: The line in it.
///   - column: The column in that line.
/// - Throws: `StoreError` if a sample cannot be read or migrated.
public func expectCoverage(
  of samples: [SampleStore], with configuration: Store.Configuration, atLeast share: Double,
  marks: [String] = [], fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) throws {
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  let copies = try samples.map { try $0.copy() }
  let inspectors = try copies.map { try StoreInspector(path: $0.url.path) }
  let coverage = try SchemaCoverage(of: SchemaExport(of: configuration), by: inspectors)
  if coverage.fraction < share {
    place.fail(coverage.complaint(expecting: share))
  }
  let reached = try samples.reduce(into: Reached()) { try $0.migrate($1, configuration) }
  for step in configuration.migrationSteps?.steps.map(\.version) ?? []
  where !reached.steps.contains(step) {
    place.fail(
      "No sample store takes the migration step to version \(step). Add a store of an earlier "
        + "version.")
  }
  for mark in marks where !reached.marks.contains(mark) {
    let reachedMarks = reached.marks.sorted().map { "'\($0)'" }.joined(separator: ", ")
    place.fail(
      "No sample store reaches the mark '\(mark)' of the migration. Add an object that does to a "
        + "store. Reached marks: \(reachedMarks.isEmpty ? "none" : reachedMarks).")
  }
}

/// The parts of a migration that sample stores have reached.
private struct Reached {
  var steps: Set<SchemaVersion> = []
  var marks: Set<String> = []

  mutating func migrate(_ sample: SampleStore, _ configuration: Store.Configuration) throws {
    let copy = try sample.copy()
    let store = try Store(configuration.at(copy.url))
    for entry in store.migrationHistory where entry.from >= sample.schemaVersion {
      steps.insert(entry.to)
      marks.formUnion(entry.marks.map(\.text))
    }
  }
}

extension SchemaCoverage {
  fileprivate func complaint(expecting share: Double) -> String {
    // It is rounded up, so that it is more than what is covered. A product such as 0.57 * 100 is
    // a little off the whole number.
    let expected = Int((share * 100 - 1e-9).rounded(.up))
    let shown = missing.prefix(20).map { "\n  - \($0): add \($0.suggestion)" }
    let rest = missing.count > 20 ? "\n  - and \(missing.count - 20) more" : ""
    return "The sample stores cover \(percent) % of the schema's facets, but "
      + "\(expected) % are expected. These are missing:" + shown.joined() + rest
  }
}
