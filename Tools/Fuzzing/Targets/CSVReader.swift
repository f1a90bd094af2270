internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelImport
internal import WhimbrelInspection

/// Imports comma-separated values with a schema, and with one that is guessed.
final class CSVReader: FuzzReader {
  private let folder: FuzzFolder

  init() throws { folder = try FuzzFolder() }

  var seeds: [[UInt8]] {
    let texts = [
      "name,int8,string\na,1,x\nb,,\"\"\n",
      "\u{FEFF}name;bool;double\r\n\"a \"\"b\"\"\";true;1.5\r\n",
      "name,int16,int32,int,uint8,uint16,uint32\nx,-3,70000,9007199254740993,200,60000,4000000000\n",
      "name,float,decimal,date,uuid\nx,inf,1.50,2025-05-01T12:30:00.25Z,"
        + "6B9F2A3E-0F6F-4D6C-9D8E-2F1F1A7E9C11\n",
      "name,objectId,data,link,any\nx,507f1f77bcf86cd799439011,AAHDvw==,1,5\n",
      "name,numbers,texts,doubles\nx,\"[1,2]\",\"[\"\"a\"\",null]\",\"{\"\"k\"\":1}\"\n",
      "id,when,amount\n1,2025-05-01,12\n2,,0.5\n", "a\tb\n1\t2\n",
    ]
    return texts.map { Array($0.utf8) }
  }

  func read(_ input: [UInt8]) throws {
    let source = try folder.write(input, as: "input.csv")
    defer { folder.removeAll() }
    for separator: Character in [",", ";"] {
      var options = CSVImport.Options()
      options.separator = separator
      options.unknown = .ignored
      check {
        try CSVImport(
          path: source, class: "Thing", into: $0, .newStore(EveryKind.schema), options
        ).run()
      }
    }
    let file = try ImportFile(path: source)
    let guess = try GuessedSchema(csv: file, class: "Row")
    _ = guess.text
    check { try CSVImport(file, guess, into: $0).run() }
  }

  /// Makes a store and checks it.
  private func check(_ load: (String) throws -> MergeSummary) {
    defer { for name in ["new.whimbrel", "copy.whimbrel"] { folder.removeStore(name) } }
    let path = folder.path("new.whimbrel")
    let summary = attempt { try load(path) }
    require(
      (summary != nil) == FileManager.default.fileExists(atPath: path),
      "a failed load leaves no store")
    if let summary {
      _ = summary.text
      LoadedStore(path: path, folder: folder).check()
    }
  }
}
