import Testing
import Whimbrel
import WhimbrelTesting

/// Two modules, or two types, may each have a model with the same class name. Only one of them can be
/// a model of a store.
enum Renting {
  @Model
  final class Flat {
    @PrimaryKey var name: String
    var rooms: String = ""
    var anything: AnyValue
  }
}

/// The model has the shape of the one in `Renting`.
enum Leasing {
  @Model
  final class Flat {
    @PrimaryKey var name: String
    var rooms: String = ""
    var anything: AnyValue
  }
}

enum Selling {
  @Model
  final class Flat {
    @PrimaryKey var name: String
    var rooms: Int = 0
    var anything: AnyValue
  }
}

// An object of the other model read the bytes of properties of other types: its number was that of a
// text. Adding one stored an empty text for a number. There was no error.
@Suite struct OtherModelTests {
  private let words =
    "Could not use the model 'WhimbrelTests.Selling.Flat' for objects of 'Flat': the 'models' of the "
    + "configuration list 'WhimbrelTests.Renting.Flat' for this class."

  @Test func `an object of another model of the class is not added`() throws {
    let test = try TestStore([Renting.Flat.self])
    let store = try test.open()
    try store.write { try store.add(Renting.Flat(name: "a", rooms: "two")) }
    let writes: [(Store) throws -> Void] = [
      { try $0.add(Selling.Flat(name: "b", rooms: 2)) },
      { store in
        try store.create(Selling.Flat.self, value: ["name": "a", "rooms": 2], update: .modified)
      },
      { $0.objects(Renting.Flat.self)[0].anything = .object(Selling.Flat(name: "c")) },
    ]
    for write in writes {
      let error = try expectError(.unknownClass) { try store.write { try write(store) } }
      #expect(error.message == words)
    }
    #expect(store.objects(Renting.Flat.self).map(\.rooms) == ["two"])
    try test.expectWhole()
  }

  @Test func `asking for objects as another model of the class stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStore([Renting.Flat.self]).open()
      try store.write { try store.add(Renting.Flat(name: "a", rooms: "two")) }
      print(store.objects(Selling.Flat.self)[0].rooms)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(words), "\(text)")
  }

  // The error named neither of the two, and did not say what to do.
  @Test func `two models of one class in a configuration are named`() throws {
    let error = try expectError(.invalidSchema) {
      _ = try TestStore([Renting.Flat.self, Selling.Flat.self]).open()
    }
    #expect(
      error.context.problems.contains(
        "Class 'Flat' has the models 'WhimbrelTests.Renting.Flat' and 'WhimbrelTests.Selling.Flat'. "
          + #"List one of them, or give one another class name, as in '@Model("Name")'."#))
  }

  // A model that is not listed could be asked for if the file has a class of that name.
  @Test func `asking for objects of a model that is not listed stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let test = try TestStore([Renting.Flat.self])
      try test.open().close()
      let store = try Store(.init(url: test.url, models: []))
      print(store.objects(Selling.Flat.self).count)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("the configuration does not list its model"), "\(text)")
  }

  @Test func `stores of one file may each have a model of their own`() throws {
    let test = try TestStore([Renting.Flat.self])
    let store = try test.open()
    let other = try Store(.init(url: test.url, models: [Leasing.Flat.self]))
    try other.write { try other.add(Leasing.Flat(name: "a", rooms: "two")) }
    try store.refresh()
    #expect(store.objects(Renting.Flat.self).map(\.rooms) == ["two"])
  }
}
