internal import WhimbrelEngine

/// The members of an object's line in a dump. Offsets are in bytes from the
/// start of the line.
struct DumpLine {
  let className: String
  let classOffset: Int
  let id: UInt64
  let idOffset: Int
  let values: [JSONNode.Member]
  let valuesOffset: Int

  init(_ line: [UInt8]) throws(JSONProblem) {
    let node = try JSONParser.parse(line)
    guard case .object(let members) = node.content else {
      throw JSONProblem(node.offset, "expected an object, but found \(node.kind)")
    }
    func member(_ name: String) throws(JSONProblem) -> JSONNode {
      let found = members.filter { $0.name == name }
      guard let first = found.first, found.count == 1 else {
        throw JSONProblem(node.offset, "'\(name)' is \(found.isEmpty ? "missing" : "given twice")")
      }
      return first.value
    }
    if members.first?.name == DumpHeader.memberNames[0] {
      throw JSONProblem(node.offset, "another dump begins here: load each dump by itself")
    }
    if let member = members.first(where: { $0.name == "version" }) {
      throw JSONProblem(
        member.offset,
        "the object is not yet converted to the schema of the dump: let the app finish the "
          + "migration, and dump the store again")
    }
    for member in members where !["class", "id", "values"].contains(member.name) {
      throw JSONProblem(
        member.offset, "unknown member \(PlainText.quoted(member.name)) in the line of an object")
    }
    let (nameNode, idNode, valuesNode) = (
      try member("class"), try member("id"), try member("values")
    )
    guard case .string(let name) = nameNode.content else {
      throw JSONProblem(nameNode.offset, "expected the name of a class")
    }
    guard let id = ObjectID(idNode)?.rawValue else {
      throw JSONProblem(idNode.offset, "'id' must be a whole number from 0 to \(UInt64.max)")
    }
    guard case .object(let values) = valuesNode.content else {
      throw JSONProblem(
        valuesNode.offset, "'values' is \(valuesNode.kind), but must be an object")
    }
    (className, classOffset) = (name, nameNode.offset)
    (self.id, idOffset) = (id, idNode.offset)
    (self.values, valuesOffset) = (values, valuesNode.offset)
  }
}
