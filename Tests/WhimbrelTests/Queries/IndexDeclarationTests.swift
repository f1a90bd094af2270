import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Model
@Index([\.country, \.name])
@Index([\.latitude, \.longitude], .unique)
private final class IndexedPlace {
  @PrimaryKey var number: Int
  var name: String
  var latitude: Double
  var longitude: Double
  @Indexed(.unique) var mail: String?
  @Indexed(.fullText) var comments: String = ""
  @Indexed var since: Date?
  var country: IndexedCountry?
}

@Model
private final class IndexedCountry {
  @Indexed(.unique) var code: String
}

private enum Plain {
  @Model("IndexedCountry")
  final class Country {
    var code: String
  }
}

/// Indexes as models declare them.
struct IndexDeclarationTests {
  private static func place(_ number: Int, mail: String? = nil) -> IndexedPlace {
    IndexedPlace(
      number: number, name: "P\(number)", latitude: Double(number), longitude: 1, mail: mail)
  }

  @Test func `a model declares its indexes`() {
    #expect(
      IndexedPlace._$schema.classSchema.indexes == [
        IndexSchema(["comments"], .fullText), IndexSchema(["country", "name"]),
        IndexSchema(["latitude", "longitude"], .unique), IndexSchema(["mail"], .unique),
      ])
    #expect(IndexedPlace._$schema.classSchema["since"]?.isIndexed == true)
    #expect(IndexedPlace._$schema.classSchema["mail"]?.isIndexed == false)
  }

  @Test func `a value that is not unique makes the write fail, and its objects stay unmanaged`()
    throws
  {
    let test = try TestStore([IndexedPlace.self, IndexedCountry.self])
    let store = try test.open()
    try store.write {
      try store.add(Self.place(1, mail: "a@b.c"))
      try store.add(Self.place(2))
      try store.add(Self.place(3))
    }
    let other = Self.place(4, mail: "a@b.c")
    let error = try expectError(.duplicateValues) { try store.write { try store.add(other) } }
    #expect(error.context.className == "IndexedPlace")
    #expect(error.context.propertyName == "mail")
    #expect(!other.isManaged)
    // A property that is set to such a value makes the write fail when it ends.
    try expectError(.duplicateValues) {
      try store.write { store.objects(IndexedPlace.self)[1].mail = "a@b.c" }
    }
    try expectError(.duplicateValues) {
      try store.write { store.objects(IndexedPlace.self)[1].latitude = 1 }
    }
    #expect(store.objects(IndexedPlace.self).count == 3)
    #expect(store.objects(IndexedPlace.self)[1].mail == nil)
    try store.write {
      store.objects(IndexedPlace.self)[0].mail = "d@b.c"
      store.objects(IndexedPlace.self)[1].mail = "a@b.c"
      let country = IndexedCountry(code: "FI")
      store.objects(IndexedPlace.self)[2].country = country
      store.objects(IndexedPlace.self)[2].comments = "Écluse, by the lake"
    }
    try test.expectWhole()
    try store.write { try store.delete(store.objects(IndexedCountry.self)[0]) }
    try test.expectWhole()
  }

  // Another object has the values after the first of the properties is set.
  @Test(arguments: [UpdatePolicy.modified, .all])
  func `values for an object may pass through those of another object`(
    update: UpdatePolicy
  ) throws {
    let test = try TestStore([IndexedPlace.self, IndexedCountry.self])
    let store = try test.open()
    let at = { IndexedPlace(number: $0, name: "", latitude: $1, longitude: $2) }
    try store.write { try store.add([at(1, 1, 1), at(2, 2, 1), at(3, 3, 3)]) }
    try store.write {
      try store.create(
        IndexedPlace.self, value: ["number": 1, "latitude": 2, "longitude": 4, "name": "a"],
        update: update)
      try store.create(
        IndexedPlace.self,
        values: [
          ["number": 2, "latitude": 3], ["number": 2, "latitude": 1, "longitude": 3],
          ["number": 2, "longitude": 5],
        ], update: update)
    }
    let places = store.objects(IndexedPlace.self)
    #expect(places.map(\.latitude) == [2, 1, 3] && places.map(\.longitude) == [4, 5, 3])
    #expect(places[0].name == "a")
    try expectError(.duplicateValues) {
      try store.write {
        try store.create(
          IndexedPlace.self, value: ["number": 1, "latitude": 3, "longitude": 3], update: update)
      }
    }
    #expect(places[0].latitude == 2)
    try test.expectWhole()
  }

  @Test func `two objects swap unique values, and properties of an index are set one by one`()
    throws
  {
    let test = try TestStore([IndexedPlace.self, IndexedCountry.self])
    let store = try test.open()
    try store.write {
      for number in 1...3 { try store.add(Self.place(number, mail: "\(number)@b.c")) }
    }
    let places = store.objects(IndexedPlace.self)
    let (first, second, third) = (places[0], places[1], places[2])
    try store.write {
      (first.mail, second.mail) = (second.mail, first.mail)
      #expect(places.where { $0.mail == "1@b.c" }.map(\.number) == [2])
      // A third object has the values in between.
      first.latitude = 2
      #expect(places.where { $0.latitude == 2 && $0.longitude == 1 }.count == 2)
      first.longitude = 5
    }
    #expect(first.mail == "2@b.c" && second.mail == "1@b.c")
    try store.write {
      let dynamic = try store.dynamicObject(ofType: "IndexedPlace", forPrimaryKey: 3)
      let found = try #require(dynamic)
      try found.set("latitude", to: 2.0)
      try found.set("longitude", to: 7.0)
      try third.setValue("1@b.c", forKey: "mail")
      try store.delete(second)
    }
    #expect(third.mail == "1@b.c" && third.latitude == 2)
    try test.expectWhole()

    let error = try expectError(.duplicateValues) {
      try store.write {
        third.mail = "2@b.c"
        first.name = "A"
        // An added object is checked at once, and is not added.
        try expectError(.duplicateValues) { try store.add(Self.place(9, mail: "2@b.c")) }
      }
    }
    #expect(error.context.objectIDs == [third, first].compactMap(\.objectID))
    #expect(third.mail == "1@b.c" && first.name == "P1" && places.count == 2)
    // Nothing of the failed write is left for the next one.
    try store.write { first.name = "A" }
    try test.expectWhole()
  }

  @Test func `an index that the data does not keep is refused, and nothing changes`() throws {
    let test = try TestStore([Plain.Country.self])
    do {
      let store = try test.open()
      try store.write { for _ in 0..<2 { try store.add(Plain.Country(code: "FI")) } }
    }
    let error = try expectError(.migrationDuplicateKeys) { try test.open([IndexedCountry.self]) }
    #expect(error.context.objectIDs.count == 2)
    let store = try test.open([IndexedCountry.self], version: 1) { migration, _ in
      var isFirst = true
      try migration.enumerateObjects(ofType: "IndexedCountry") { _, new in
        if !isFirst, let new { try migration.delete(new) }
        isFirst = false
      }
    }
    #expect(store.objects(IndexedCountry.self).count == 1)
    #expect(try store.integrityFindings() == [])
  }
}
