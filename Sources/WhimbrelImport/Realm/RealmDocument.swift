internal import WhimbrelInspection

/// An export of Realm Studio, in any format of its versions:
///
/// | version | format |
/// |---|---|
/// | 3.5 to 4 | an object of arrays of objects by class; a link is the primary key of its target, or the target itself where it has none |
/// | 5 to 11 | the same, with linked objects in full; in cycles each object has a `$refId`, and `{"$ref":"Zone#17"}` refers to an enclosing object |
/// | 12 and later | the same as [flatted](https://github.com/WebReflection/flatted/blob/main/SPECS.md) JSON: an array in which texts, arrays and objects refer to each other by index |
///
/// Embedded objects are written inside their owners.
protocol RealmDocument {
  /// The name of the document in errors.
  var name: String { get }
  /// Calls `body` with each object, class by class, in the same order every time.
  func forEach(_ body: (_ className: String, RealmObjectNode) throws -> Void) throws
}

/// A detector of the format of a document.
enum RealmFormat {
  /// Opens a document.
  ///
  /// - Throws: ``InspectionError`` with `badImport` or `cannotRead`.
  static func document(_ input: RepeatableInput) throws -> any RealmDocument {
    var stream = JSONStream(try input.source())
    switch try stream.peek() {
    case UInt8(ascii: "{"): return NestedRealmDocument(input: input)
    case UInt8(ascii: "["): return try FlattedRealmDocument(input)
    default:
      throw stream.problem("it is not an export of Realm Studio, which begins with '{' or '['")
    }
  }
}

/// An export with linked objects in full. It holds one object in memory.
private struct NestedRealmDocument: RealmDocument {
  let input: RepeatableInput

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
          throw stream.problem("\(error.reason), in the value that begins in line \(element.line)")
        }
        guard case .object(let object) = RealmNode(nested: node) else {
          throw stream.problem("expected an object, but found \(node.kind)")
        }
        try body(className, object)
      }
    }
    try stream.requireEnd()
  }
}
