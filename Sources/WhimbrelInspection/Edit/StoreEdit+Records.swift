public import Foundation
internal import WhimbrelEngine

extension StoreEdit.Operation {
  /// Returns the operations that add the objects in a JSON text: one object, lines of objects, or
  /// an array of objects.
  ///
  /// ```swift
  /// let text = Data(#"[{"code": "XK"}, {"code": "XA"}]"#.utf8)
  /// let additions = try StoreEdit.Operation.additions(to: "Country", json: text, name: "new.json")
  /// try StoreEdit(path: "zones.whimbrel", additions).run(.write(backup: nil)) { _ in }
  /// ```
  ///
  /// - Parameters:
  ///   - className: The class of the objects.
  ///   - json: The text.
  ///   - name: The name of the text in errors.
  /// - Throws: ``InspectionError`` with `badImport` if the text is not valid JSON.
  public static func additions(
    to className: String, json: Data, name: String
  ) throws -> [StoreEdit.Operation] {
    var stream = JSONStream(.data(json, name: name))
    var operations: [StoreEdit.Operation] = []
    func add(_ element: JSONStream.Element) {
      let text = String(decoding: element.bytes, as: UTF8.self)
      operations.append(
        .addRecord(class: className, json: text, line: element.line, of: name))
    }
    if try stream.peek() == JSONStream.array.open {
      try stream.forEachElement(of: JSONStream.array) { add(try $0.element()) }
      try stream.requireEnd()
    } else {
      while try stream.peek() != nil { add(try stream.element()) }
    }
    return operations
  }
}

extension InspectionError {
  /// Runs `body`, and adds the line number to its errors.
  static func naming<Result>(
    _ line: Int, of source: String, _ body: () throws -> Result
  ) throws -> Result {
    func named(_ message: String, _ recovery: String) -> InspectionError {
      InspectionError(
        .badImport, "In line \(line) of \(PlainText.quoted(source)): \(message)",
        recovery + " Nothing was changed.", line: line)
    }
    do {
      return try body()
    } catch let error as InspectionError where error.code != .cancelled {
      throw named(error.message, error.recovery)
    } catch let error as StoreError where error.code != .mapFull {
      let words = ErrorWords(error)
      throw named(words.message, words.hint)
    }
  }
}
