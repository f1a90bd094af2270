internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelImport
internal import WhimbrelInspection

/// Imports an export of Realm Studio with a schema, and with one that is guessed.
final class RealmReader: FuzzReader {
  private let folder: FuzzFolder

  init() throws { folder = try FuzzFolder() }

  var seeds: [[UInt8]] {
    let texts = [
      #"{"Other":[{"key":1,"note":"a"},{"key":2,"note":null}],"Thing":[{"name":"x","int8":1,"link":1,"links":[1,2],"numbers":[1,2]}]}"#,
      #"{"Thing":[{"$refId":1,"name":"x","bool":true,"link":{"key":7,"note":"n"},"part":{"number":1,"next":{"number":2,"next":null}},"parts":[],"links":[{"key":7,"note":"n"}]},{"name":"y","date":"2025-05-01T12:30:00.250Z","data":"AAHDvw==","uuid":"6B9F2A3E-0F6F-4D6C-9D8E-2F1F1A7E9C11","decimal":"12.5","objectId":"507f1f77bcf86cd799439011","any":5,"doubles":{"k":1.5}}]}"#,
      #"[{"Other":"1","Thing":"2"},["3"],["4"],{"key":1,"note":"5"},{"name":"5","link":"3","numbers":"6","part":"7"},"text",[1,2],{"number":3,"next":null}]"#,
      #"{"Note":[{"$refId":1,"text":"a","next":{"$refId":2,"text":"b","next":{"$ref":"Note#1"}}}]}"#,
    ]
    return texts.map { Array($0.utf8) }
  }

  func read(_ input: [UInt8]) throws {
    let source = try folder.write(input, as: "input.json")
    defer { folder.removeAll() }
    var options = RealmImport.Options()
    options.unknown = .ignored
    options.losses = .allowed
    check {
      try RealmImport(path: source, into: $0, .newStore(EveryKind.schema), options).run()
    }
    let guess = try RealmSchema(path: source)
    check { try RealmImport(path: source, into: $0, .newStore(guess.schema), options).run() }
  }

  /// Makes a store and checks it.
  private func check(_ load: (String) throws -> MergeSummary) {
    defer { for name in ["new.whimbrel", "copy.whimbrel"] { folder.removeStore(name) } }
    let path = folder.path("new.whimbrel")
    if let summary = attempt({ try load(path) }) {
      _ = summary.text
      LoadedStore(path: path, folder: folder).check()
    }
  }
}
