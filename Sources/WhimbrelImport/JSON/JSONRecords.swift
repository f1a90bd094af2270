internal import WhimbrelInspection

/// The objects of a JSON document: lines of objects, or one array of objects.
struct JSONRecords {
  private let input: RepeatableInput

  init(_ input: RepeatableInput) { self.input = input }

  var name: String { input.name }

  struct Record {
    let members: [JSONNode.Member]
    /// The line of its first character.
    let line: Int
  }

  /// Calls `body` with each object, in the order of the document.
  ///
  /// - Throws: ``InspectionError`` with `badImport` or `cannotRead`, and what `body` throws.
  /// - Complexity: O(*n*), in memory for one object.
  func forEach(_ body: (Record) throws -> Void) throws {
    var stream = JSONStream(try input.source())
    if try stream.peek() == JSONStream.array.open {
      try stream.forEachElement(of: JSONStream.array) { stream in
        try body(record(stream.element()))
      }
      return try stream.requireEnd()
    }
    while try stream.peek() != nil { try body(record(stream.element())) }
  }

  private func record(_ element: JSONStream.Element) throws -> Record {
    func problem(_ reason: String) -> InspectionError {
      InspectionError.badInput(
        .badImport, name, "line \(element.line)", reason, line: element.line)
    }
    let node: JSONNode
    do throws(JSONProblem) {
      node = try JSONParser.parse(element.bytes)
    } catch {
      throw problem("\(error.reason), \(error.offset) bytes after the start of the value")
    }
    guard case .object(let members) = node.content else {
      throw problem("expected an object, but found \(node.kind)")
    }
    var seen: Set<String> = []
    for member in members where !seen.insert(member.name).inserted {
      throw problem("\(PlainText.quoted(member.name)) occurs twice")
    }
    return Record(members: members, line: element.line)
  }
}
