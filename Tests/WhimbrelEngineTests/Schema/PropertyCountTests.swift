import Testing
import WhimbrelEngine

/// A class with as many properties as there may be.
@Suite struct PropertyCountTests {
  private static func node(_ last: PropertySchema) -> [ClassSchema] {
    let links = (0..<400).map { PropertySchema.link("link\($0)", to: "Node") }
    let lists = (0..<100).map {
      PropertySchema.required("list\($0)", .list(of: ElementType(.link(to: "Node"))))
    }
    let indexed = (0..<400).map { PropertySchema.indexed("number\($0)", .int, default: 0) }
    let plain = (0..<99).map { PropertySchema.optional("text\($0)", .string) }
    return [ClassSchema(name: "Node", properties: links + lists + indexed + plain + [last])]
  }

  @Test func `a class has 1,000 properties, nine hundred of them with an index`() throws {
    let store = try TestStore(Self.node(.required("last", .int, default: 1))) { session in
      let first = try session.create("Node", ["number7": 7])
      let second = try session.create("Node", ["link399": .link(first), "last": 2])
      let node = try session.dynamic("Node", second.rawValue)
      try node.list("list99").append(.link(first))
    }
    #expect(try store.findings() == [])
    try store.open(Self.node(.required("last", .string)), version: 2)
    let contents = try store.contents()
    #expect(contents.values("Node", "last") == ["1", "2"])
    #expect(contents.values("Node", "link399").last == .link(ObjectID(rawValue: 1)))
    #expect(try store.findings() == [])
  }

  @Test func `a class of 1,001 properties is an error`() throws {
    var properties = Self.node(.required("last", .int)).flatMap(\.properties)
    properties.append(.required("more", .int))
    let classes = [ClassSchema(name: "Node", properties: properties)]
    let error = storeError { _ = try TestStore(classes) }
    #expect(error?.code == .invalidSchema)
    #expect(
      error?.message.contains("Class 'Node' has 1001 properties and at most 1000 are allowed.")
        == true)
  }
}
