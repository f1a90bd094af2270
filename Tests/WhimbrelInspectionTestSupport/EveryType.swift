package import Foundation
package import WhimbrelEngine

/// A store with a property of every type and with many values that are hard to print.
package enum EveryType {
  package static let other = ClassSchema(
    name: "Other", properties: [PropertySchema(name: "key", type: .int, isPrimaryKey: true)])
  package static let keyless = ClassSchema(
    name: "Keyless", properties: [PropertySchema(name: "text", type: .string)])
  package static let thing = ClassSchema(
    name: "Thing",
    properties: [
      PropertySchema(name: "bool", type: .bool, isOptional: true),
      PropertySchema(name: "int8", type: .int8),
      PropertySchema(name: "uint32", type: .uint32),
      PropertySchema(name: "float", type: .float),
      PropertySchema(name: "double", type: .double, isOptional: true),
      PropertySchema(name: "text", type: .string, isOptional: true),
      PropertySchema(name: "data", type: .data),
      PropertySchema(name: "date", type: .date),
      PropertySchema(name: "uuid", type: .uuid),
      PropertySchema(name: "decimal", type: .decimal),
      PropertySchema(name: "objectId", type: .objectId),
      PropertySchema(name: "any", type: .any),
      PropertySchema(name: "link", type: .link(to: "Other")),
      PropertySchema(name: "bare", type: .link(to: "Keyless")),
      PropertySchema(name: "list", type: .list(of: ElementType(.string, isOptional: true))),
      PropertySchema(name: "set", type: .set(of: ElementType(.int))),
      PropertySchema(name: "map", type: .map(of: ElementType(.double))),
      PropertySchema(name: "links", type: .list(of: ElementType(.link(to: "Other")))),
      PropertySchema(name: "anys", type: .list(of: ElementType(.any))),
    ])

  package static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  package static func make(at path: String) throws {
    try makeStore(at: path, [other, keyless, thing]) { session in
      let others = try session.table("Other")
      let ids = try [7, -8].map { try others.create(["key": .int($0)], replacing: false) }
      let bare = try session.table("Keyless").create(["text": "t"], replacing: false)
      let object = PropertyValue.object(
        ObjectReference(classID: others.resolved.id, id: ids[0]))
      _ = try session.table("Thing").create(
        [
          "bool": true, "int8": -128, "uint32": 4_294_967_295, "float": .float(0.5),
          "double": .double(-.infinity), "text": "a,\"b\"\r\n\u{1B}[31m", "data": .data(Data([1])),
          "date": .date(Date(timeIntervalSinceReferenceDate: 0.25)), "uuid": .uuid(uuid),
          "decimal": .decimal(Decimal(string: "1.50") ?? 0),
          "objectId": .objectId(ObjectId(high: 1, low: 2)), "any": object,
          "link": .link(ids[1]), "bare": .link(bare), "list": ["x", .null, "", "nil"],
          "set": [3, 1], "map": ["b": .double(2), "a": .double(.nan)], "links": [.link(ids[0])],
          "anys": [1, ["k": [object, .null]], "s"],
        ], replacing: false)
      _ = try session.table("Thing").create(
        [
          "int8": 0, "uint32": 0, "float": .float(-0.0), "text": "", "data": .data(Data()),
          "date": .date(.distantPast), "uuid": .uuid(uuid), "decimal": .decimal(0),
          "objectId": .objectId(ObjectId(high: 0, low: 0)),
        ], replacing: false)
    }
  }
}
