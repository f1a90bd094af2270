import Foundation
import Testing
import Whimbrel

@Model("link origin")
@Index([\.linkCount, \.label])
final class NamedOrigin {
  @StoredName("a key") @PrimaryKey var key: String
  @StoredName("link-count") @Indexed var linkCount: Int = 0
  @StoredName("日本 語") var label: String?
  @StoredName("to, from") var target: NamedTarget?
  @StoredName("all `links`") var targets: StoredList<NamedTarget>
  var `plain name`: Int = 7
}

@Model("a.b where")
final class NamedTarget {
  @StoredName("\"n\"") var number: Int = 0
  @Inverse(of: \NamedOrigin.target) var origins: LinkingObjects<NamedOrigin>
  @Inverse(of: \NamedOrigin.targets) var listing: LinkingObjects<NamedOrigin>
}

/// Properties whose name in the schema is another than in code.
@Suite struct StoredNameTests {
  private let store: Store

  init() throws {
    store = try TestStore([NamedOrigin.self, NamedTarget.self]).open()
    try store.write {
      let target = NamedTarget(number: 3)
      for number in 1...3 {
        try store.add(
          NamedOrigin(
            key: "k\(number)", linkCount: number, label: number == 2 ? nil : "l\(number)",
            target: number == 3 ? nil : target, targets: number == 1 ? [target, target] : []))
      }
    }
  }

  private var origins: Results<NamedOrigin> { store.objects(NamedOrigin.self) }

  @Test func `the name of a class is that in the store`() {
    #expect(NamedOrigin.className() == "link origin")
    #expect(NamedTarget.className() == "a.b where")
  }

  @Test func `the schema has the given names`() throws {
    let schema = NamedOrigin._$schema.classSchema
    #expect(schema.name == "link origin")
    #expect(
      schema.properties.map(\.name)
        == ["a key", "link-count", "日本 語", "to, from", "all `links`", "plain name"])
    #expect(schema.indexes.map(\.properties) == [["link-count", "日本 語"]])
    #expect(schema.primaryKey?.name == "a key")
  }

  @Test func `key paths are those of code`() throws {
    #expect(origins.where { $0.linkCount > 1 && $0.label == nil }.map(\.key) == ["k2"])
    #expect(origins.sorted(by: \.linkCount, ascending: false).map(\.linkCount) == [3, 2, 1])
    #expect(origins.where { $0.target.number == 3 }.count == 2)
    #expect(origins.sum(of: \.linkCount) == 6)
    #expect(origins.distinct(by: \.target).count == 2)
    #expect(try origins.where(#Predicate<NamedOrigin> { $0.linkCount == 3 }).first?.key == "k3")
    #expect(store.object(ofType: NamedOrigin.self, forPrimaryKey: "k1")?.`plain name` == 7)
    let target = try #require(store.objects(NamedTarget.self).first)
    #expect(Set(target.origins.map(\.key)) == ["k1", "k2"])
    #expect(target.listing.map(\.key) == ["k1"])
    #expect(store.objects(NamedTarget.self).where { $0.origins.linkCount == 2 }.count == 1)
    #expect(origins.where { $0.targets.count == 2 }.count == 1)
  }

  @Test func `texts have the given names`() throws {
    #expect(try origins.where("`link-count` == 2").first?.key == "k2")
    #expect(try origins.where("a\\ key == 'k3' AND plain\\ name == 7").count == 1)
    #expect(try origins.where("`to, from`.`\"n\"` == 3 SORT(`link-count` DESC)").first?.key == "k2")
    #expect(
      try store.objects(NamedTarget.self)
        .where("@links.`link origin`.`to, from`.@count == 2").count == 1)
    let dynamic = try store.dynamicObjects("link origin")
    #expect(try dynamic.sorted(by: "link-count", ascending: false).first?["a key"] == "k3")
    #expect(try dynamic.sorted(by: "`to, from`.`\"n\"`").count == 3)
    #expect(try dynamic.sum(of: "link-count") == 6)
    let error = try expectError(.unknownProperty) { try dynamic.sorted(by: "linkCount") }
    #expect(error.description.contains("'linkCount'"))
    try expectError(.invalidQuery) { try origins.where("'link-count' == 2") }
  }

  @Test func `values by name have the given names`() throws {
    try store.write {
      try store.create(NamedOrigin.self, value: ["a key": "k4", "link-count": 4])
      let origin = try #require(store.object(ofType: NamedOrigin.self, forPrimaryKey: "k4"))
      try origin.setValue("x", forKey: "日本 語")
      #expect(origin.label == "x" && origin.linkCount == 4)
      #expect(try origin.value(forKey: "link-count") as? Int == 4)
    }
  }
}
