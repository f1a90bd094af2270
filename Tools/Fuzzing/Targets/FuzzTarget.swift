/// A reader of bytes that come from outside, as the fuzzer and its regression test call it.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// The pages of a file that is opened, read in every way and written to.
  case pages
  /// Records, overflow and index entries behind checksums that are right.
  case record
  /// The catalog and the header behind checksums that are right.
  case catalog
  /// The text of queries.
  case query
  /// Dumps as JSON lines.
  case dump
  case csv
  /// Exports of Realm Studio.
  case realm
  /// Schemas as files.
  case schema

  /// Makes the reader of the target.
  package func reader() throws -> any FuzzReader {
    switch self {
    case .pages: try PagesReader()
    case .record: try RecordReader()
    case .catalog: try CatalogReader()
    case .query: try QueryReader()
    case .dump: try DumpReader()
    case .csv: try CSVReader()
    case .realm: try RealmReader()
    case .schema: try SchemaReader()
    }
  }
}

/// Reads inputs one after the other. An input does not see what those before it left.
package protocol FuzzReader: AnyObject {
  /// Small inputs that are sound, to begin with.
  var seeds: [[UInt8]] { get throws }

  /// Reads an input. An error is an answer.
  func read(_ input: [UInt8]) throws
}

extension FuzzReader {
  /// Reads an input, and stops the program when a promise is broken. An error must be one that users
  /// can understand, and its words must be there.
  package func check(_ input: [UInt8]) {
    attempt { try read(input) }
  }
}
