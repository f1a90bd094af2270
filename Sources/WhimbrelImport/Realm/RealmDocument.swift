internal import WhimbrelInspection

/// An export of Realm Studio, in any of the forms that its versions write:
///
/// | version | form |
/// |---|---|
/// | 3.5 to 4 | an object of arrays of objects by class; links are the primary key of the object that they lead to, or the object itself where it has none |
/// | 5 to 11 | the same, with linked objects in full; where they form circles each has a `$refId`, and `{"$ref":"Zone#17"}` stands for one that it is in |
/// | 12 and later | the same as [flatted](https://github.com/WebReflection/flatted/blob/main/SPECS.md) JSON: an array in which texts, arrays and objects refer to each other by their places |
///
/// Embedded objects stand in those that they belong to.
protocol RealmDocument {
  /// What it is called in errors.
  var name: String { get }
  /// Calls `body` with each object, class by class: each time the same.
  func forEach(_ body: (_ className: String, RealmObjectNode) throws -> Void) throws
}

/// Finds out which form a document has.
enum RealmFormat {
  /// - Throws: ``InspectionError`` with `badImport` or `cannotRead`.
  static func document(_ input: RepeatableInput.Opened) throws -> any RealmDocument {
    var stream = JSONStream(try input.source())
    switch try stream.peek() {
    case UInt8(ascii: "{"): return NestedRealmDocument(input: input)
    case UInt8(ascii: "["): return try FlattedRealmDocument(input)
    default:
      throw stream.problem("it does not begin as an export of Realm Studio does, with '{' or '['")
    }
  }
}

/// An export whose objects stand where they are used. It needs memory for one object.
private struct NestedRealmDocument: RealmDocument {
  let input: RepeatableInput.Opened

  var name: String { input.name }

  func forEach(_ body: (_ className: String, RealmObjectNode) throws -> Void) throws {
    var stream = JSONStream(try input.source())
    try stream.forEachElement(of: JSONStream.object) { stream in
      let className = try stream.name()
      try stream.forEachElement(of: JSONStream.array) { stream in
        let element = try stream.element()
        let node: JSONNode
        do throws(JSONProblem) {
          node = try JSONParser.parse(element.bytes)
        } catch {
          throw stream.problem("\(error.reason), in what begins at line \(element.line)")
        }
        guard case .object(let object) = RealmNode(nested: node) else {
          throw stream.problem("an object should be here, and not \(node.kind)")
        }
        try body(className, object)
      }
    }
    try stream.requireEnd()
  }
}
