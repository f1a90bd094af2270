import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling

struct ValueFacetTests {
  private func property(
    _ type: PropertyType, isOptional: Bool = false, _ defaultValue: PropertyDefault = .none,
    cases: [String]? = nil
  ) -> PropertySchema {
    PropertySchema(
      name: "it", type: type, isOptional: isOptional, defaultValue: defaultValue, cases: cases)
  }

  @Test func `nil, the default and another value are told apart`() throws {
    let optional = property(.uuid, isOptional: true)
    #expect(try facets(of: optional, [.null]) == ["nil"])
    #expect(try facets(of: optional, [.uuid(UUID())]) == ["other"])
    // Without a choice there is nothing to tell.
    #expect(try facets(of: property(.uuid), [.uuid(UUID())]) == [])
    let withDefault = property(.int, .value(5))
    #expect(try facets(of: withDefault, [5]) == ["default", "smallest", "largest"])
    #expect(try facets(of: withDefault, [6]) == ["other", "smallest", "largest"])
  }

  @Test func `both truth values are facets, and need no other`() throws {
    let flag = property(.bool, isOptional: true, .value(false))
    #expect(try facets(of: flag, [true, nil]) == ["nil", "true"])
    #expect(try facets(of: flag, [false]) == ["false"])
  }

  @Test func `each case of an enum is a facet, and a value that is none`() throws {
    let area = property(.string, cases: ["europe", "asia"])
    #expect(try facets(of: area, ["asia"]) == ["case asia"])
    #expect(try facets(of: property(.int8, cases: ["1", "2"]), [2, 1]) == ["case 1", "case 2"])
    let folder = try TestFolder()
    let file = folder.path("a.whimbrel")
    let old = ClassSchema(name: "Thing", properties: [property(.string, cases: ["asia", "moon"])])
    try makeStore(at: file, [old]) {
      _ = try $0.table("Thing").create(["it": "moon"], replacing: false)
    }
    let new = ClassSchema(name: "Thing", properties: [property(.string, cases: ["asia"])])
    try makeStore(at: file, [new], version: 1) { _ in }
    #expect(try facetTexts(file).contains("it: no case"))
  }

  @Test func `text shows its length and its characters`() throws {
    let text = property(.string)
    #expect(try facets(of: text, [""]) == ["empty"])
    #expect(try facets(of: text, ["a"]) == ["shortest", "longest"])
    #expect(try facets(of: text, ["é"]) == ["shortest", "longest", "non-ASCII"])
    #expect(
      try facets(of: text, ["🐦"]) == ["shortest", "longest", "non-ASCII", "beyond U+FFFF"])
    #expect(
      try facets(of: text, ["e\u{301}"]) == ["shortest", "longest", "non-ASCII", "combining marks"])
    #expect(try facets(of: property(.data), [.data(Data())]) == ["empty"])
    #expect(try facets(of: property(.data), [.data(Data([1]))]) == ["shortest", "longest"])
  }

  @Test func `numbers show zero, signs, and what is no number`() throws {
    let extremes: Set = ["smallest", "largest"]
    #expect(try facets(of: property(.int), [0]) == extremes.union(["zero"]))
    #expect(try facets(of: property(.int16), [-1]) == extremes.union(["negative"]))
    #expect(try facets(of: property(.double), [.double(-.zero)]) == extremes.union(["zero"]))
    #expect(try facets(of: property(.double), [.double(.nan)]) == ["NaN"])
    #expect(try facets(of: property(.float), [.float(-.infinity)]) == ["infinite"])
    #expect(try facets(of: property(.decimal), [.decimal(-1)]) == extremes.union(["negative"]))
    #expect(try facets(of: property(.decimal), [.decimal(.nan)]) == ["NaN"])
    let date = PropertyValue.date(Date(timeIntervalSinceReferenceDate: -5))
    #expect(try facets(of: property(.date), [date]) == extremes)
  }

  @Test func `collections show how many elements they have, and odd ones`() throws {
    let list = property(.list(of: ElementType(.int, isOptional: true)))
    #expect(try facets(of: list, [[]]) == ["empty"])
    #expect(try facets(of: list, [[1]]) == ["one", "longest"])
    #expect(try facets(of: list, [[1, nil]]) == ["many", "nil element", "longest"])
    let map = property(.map(of: ElementType(.int)))
    #expect(try facets(of: map, [["a": 1]]) == ["one", "longest"])
    #expect(try facets(of: map, [["é": 1, "e": 2]]) == ["many", "non-ASCII key", "longest"])
    let cases = property(.set(of: ElementType(.string)), cases: ["a", "b"])
    #expect(try facets(of: cases, [["a"]]) == ["one", "case a", "longest"])
    let ten = PropertyValue.list((0..<10).map { .int($0) })
    #expect(try facets(of: list, [ten]) == ["many", "long", "longest"])
  }

  @Test func `a value of any type shows its kind`() throws {
    let any = property(.any)
    #expect(try facets(of: any, [nil]) == ["nil"])
    #expect(try facets(of: any, [5]) == ["other", "kind int"])
    #expect(try facets(of: any, [["a": [1]]]) == ["other", "kind map"])
    let list = property(.list(of: ElementType(.any)))
    #expect(
      try facets(of: list, [["x", nil, 1]])
        == ["many", "nil element", "kind string", "kind int"])
  }

  @Test func `a class shows how many objects it has, and the layouts of its records`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    let one = property(.int)
    let two = PropertySchema(name: "more", type: .int, defaultValue: .value(1))
    try makeStore(at: path, [ClassSchema(name: "Thing", properties: [one])])
    #expect(try facetTexts(path) == [" no objects"])
    try makeStore(at: path, [ClassSchema(name: "Thing", properties: [one])]) {
      _ = try $0.table("Thing").create(["it": 1], replacing: false)
    }
    #expect(try facetTexts(path).prefix(2) == [" one object", " layout 1"])
    try makeStore(at: path, [ClassSchema(name: "Thing", properties: [one, two])], version: 2) {
      _ = try $0.table("Thing").create(["it": 1], replacing: false)
    }
    let facets = try facetTexts(path)
    #expect(facets.prefix(3) == [" many objects", " layout 1", " layout 2"])
    #expect(facets.contains("more: default"))
  }

  @Test func `each extreme is that of the store`() throws {
    let folder = try TestFolder()
    func make(_ name: String, _ values: [PropertyValue]) throws -> StoreFacets {
      let schema = ClassSchema(name: "Thing", properties: [property(.int)])
      try makeStore(at: folder.path(name), [schema]) { session in
        for value in values {
          _ = try session.table("Thing").create(["it": value], replacing: false)
        }
      }
      return try StoreFacets(StoreInspector(path: folder.path(name)))
    }
    let all = try make("a", [1, 5, 9])
    #expect(all.lost(in: try make("b", [9, 1])) == [])
    #expect(all.lost(in: try make("c", [1, 5])).map(\.description) == ["Thing.it: largest"])
    #expect(all.objectCounts == ["Thing": 3])
  }
}
