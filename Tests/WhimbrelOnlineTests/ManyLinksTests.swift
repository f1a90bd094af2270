import Foundation
import Testing
import Whimbrel

enum CircleV1 {
  @Model
  final class Person {
    @PrimaryKey var number: Int
    var name: String
    var age: Int
    @Indexed var team: Int
    var friends: StoredList<Person>
    var rivals: StoredList<Person>
  }
}

enum CircleV2 {
  @Model
  final class Person {
    @PrimaryKey var number: Int
    var name: String
    var age: Int
    @Indexed var team: Int
    var friends: StoredList<Person>
    var rivals: StoredList<Person>
    var title: String = ""
  }
}

/// Conditions that follow more links than objects are kept converted at a time.
///
/// The bytes of the object whose links were followed were those of another object afterwards: the
/// rest of the condition, the sort and the aggregate read the values of a friend.
struct ManyLinksTests {
  private typealias Old = CircleV1.Person
  private typealias New = CircleV2.Person

  private static let friends = 2..<1_502

  /// A store in which person 0 has 1,500 friends, of whom only the last is 51 years old. That one
  /// is also the only friend of person 1.
  private func makeStore(_ folder: TestFolder) throws -> Store {
    let url = folder.url.appending(path: "circles.whimbrel")
    let old = try Store(Store.Configuration(url: url, models: [Old.self], schemaVersion: 1))
    try old.write {
      let zebra = Old(number: 0, name: "zebra", age: 5, team: 1)
      let yak = Old(number: 1, name: "yak", age: 6, team: 1)
      let friends = Self.friends.map { number in
        Old(number: number, name: "friend \(number)", age: 50, team: 2)
      }
      friends.last?.age = 51
      let rival = Old(number: Self.friends.upperBound, name: "rival", age: 200, team: 3)
      try old.add([zebra, yak] + friends + [rival])
      zebra.friends.append(objectsIn: friends)
      zebra.rivals.append(rival)
      yak.friends.append(objectsIn: friends.suffix(1))
    }
    try old.close()
    var migration = OnlineMigration.online(
      .rule(from: 1, Old.self, New.self) { old, new in new.title = old.name.uppercased() })
    migration.startsPaused = true
    return try Store(
      Store.Configuration(url: url, models: [New.self], schemaVersion: 2, migration: migration))
  }

  static let queries: [(String, [Int])] = [
    ("ANY friends.age > 100 OR ANY rivals.age > 100", [0]),
    ("(number > 9000 OR ANY friends.age == 51) AND (age == 5 OR ANY rivals.age == 7)", [0]),
    ("ANY friends.age + age == 56", [0]),
    ("friends.@max.age == age + 46", [0]),
    ("SUBQUERY(friends, $x, $x.age == 51).@count == age - 4", [0]),
    ("ANY friends.age == 51 SORT(name)", [1, 0]),
    ("ANY friends.age == 51 SORT(team DESC, title)", [1, 0]),
    ("team == 1 AND ANY friends.age == 51 SORT(name)", [1, 0]),
  ]

  @Test(arguments: queries)
  func `a query reads its objects after it has followed their links`(
    query: String, expected: [Int]
  ) throws {
    let folder = try TestFolder()
    let store = try makeStore(folder)
    #expect(try store.objects(New.self).where(query).map(\.number) == expected)
    try store.refresh()
  }

  @Test func `an aggregate takes the values of the objects whose links were followed`() throws {
    let folder = try TestFolder()
    let store = try makeStore(folder)
    let found = try store.objects(New.self).where("ANY friends.age == 51")
    #expect(found.sum(of: \.age) == 11)
    #expect(found.min(of: \.title) == "YAK")
    try store.refresh()
  }

  @Test func `the place of an object is found after its links were followed`() throws {
    let folder = try TestFolder()
    let store = try makeStore(folder)
    for (number, place) in [(0, 1), (1, 0)] {
      let object = try #require(store.object(ofType: New.self, forPrimaryKey: number))
      for condition in ["ANY friends.age == 51", "team == 1 AND ANY friends.age == 51"] {
        let sorted = try store.objects(New.self).where("\(condition) SORT(name)")
        #expect(sorted.index(of: object) == place, "\(number): \(condition)")
      }
    }
    try store.refresh()
  }
}
