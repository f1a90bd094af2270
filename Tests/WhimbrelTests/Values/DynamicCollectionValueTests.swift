import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

enum TownNext {
  @Model
  final class Town {
    @PrimaryKey var code: String
    var summary: String = ""
  }
}

@Suite struct DynamicCollectionValueTests {
  @Test func `arrays and dictionaries read the collections of dynamic objects`() throws {
    let test = try TestStore([Town.self, Land.self, TownPlace.self])
    do {
      let store = try test.open()
      try store.write {
        try store.create(
          Town.self,
          value: [
            "code": "a", "tags": ["x", "y"], "marks": [2, 1], "prices": ["p": 1.5],
            "maybe": [1, nil] as [Int?],
          ] as [String: Any])
      }
    }
    let store = try test.open([TownNext.Town.self], version: 1) { migration, _ in
      try migration.enumerateObjects(ofType: "Town") { old, new in
        guard let old, let new else { return }
        let tags = try old["tags", as: [String].self]
        let marks = try old["marks", as: [Int].self]
        let prices = try old["prices", as: [String: Double].self]
        let maybe = try old["maybe", as: [Int?].self]
        #expect(throws: StoreError.self) { try old["tags", as: [Int].self] }
        #expect(throws: StoreError.self) { try old["maybe", as: [Int].self] }
        new["summary"] = .string("\(tags) \(marks) \(prices) \(maybe)")
      }
    }
    #expect(
      store.objects(TownNext.Town.self).first?.summary
        == #"["x", "y"] [1, 2] ["p": 1.5] [Optional(1), nil]"#)
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `arrays and dictionaries are the values of collections`() {
    #expect([Int8].propertyType == .list(of: ElementType(.int8)))
    #expect([String: Date?].propertyType == .map(of: ElementType(.date, isOptional: true)))
    #expect([1, 2].propertyValue == .list([.int(1), .int(2)]))
    #expect(["a": true].propertyValue == .map(["a": .bool(true)]))
    #expect([Int](propertyValue: .list([])) == [] && [Int](propertyValue: .null) == nil)
    #expect([String: Int8](propertyValue: .map(["a": .int(128)])) == nil)
  }
}
